/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel-objects.h"

#include "clock.h"
#include "descriptor.h"
#include "kernel-file.h"
#include "numbers.h"
#include "open-objects.h"
#include "syscalls.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Per sandbox; a user has about 1024. Shells and servers open some dozens, nearly empty. */
#define MOST_PIPES 256
#define FEW_PIPES  32
#define PIPE_PAGES 16
/* Enough to be the cause of the shortage. */
#define MANY_UNDER_WAY 128

/* About 10 MiB of kernel memory. Databases hold a few per process. */
#define MOST_LOCKS 50000
/* A lower bound for the size of a lock. Until the kernel has taken this much for each lock that is
 * still allowed, there cannot be too many. Count earlier, because others free memory meanwhile. */
#define LOCK_BYTES  128
#define MOST_GROWTH ((uint64_t) 2 << 20)

/* A descriptor in flight may be that of an epoll instance, whose watches are shown nowhere then. A
 * few are on their way in many programs. */
#define FEW_UNDER_WAY 32

/* The kernel's struct epitem and eppoll_entry, charged to control groups only. */
#define WATCH_BYTES 192

#define MEMORY_PAUSE_US  100000
#define COUNT_PAUSE_US   200000
#define LONGEST_PAUSE_US 1000000

/* How long to wait for a count before its answer may come later. */
#define PATIENCE_US 500000

struct counted
{
  struct open_objects open;
  uint64_t cpu_us; /* which it took */
};

void
kernel_objects_init (struct kernel_objects *objects,
                     const struct fh_policy *policy,
                     bool is_counted)
{
  const bool has_namespaces =
      policy->tier == FH_WIRE_TIER_NAMESPACES || policy->tier == FH_WIRE_TIER_BUBBLEWRAP;

  *objects = (struct kernel_objects){
    .is_off = policy->tier == FH_WIRE_TIER_UNPROTECTED,
    .has_network = has_namespaces && !(policy->without & 1u << FH_WIRE_GUARD_NETWORK),
    .counts_sockets = !is_counted && policy->tier != FH_WIRE_TIER_CONTAINER,
    .reads_table = is_counted,
    /* There the guest is the same user, and no user namespace is in the way. */
    .must_see = policy->tier == FH_WIRE_TIER_LANDLOCK || policy->tier == FH_WIRE_TIER_PORTAL,
    .sockets.diag = -1,
    .sockets.has_few_families = !(policy->without & 1u << FH_WIRE_GUARD_SYSTEM_CALLS),
    .counter_fd = -1,
    .pair = { -1, -1 },
  };
}

void
kernel_objects_begin (struct kernel_objects *objects, int diag)
{
  if (diag < 0 && !objects->has_network && objects->counts_sockets)
    diag = sys_open_socket_list ();
  objects->sockets.diag = diag;
  objects->next_count_us = clock_now_us ();
}

void
kernel_objects_end (struct kernel_objects *objects)
{
  if (objects->counter_fd >= 0)
    {
      sys_pidfd_send_signal (objects->counter_fd, SIGKILL);
      waitpid (objects->counter, NULL, WNOHANG);
    }
  if (objects->counted != NULL)
    munmap (objects->counted, sizeof *objects->counted);
  objects->counted = NULL;
  fh_clear_fd (&objects->sockets.diag);
  fh_clear_fd (&objects->pair[0]);
  fh_clear_fd (&objects->pair[1]);
  fh_clear_fd (&objects->counter_fd);
}

/* Unreclaimable kernel memory, which includes locks; 0 if unknown. */
static uint64_t
kernel_memory (void)
{
  char text[4096];

  if (!kernel_file_read (AT_FDCWD, "/proc/meminfo", text, sizeof text))
    return 0;
  return kernel_file_bytes (text, "SUnreclaim");
}

/* True if the kernel took memory for thousands of locks, or if others may have hidden that by
 * freeing some. */
static bool
may_have_locks (struct kernel_objects *objects)
{
  const uint64_t now = clock_now_us ();
  uint64_t growth = MOST_GROWTH;
  uint64_t memory;

  if (now < objects->next_memory_us)
    return false;
  if ((MOST_LOCKS - objects->locks) * LOCK_BYTES < growth)
    growth = (MOST_LOCKS - objects->locks) * LOCK_BYTES;
  objects->next_memory_us = now + MEMORY_PAUSE_US;
  memory = kernel_memory ();
  if (objects->least_memory == 0 || memory < objects->least_memory)
    objects->least_memory = memory;
  return now >= objects->next_count_us + LONGEST_PAUSE_US ||
         (memory >= objects->least_memory + growth && now >= objects->next_count_us);
}

static void
count (const struct kernel_objects *objects,
       struct process_table *table,
       bool is_hurried,
       struct counted *counted)
{
  const uint64_t begun = clock_own_cpu_us ();

  counted->open.longest_text = objects->longest_text;
  open_objects_count (&counted->open,
                      table,
                      objects->has_network ? -1 : objects->sockets.diag,
                      is_hurried);
  counted->cpu_us = clock_own_cpu_us () - begun;
}

/* The most that pipes can hold: once a user's take the limit, new ones get two pages, pipe (7). */
static uint64_t
pipe_bytes (size_t n)
{
  const uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE);
  const uint64_t many = n > FEW_PIPES ? n - FEW_PIPES : 0;
  const uint64_t most = many * PIPE_PAGES;
  const uint64_t full = kernel_file_read_number (AT_FDCWD, "/proc/sys/fs/pipe-user-pages-soft", 0);

  return (full > 0 && full + 2 * many < most ? full + 2 * many : most) * page;
}

/* Counting makes several calls per open descriptor, so limit its share of the time. */
static void
take_count (struct kernel_objects *objects, const struct counted *counted)
{
  const uint64_t pause = 4 * counted->cpu_us;

  objects->least_memory = kernel_memory ();
  objects->locks = counted->open.locks;
  objects->longest_text = counted->open.longest_text;
  /* A control group that counts memory counts these. */
  objects->other_bytes = objects->reads_table
                             ? 0
                             : counted->open.watches * WATCH_BYTES +
                                   pipe_bytes (counted->open.pipes) + counted->open.mapping_bytes +
                                   counted->open.proc_bytes;
  objects->next_count_us = clock_now_us () + (pause > COUNT_PAUSE_US ? pause : COUNT_PAUSE_US);
}

/* False if there is no child. Most runs end before they are counted, so the memory for the answer
 * is made here. */
static bool
begin_to_count (struct kernel_objects *objects, struct process_table *table)
{
  if (objects->counted == NULL)
    objects->counted = mmap (NULL,
                             sizeof *objects->counted,
                             PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS,
                             -1,
                             0);
  if (objects->counted == MAP_FAILED)
    objects->counted = NULL;
  objects->counter = objects->counted != NULL ? sys_clone_with_pidfd (&objects->counter_fd) : -1;
  if (objects->counter == 0)
    {
      count (objects, table, false, objects->counted);
      _exit (0);
    }
  if (objects->counter < 0)
    objects->counter_fd = -1;
  objects->patient_until_us = clock_now_us () + PATIENCE_US;
  return objects->counter_fd >= 0;
}

/* A child counts, as that can take for ever: an epoll instance is locked while its events are
 * written, and the guest may want them in memory of a file whose server does not answer. False if
 * there is no answer yet. */
static bool
find_count (struct kernel_objects *objects, struct process_table *table, struct counted *counted)
{
  struct pollfd end;
  int status;

  if (objects->counter_fd < 0 && objects->reads_table)
    process_table_read (table);
  if (objects->counter_fd < 0 && !begin_to_count (objects, table))
    {
      count (objects, table, true, counted);
      take_count (objects, counted);
      return true;
    }
  end = (struct pollfd){ .fd = objects->counter_fd, .events = POLLIN };
  clock_poll_until (&end, 1, objects->patient_until_us);
  if (waitpid (objects->counter, &status, WNOHANG) == 0)
    return false;
  fh_clear_fd (&objects->counter_fd);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    return false;
  *counted = *objects->counted;
  take_count (objects, counted);
  return true;
}

/* A sandbox with many in flight is the cause. One with a single socket that holds descriptors may
 * have hidden all others in it; assume it is the cause after two looks. */
static bool
is_passing_too_many (struct kernel_objects *objects, const struct open_objects *open)
{
  return twice (&objects->is_passing, open->under_way > 0) || open->under_way >= MANY_UNDER_WAY;
}

/* Twice running, because others may be about to receive them. */
static bool
hides_in_sockets (struct kernel_objects *objects, const struct open_objects *open)
{
  return twice (&objects->has_many_under_way,
                !objects->reads_table && open->under_way > FEW_UNDER_WAY);
}

static bool
are_sockets_full (struct kernel_objects *objects, const struct open_objects *open)
{
  if (objects->has_network || !objects->counts_sockets)
    return false;
  objects->sockets.bytes =
      objects->sockets.diag >= 0 ? open->socket_bytes : open->sockets * socket_meter_full ();
  return objects->sockets.bytes > SOCKET_METER_MOST_BYTES;
}

/* Twice running, because a process looks like that during execve. */
static bool
hides (struct kernel_objects *objects, const struct open_objects *open)
{
  return twice (&objects->is_blind, open->is_blind && objects->must_see);
}

static enum usage_verdict
check_open (struct kernel_objects *objects, struct process_table *table)
{
  const bool is_short_of_passing = user_is_short_of_passing (objects->pair);
  const bool is_short_of_pipes = user_is_short_of_pipes ();
  const bool looks_into_sockets =
      !objects->has_network && objects->counts_sockets && clock_now_us () >= objects->next_count_us;
  struct counted counted;

  if (!is_short_of_passing)
    objects->is_passing = false;
  if (!is_short_of_passing && !is_short_of_pipes && !looks_into_sockets &&
      !may_have_locks (objects))
    return USAGE_WITHIN_LIMITS;
  if (!find_count (objects, table, &counted))
    return USAGE_WITHIN_LIMITS;
  if (is_short_of_passing && is_passing_too_many (objects, &counted.open))
    return USAGE_OVER_DESCRIPTORS;
  if (hides_in_sockets (objects, &counted.open))
    return USAGE_OVER_DESCRIPTORS;
  if (counted.open.locks > MOST_LOCKS)
    return USAGE_OVER_LOCKS;
  if (counted.open.is_too_long)
    return USAGE_OVER_OPEN;
  if (hides (objects, &counted.open))
    return USAGE_UNSEEN;
  if (are_sockets_full (objects, &counted.open))
    return USAGE_OVER_SOCKETS;
  return is_short_of_pipes && counted.open.pipes > MOST_PIPES ? USAGE_OVER_PIPES
                                                              : USAGE_WITHIN_LIMITS;
}

enum usage_verdict
kernel_objects_measure (struct kernel_objects *objects, struct process_table *table)
{
  if (objects->is_off)
    return USAGE_WITHIN_LIMITS;
  if (objects->has_network && socket_meter_measure (&objects->sockets, table->proc))
    return USAGE_OVER_SOCKETS;
  return check_open (objects, table);
}
