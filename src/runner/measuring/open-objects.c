/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "open-objects.h"

#include "clock.h"
#include "descriptor-numbers.h"
#include "descriptor.h"
#include "init-message.h"
#include "kernel-file.h"
#include "socket-meter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Refused if it would exceed the user's limit of pipe pages. */
#define LARGE_PIPE (1024 * 1024)
#define USUAL_PIPE (64 * 1024)

/* Below the guest's own limit, so that it is never quite used up. */
#define MOST_UNDER_WAY (SETUP_MAX_FILES - 100)

/* Distinct objects per sandbox. */
#define CAPACITY 8192

/* The kernel's struct vm_area_struct with its place in the tree; and struct anon_vma_chain, one for
 * each process that the mapping was inherited from. Charged to control groups only. */
#define MAPPING_BYTES 256
#define CHAIN_BYTES   64

/* Bytes of maps per look; what is not read is taken for as much as the most that was read. */
#define MOST_MAPS_BYTES ((size_t) 32 << 20)
#define MAPS_BUDGET_US  50000

/* Bytes of fdinfo per look, about a third of a second. It lists all files that an epoll instance
 * watches, epoll (7). Only an attack has that much. */
#define MOST_INFO_BYTES ((size_t) 64 << 20)

/* Beyond so many, the buffers of open files of /proc count as large: what was read into them may be
 * gone, such as an epoll instance with many watches, or a mapping of a file with a long path. */
#define FEW_PROC_FILES   16
#define LARGE_PROC_BYTES ((uint64_t) 1 << 20)

enum kind
{
  PIPE,
  SOCKET,
  OTHER, /* any file */
};

struct object
{
  uint64_t inode;
  uint64_t mount; /* the file's: inode numbers are unique per mount */
  enum kind kind;
};

struct objects
{
  struct object all[CAPACITY];
  size_t n;
  size_t n_different; /* the first part, sorted */
  size_t n_lost;      /* did not fit */
};

struct census
{
  struct open_objects *found;
  int proc;
  struct objects shared; /* pipes and sockets, of all processes */
  struct objects files;  /* of this process, as each has its own locks */
  uint64_t pipe_mount;   /* all pipes are on it */
  uint64_t proc_mount;   /* of the sandbox's /proc */
  size_t n_proc_files;   /* open files of /proc */
  size_t info_bytes;
  size_t longest_text; /* of a file of fdinfo, or of a line of maps */
  size_t maps_bytes;
  size_t most_mappings;
  size_t next; /* process whose mappings are read first in the next look */
};

bool
user_is_short_of_pipes (void)
{
  bool is_short = false;
  int ends[2];

  if (pipe2 (ends, O_CLOEXEC) < 0)
    return false;
  if (fcntl (ends[0], F_SETPIPE_SZ, LARGE_PIPE) < 0)
    is_short = errno == EPERM;
  else if (fcntl (ends[0], F_GETPIPE_SZ) < USUAL_PIPE)
    is_short = true;
  close (ends[0]);
  close (ends[1]);
  return is_short;
}

/* The kernel closes the descriptor if there is no room for it. */
static void
take_back (int socket)
{
  char byte;

  if (recv (socket, &byte, 1, MSG_DONTWAIT) < 0)
    return;
}

bool
user_is_short_of_passing (int pair[2])
{
  struct rlimit limit, low;
  bool is_short;

  if ((pair[0] < 0 && socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) ||
      getrlimit (RLIMIT_NOFILE, &limit) < 0)
    return false;
  low = limit;
  low.rlim_cur = MOST_UNDER_WAY;
  /* The kernel compares the sender's limit with what the user has in flight. */
  if (limit.rlim_cur < low.rlim_cur || setrlimit (RLIMIT_NOFILE, &low) < 0)
    return false;
  is_short = message_send (pair[0], "", 1, pair, 1, MSG_DONTWAIT) == -ETOOMANYREFS;
  setrlimit (RLIMIT_NOFILE, &limit);
  if (!is_short)
    take_back (pair[1]);
  return is_short;
}

static int
compare (const void *a, const void *b)
{
  const struct object *one = a;
  const struct object *other = b;

  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;
  if (one->mount != other->mount)
    return one->mount < other->mount ? -1 : 1;
  return one->inode < other->inode ? -1 : one->inode > other->inode;
}

/* Forked processes have the same objects. */
static void
leave_out_doubles (struct objects *objects)
{
  size_t n = 0;

  if (objects->n > objects->n_different)
    qsort (objects->all, objects->n, sizeof objects->all[0], compare);
  for (size_t i = 0; i < objects->n; i++)
    {
      if (n == 0 || compare (&objects->all[n - 1], &objects->all[i]) != 0)
        objects->all[n++] = objects->all[i];
    }
  objects->n = objects->n_different = n;
}

/* True if it is new. */
static bool
add (struct objects *objects, enum kind kind, uint64_t mount, uint64_t inode)
{
  const struct object object = { inode, mount, kind };

  if (bsearch (&object, objects->all, objects->n_different, sizeof object, compare) != NULL)
    return false;
  for (size_t i = objects->n_different; i < objects->n; i++)
    {
      if (compare (&objects->all[i], &object) == 0)
        return false;
    }
  /* Keep the linear search above short. */
  if (objects->n == CAPACITY || objects->n - objects->n_different == 64)
    leave_out_doubles (objects);
  if (objects->n < CAPACITY)
    objects->all[objects->n++] = object;
  else
    objects->n_lost++;
  return true;
}

static void
clear (struct objects *objects)
{
  objects->n = objects->n_different = objects->n_lost = 0;
}

bool
open_objects_for_each (int proc,
                       const struct process *process,
                       const char *folder,
                       bool (*take) (int folder, const char *name, void *data),
                       void *data)
{
  const int fd = process_open (proc, process, folder, O_RDONLY | O_DIRECTORY);
  const bool is_closed = fd < 0 && process_is_closed (proc, process);
  DIR *entries = fd >= 0 ? fdopendir (fd) : NULL;
  struct dirent *entry;
  bool goes_on = true;

  while (entries != NULL && goes_on && (entry = readdir (entries)) != NULL)
    goes_on = entry->d_name[0] == '.' || take (dirfd (entries), entry->d_name, data);
  if (entries != NULL)
    closedir (entries);
  else if (fd >= 0)
    close (fd);
  return !is_closed;
}

size_t
open_objects_lines (const char *text, const char *key)
{
  size_t count = 0;

  while ((text = strchr (text, '\n')) != NULL)
    {
      text++;
      count += strncmp (text, key, strlen (key)) == 0;
    }
  return count;
}

/* A file that is open twice lists the same locks twice. Before Linux 5.14 that cannot be detected.
 * Of a guest with its own user id nothing else shows what are pipes. */
static bool
is_known_file (struct census *census, const char *text)
{
  const uint64_t inode = kernel_file_number (text, "ino", 0);
  const uint64_t mount = kernel_file_number (text, "mnt_id", 0);

  if (inode != 0 && mount == census->pipe_mount)
    add (&census->shared, PIPE, 0, inode);
  return inode != 0 && !add (&census->files, OTHER, mount, inode);
}

/* 0 if the kernel does not tell. */
static uint64_t
mount_of (int fd)
{
  char path[64];
  char text[512] = "";

  snprintf (path, sizeof path, "/proc/self/fdinfo/%d", fd);
  kernel_file_read (AT_FDCWD, path, text, sizeof text);
  return kernel_file_number (text, "mnt_id", 0);
}

static uint64_t
find_pipe_mount (void)
{
  uint64_t mount;
  int ends[2];

  if (pipe2 (ends, O_CLOEXEC) < 0)
    return 0;
  mount = mount_of (ends[0]);
  close (ends[0]);
  close (ends[1]);
  return mount;
}

/* An open file of /proc keeps the buffer that it was read into, a power of two; that of a file of
 * fdinfo is as long as all that it tells, and that of maps as its longest line, fs/seq_file.c. */
static uint64_t
proc_bytes (const struct census *census)
{
  const size_t n_few =
      census->n_proc_files < FEW_PROC_FILES ? census->n_proc_files : FEW_PROC_FILES;
  uint64_t each = 4096;

  while (each < census->longest_text)
    each *= 2;
  return n_few * each +
         (census->n_proc_files - n_few) * (each > LARGE_PROC_BYTES ? each : LARGE_PROC_BYTES);
}

/* Reads one fdinfo: locks; and, since Linux 5.11, descriptors in flight in a socket, but not those
 * in a socket that is itself in flight. */
static bool
read_info (int folder, const char *name, void *data)
{
  struct census *census = data;
  const bool is_too_much = census->info_bytes > MOST_INFO_BYTES;
  fh_autofd int fd = is_too_much ? -1 : openat (folder, name, O_RDONLY | O_CLOEXEC);
  char text[16 * 1024];
  bool is_first = true;
  size_t length = 0;
  size_t rest = 0;
  ssize_t n;

  while (fd >= 0 && census->info_bytes <= MOST_INFO_BYTES &&
         (n = read (fd, text + rest, sizeof text - 1 - rest)) > 0)
    {
      char *last;

      census->info_bytes += (size_t) n;
      length += (size_t) n;
      text[rest + (size_t) n] = '\0';
      last = strrchr (text, '\n');
      census->n_proc_files += is_first && census->proc_mount != 0 &&
                              kernel_file_number (text, "mnt_id", 0) == census->proc_mount;
      /* All epoll instances have the same inode. */
      if (last == NULL ||
          (is_first && strstr (text, "\ntfd:") == NULL && is_known_file (census, text)))
        break;
      /* The last line continues in the next piece. */
      rest = strlen (last);
      *last = '\0';
      is_first = false;
      census->found->locks += open_objects_lines (text, "lock:");
      census->found->watches += open_objects_lines (text, "tfd:");
      census->found->under_way += kernel_file_number (text, "scm_fds", 0);
      *last = '\n';
      memmove (text, last, rest);
    }
  if (length > census->longest_text)
    census->longest_text = length;
  return true;
}

/* Do not wait for a server that does not answer. */
static bool
add_descriptor (int folder, const char *name, void *data)
{
  struct census *census = data;
  struct statx status;

  if (statx (folder, name, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &status) < 0)
    return true;
  if (S_ISFIFO (status.stx_mode))
    add (&census->shared, PIPE, 0, status.stx_ino);
  else if (S_ISSOCK (status.stx_mode))
    add (&census->shared, SOCKET, 0, status.stx_ino);
  return true;
}

/* Objects that did not fit may be of either kind. */
static void
add_up (struct open_objects *objects, struct objects *shared, int diag)
{
  leave_out_doubles (shared);
  objects->pipes = objects->sockets = shared->n_lost;
  objects->socket_bytes = diag >= 0 ? shared->n_lost * socket_meter_full () : 0;
  for (size_t i = 0; i < shared->n; i++)
    {
      objects->pipes += shared->all[i].kind == PIPE;
      objects->sockets += shared->all[i].kind == SOCKET;
      if (shared->all[i].kind == SOCKET && diag >= 0)
        objects->socket_bytes += socket_meter_unix (diag, (uint32_t) shared->all[i].inode);
    }
}

static bool
has_image_of (const struct process *one, const struct process *other)
{
  return memcmp (one->image, other->image, sizeof one->image) == 0;
}

/* How many processes its memory was inherited from, all of which live. Of one whose parent has
 * ended, that can be all that are older. */
static size_t
generation (const struct process_table *table, const struct process *process)
{
  const struct process *parent = process_table_find (table, process->parent);
  size_t n = 0;

  while (n < table->n && parent != NULL && has_image_of (parent, process))
    {
      n++;
      process = parent;
      parent = process_table_find (table, process->parent);
    }
  for (size_t i = 0; i < table->n && parent != NULL && process_is_init (table, parent->pid); i++)
    {
      const struct process *other = &table->processes[i];

      n += other->started < process->started && has_image_of (other, process);
    }
  return n;
}

/* Counts the lines in maps. What cannot be read counts as the most of the others. */
static size_t
read_mappings (struct census *census, const struct process *process)
{
  fh_autofd int fd = process_open (census->proc, process, "maps", O_RDONLY);
  size_t mappings = fd < 0 ? census->most_mappings : 0;
  size_t length = 0;
  char text[16 * 1024];
  ssize_t n;

  while (fd >= 0 && (n = read (fd, text, sizeof text)) > 0)
    {
      census->maps_bytes += (size_t) n;
      for (ssize_t i = 0; i < n; i++)
        {
          length++;
          if (text[i] != '\n')
            continue;
          mappings++;
          census->longest_text = length > census->longest_text ? length : census->longest_text;
          length = 0;
        }
    }
  return mappings;
}

/* Reading the mappings of a process waits while it forks, a second in all where many processes fork
 * without a pause. With `is_hurried` only so many are read as fit in MAPS_BUDGET_US, and the next
 * look begins with those that are left. Until then they count as when they were read last, or as
 * the most of the others. */
static void
count_mappings (struct census *census, struct process_table *table, bool is_hurried)
{
  const uint64_t until_us = is_hurried ? clock_now_us () + MAPS_BUDGET_US : UINT64_MAX;
  const size_t first = table->n > 0 ? census->next % table->n : 0;

  for (size_t i = 0; i < table->n; i++)
    {
      struct process *process = &table->processes[(first + i) % table->n];
      const bool is_read = census->maps_bytes <= MOST_MAPS_BYTES && clock_now_us () < until_us;

      if (process_is_init (table, process->pid) || process->uses_parents_memory)
        continue;
      if (is_read)
        {
          process->mappings = read_mappings (census, process);
          census->next = is_hurried ? first + i + 1 : census->next;
        }
      if (process->mappings > census->most_mappings)
        census->most_mappings = process->mappings;
      census->found->mapping_bytes +=
          (is_read || process->mappings > 0 ? process->mappings : census->most_mappings) *
          (MAPPING_BYTES + CHAIN_BYTES * generation (table, process));
    }
}

void
open_objects_count (struct open_objects *objects,
                    struct process_table *table,
                    int diag,
                    bool is_hurried)
{
  static struct census census;
  const size_t longest_text = objects->longest_text;

  *objects = (struct open_objects){ 0 };
  census.found = objects;
  census.proc = table->proc;
  clear (&census.shared);
  census.info_bytes = census.maps_bytes = census.most_mappings = 0;
  census.n_proc_files = 0;
  census.longest_text = longest_text;
  census.pipe_mount = find_pipe_mount ();
  census.proc_mount = mount_of (table->proc);
  for (size_t i = 0; i < table->n; i++)
    {
      const struct process *process = &table->processes[i];

      if (process_is_init (table, process->pid))
        continue;
      /* Open only to the guest's own user. If that is not us, the limits in question are not the
       * user's either. All threads have the same descriptors: seccomp-rules.h refuses others. */
      open_objects_for_each (table->proc, process, "fd", add_descriptor, &census);
      clear (&census.files);
      if (!open_objects_for_each (table->proc, process, "fdinfo", read_info, &census))
        objects->is_blind = true;
    }
  count_mappings (&census, table, is_hurried);
  objects->is_too_long = census.info_bytes > MOST_INFO_BYTES;
  objects->proc_bytes = proc_bytes (&census);
  objects->longest_text = census.longest_text;
  add_up (objects, &census.shared, diag);
}
