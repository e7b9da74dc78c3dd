/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel-objects.h"

#include "clock.h"
#include "kernel-file.h"
#include "open-objects.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Per sandbox; a user has about 1024. Shells and servers open some dozens. */
#define MOST_PIPES 256
/* Enough to be the cause of the shortage. */
#define MANY_UNDER_WAY 128

/* About 10 MiB of kernel memory. Databases hold a few per process. */
#define MOST_LOCKS 50000
/* A lower bound for the size of a lock. Until the kernel has taken this much for each lock that is
 * still allowed, there cannot be too many. Count earlier, because others free memory meanwhile. */
#define LOCK_BYTES  128
#define MOST_GROWTH ((uint64_t) 2 << 20)

/* The kernel's struct epitem and eppoll_entry, charged to control groups only. */
#define WATCH_BYTES 192

#define MEMORY_PAUSE_US  100000
#define COUNT_PAUSE_US   200000
#define LONGEST_PAUSE_US 1000000

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
    .pair = { -1, -1 },
  };
}

void
kernel_objects_begin (struct kernel_objects *objects, int diag)
{
  if (diag < 0 && !objects->has_network && objects->counts_sockets)
    diag = socket_meter_open ();
  objects->sockets.diag = diag;
  objects->next_count_us = clock_now_us ();
}

void
kernel_objects_end (struct kernel_objects *objects)
{
  const int fds[] = { objects->sockets.diag, objects->pair[0], objects->pair[1] };

  for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
    {
      if (fds[i] >= 0)
        close (fds[i]);
    }
  objects->sockets.diag = objects->pair[0] = objects->pair[1] = -1;
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

/* Counting makes several calls per open descriptor, so limit its share of the time. */
static void
count (struct kernel_objects *objects, struct process_table *table, struct open_objects *open)
{
  const uint64_t begun = clock_own_cpu_us ();
  uint64_t pause;

  if (objects->reads_table)
    process_table_read (table);
  open_objects_count (open, table, objects->has_network ? -1 : objects->sockets.diag);
  objects->least_memory = kernel_memory ();
  objects->locks = open->locks;
  objects->watch_bytes = objects->reads_table ? 0 : open->watches * WATCH_BYTES;
  pause = 4 * (clock_own_cpu_us () - begun);
  objects->next_count_us = clock_now_us () + (pause > COUNT_PAUSE_US ? pause : COUNT_PAUSE_US);
}

/* A sandbox with many in flight is the cause. One with a single socket that holds descriptors may
 * have hidden all others in it; assume it is the cause after two looks. */
static bool
is_passing_too_many (struct kernel_objects *objects, const struct open_objects *open)
{
  const bool was_passing = objects->is_passing;

  objects->is_passing = open->under_way > 0;
  return open->under_way >= MANY_UNDER_WAY || (objects->is_passing && was_passing);
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
  const bool was_blind = objects->is_blind;

  objects->is_blind = open->is_blind && objects->must_see;
  return objects->is_blind && was_blind;
}

static enum kernel_object
check_open (struct kernel_objects *objects, struct process_table *table)
{
  const bool is_short_of_passing = user_is_short_of_passing (objects->pair);
  const bool is_short_of_pipes = user_is_short_of_pipes ();
  const bool looks_into_sockets =
      !objects->has_network && objects->counts_sockets && clock_now_us () >= objects->next_count_us;
  struct open_objects open;

  if (!is_short_of_passing)
    objects->is_passing = false;
  if (!is_short_of_passing && !is_short_of_pipes && !looks_into_sockets &&
      !may_have_locks (objects))
    return KERNEL_OBJECT_NONE;
  count (objects, table, &open);
  if (is_short_of_passing && is_passing_too_many (objects, &open))
    return KERNEL_OBJECT_DESCRIPTORS;
  if (open.locks > MOST_LOCKS)
    return KERNEL_OBJECT_LOCKS;
  if (hides (objects, &open))
    return KERNEL_OBJECT_UNSEEN;
  if (are_sockets_full (objects, &open))
    return KERNEL_OBJECT_SOCKETS;
  return is_short_of_pipes && open.pipes > MOST_PIPES ? KERNEL_OBJECT_PIPES : KERNEL_OBJECT_NONE;
}

enum kernel_object
kernel_objects_measure (struct kernel_objects *objects, struct process_table *table)
{
  if (objects->is_off)
    return KERNEL_OBJECT_NONE;
  if (objects->has_network && socket_meter_measure (&objects->sockets, table->proc))
    return KERNEL_OBJECT_SOCKETS;
  return check_open (objects, table);
}
