/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "disk-watch.h"

#include "clock.h"
#include "descriptor.h"
#include "hostile-folder.h"
#include "kernel-file.h"
#include "numbers.h"
#include "open-objects.h"
#include "syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The kernel's inode, its entry in a folder, and a name of any length. */
#define INODE_BYTES 2048

/* Bytes written by all processes. If the kernel does not say, the maximum: then nothing is
 * certain. */
static uint64_t
read_dirtied (void)
{
  char text[4096];
  uint64_t pages = UINT64_MAX;

  if (kernel_file_read (AT_FDCWD, "/proc/vmstat", text, sizeof text))
    pages = kernel_file_number (text, "nr_dirtied", UINT64_MAX);
  return pages == UINT64_MAX ? UINT64_MAX : pages * (uint64_t) sysconf (_SC_PAGESIZE);
}

static uint64_t
read_free (int folder)
{
  struct statfs status;

  return fstatfs (folder, &status) == 0 ? status.f_bfree * (uint64_t) status.f_frsize : 0;
}

/* Reads what all threads, and reaped children, have written. The thread is named as if it were a
 * process, because task/THREAD/io has that thread's own writes only. A zombie reports nothing.
 * False if the process lives and cannot be read. */
static bool
read_written (int proc, struct process *process)
{
  const struct process alone = { .pid = process->thread, .thread = process->thread };
  uint64_t bytes = UINT64_MAX;
  char text[512];

  if (process_read_file (proc, &alone, "io", text, sizeof text))
    bytes = kernel_file_number (text, "write_bytes", UINT64_MAX);
  if (bytes == UINT64_MAX)
    return !process_read_again (proc, process) && !process->is_opaque;
  process->written_bytes = bytes;
  return true;
}

void
disk_room_begin (struct disk_room *room, int folder)
{
  *room = (struct disk_room){ .folder = folder };
  if (folder < 0)
    return;
  room->free_before = read_free (folder);
  room->dirtied_before = read_dirtied ();
}

/* While a child is being reaped, its writes can be counted twice, or not at all. If they stay
 * missing, it was not reaped and will not be seen again. */
void
disk_room_count (struct disk_room *room, uint64_t sample)
{
  const uint64_t before = room->settled;
  uint64_t low, high;

  room->samples[0] = room->samples[1];
  room->samples[1] = room->samples[2];
  room->samples[2] = sample;
  low = smaller (room->samples[0], room->samples[1]);
  high = low == room->samples[0] ? room->samples[1] : room->samples[0];
  room->settled = sample < low ? low : smaller (sample, high);
  room->written += without (room->settled, before);
}

void
disk_room_conclude (struct disk_room *room, uint64_t dirtied, uint64_t shrunk, bool is_whole)
{
  room->shrunk = shrunk;
  room->most = is_whole ? smaller (room->written, shrunk) : shrunk;
  room->least = smaller (shrunk, without (room->written, without (dirtied, shrunk)));
}

void
disk_room_measure (struct disk_room *room, struct process_table *table)
{
  bool is_whole = true;
  uint64_t dirtied;
  uint64_t sample = 0;

  if (room->folder < 0)
    return;
  dirtied = read_dirtied ();
  for (size_t i = 0; i < table->n; i++)
    {
      struct process *process = &table->processes[i];

      if (process_is_init (table, process->pid))
        continue;
      is_whole = read_written (table->proc, process) && is_whole;
      sample += process->written_bytes;
    }
  disk_room_count (room, sample);
  disk_room_conclude (room,
                      dirtied < UINT64_MAX ? without (dirtied, room->dirtied_before) : UINT64_MAX,
                      without (room->free_before, read_free (room->folder)),
                      is_whole);
}

struct scratch_usage
usage_of_scratch (const int *folders, size_t n)
{
  struct scratch_usage usage = { 0 };
  struct statfs status;

  for (size_t i = 0; i < n; i++)
    {
      if (folders[i] < 0 || fstatfs (folders[i], &status) < 0)
        continue;
      usage.bytes += (status.f_blocks - status.f_bfree) * (uint64_t) status.f_bsize;
      usage.inode_bytes += (status.f_files - status.f_ffree) * INODE_BYTES;
      usage.is_full =
          usage.is_full || status.f_bfree == 0 || (status.f_files > 0 && status.f_ffree == 0);
    }
  return usage;
}

#define PAUSE_US 100000

/* Charged per entry, so that empty files count. */
#define BYTES_PER_ENTRY 4096

/* Each level takes a descriptor, so that what is deeper has to wait until those above are done. */
#define MAX_DEPTH 64

/* Folders that wait: so many are that deep only to hide something. */
#define MOST_WAITING 64

/* Bounds the work of a scan. */
#define MOST_ENTRIES 200000

/* In a folder that is not the run's own. */
#define MOST_ENTRIES_BEFORE 20000

/* Distinct unlinked files. */
#define MOST_NAMELESS 512

/* Error of the space taken on a disk: what file systems need for themselves, and delayed
 * accounting. */
#define ROOM_ALLOWANCE ((uint64_t) 64 << 20)

/* So many files that are only mapped are hidden on purpose. */
#define MANY_HIDDEN 4

/* In proc(5)'s maps, follows the name of an unlinked file. */
#define DELETED " (deleted)\n"

struct walk
{
  uint64_t bytes;
  uint64_t limit;
  dev_t device;
  bool is_shared;
  bool is_blind; /* there are files that it cannot measure */
  unsigned int n_entries;
  unsigned int n_hidden;
  ino_t nameless[MOST_NAMELESS];
  size_t n_nameless;
  int waiting[MOST_WAITING]; /* descriptors */
  size_t n_waiting;
};

static bool
goes_on (const struct walk *walk)
{
  return walk->bytes <= walk->limit && walk->n_entries < MOST_ENTRIES;
}

static void
add (struct walk *walk, const struct stat *status)
{
  walk->n_entries++;
  walk->bytes += (uint64_t) status->st_blocks * 512 / (status->st_nlink > 1 ? status->st_nlink : 1);
  if (!S_ISREG (status->st_mode) || status->st_blocks == 0)
    walk->bytes += BYTES_PER_ENTRY;
}

/* Makes a folder accessible if it is not: knowing its contents matters more than its mode. */
static int
open_folder (const struct walk *walk, int parent, const char *name)
{
  int fd = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  return fd >= 0 || walk->is_shared ? fd : fh_hostile_folder_open (parent, name);
}

/* Takes the descriptor. In the run's own folder what cannot be scanned counts as too much. */
static void
let_wait (struct walk *walk, int folder)
{
  if (walk->n_waiting < MOST_WAITING)
    {
      walk->waiting[walk->n_waiting++] = folder;
      return;
    }
  if (!walk->is_shared)
    walk->bytes = walk->limit + 1;
  if (folder >= 0)
    close (folder);
}

/* Takes the descriptor. */
static void
walk_folder (struct walk *walk, int folder, int depth)
{
  DIR *entries = folder >= 0 ? fdopendir (folder) : NULL;
  struct dirent *entry;

  while (entries != NULL && goes_on (walk) && (entry = readdir (entries)) != NULL)
    {
      struct stat status;
      int next;

      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0 ||
          fstatat (dirfd (entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
          (walk->is_shared && status.st_dev != walk->device))
        continue;
      add (walk, &status);
      if (!S_ISDIR (status.st_mode))
        continue;
      next = open_folder (walk, dirfd (entries), entry->d_name);
      if (depth == MAX_DEPTH)
        let_wait (walk, next);
      else
        walk_folder (walk, next, depth + 1);
    }
  if (entries != NULL)
    closedir (entries);
  else if (folder >= 0)
    close (folder);
}

/* Forked processes hold the same files. */
static bool
is_known (struct walk *walk, ino_t inode)
{
  for (size_t i = 0; i < walk->n_nameless; i++)
    {
      if (walk->nameless[i] == inode)
        return true;
    }
  if (walk->n_nameless < MOST_NAMELESS)
    walk->nameless[walk->n_nameless++] = inode;
  return false;
}

static bool
add_held (int folder, const char *name, void *data)
{
  struct walk *walk = data;
  struct stat status;

  if (fstatat (folder, name, &status, 0) == 0 && status.st_nlink == 0 &&
      status.st_dev == walk->device && !is_known (walk, status.st_ino))
    add (walk, &status);
  return goes_on (walk);
}

/* A process that has ended holds nothing; the kernel shows its files as root's. */
static bool
is_unreadable (int fd, int proc, const struct process *process)
{
  return fd < 0 && process_is_closed (proc, process);
}

static void
walk_descriptors (struct walk *walk, int proc, const struct process *process)
{
  if (!open_objects_for_each (proc, process, "fd", add_held, walk))
    walk->is_blind = true;
}

struct threads
{
  struct walk *walk;
  int proc;
  struct process process; /* a copy, read through each of its threads */
  uint32_t thread;
};

/* A thread can have separate descriptors, clone (2), CLONE_FILES. */
static bool
walk_thread (uint32_t thread, void *data)
{
  struct threads *threads = data;

  threads->process.thread = thread;
  if (thread != threads->thread &&
      syscall (SYS_kcmp, threads->thread, thread, KCMP_FILES, 0, 0) != 0)
    walk_descriptors (threads->walk, threads->proc, &threads->process);
  return goes_on (threads->walk);
}

/* Is not called for init, which holds the runner's files and cannot be read. */
static void
walk_process (struct walk *walk, int proc, const struct process *process)
{
  struct threads threads = { walk, proc, *process, process->thread };
  fh_autofd int self = process_open (proc, process, ".", O_PATH | O_DIRECTORY);

  walk->is_blind = walk->is_blind || process->is_opaque;
  walk_descriptors (walk, proc, process);
  if (process->threads > 1)
    process_for_each_thread (proc, process->pid, walk_thread, &threads);
  if (self < 0)
    return;
  add_held (self, "exe", walk);
  add_held (self, "cwd", walk);
}

/* `place`: the folder's path. A line that is too long to be read may name an unlinked file. */
static bool
is_deleted_in (const char *line, const char *place)
{
  const size_t length = strlen (place);
  const char *path = strchr (line, '/');

  return path != NULL && strncmp (path, place, length) == 0 && path[length] == '/' &&
         (strstr (path, DELETED) != NULL || strchr (path, '\n') == NULL);
}

/* Counts files of the folder that are mapped, unlinked and closed: only a privileged process could
 * read their size. If there is too much to read, assume many. */
static void
count_mapped (struct walk *walk, int proc, const struct process *process, const char *place)
{
  const int fd = process_open (proc, process, "maps", O_RDONLY);
  FILE *file = fd >= 0 ? fdopen (fd, "r") : NULL;
  char line[4096 + 128];

  walk->is_blind = walk->is_blind || is_unreadable (fd, proc, process);
  while (file != NULL && walk->n_hidden < MANY_HIDDEN && fgets (line, sizeof line, file) != NULL)
    {
      unsigned long long inode = 0;

      if (++walk->n_entries >= MOST_ENTRIES)
        walk->n_hidden = MANY_HIDDEN;
      if (is_deleted_in (line, place) && sscanf (line, "%*s %*s %*s %*s %llu", &inode) == 1)
        walk->n_hidden += !is_known (walk, (ino_t) inode);
    }
  if (file != NULL)
    fclose (file);
  else if (fd >= 0)
    close (fd);
}

/* Files that are in no folder and no descriptor table. */
static void
count_hidden (struct walk *walk, int folder, const struct process_table *table)
{
  char link[32];
  char place[PATH_MAX];
  ssize_t length;

  snprintf (link, sizeof link, "/proc/self/fd/%d", folder);
  length = readlink (link, place, sizeof place - 1);
  place[length > 0 ? length : 0] = '\0';
  for (size_t i = 0; i < table->n && walk->n_hidden < MANY_HIDDEN; i++)
    {
      if (!process_is_init (table, table->processes[i].pid))
        count_mapped (walk, table->proc, &table->processes[i], place);
    }
}

/* The size of a hidden file is unknown, so it counts as too much if the run may have written more
 * than the limit. What unreaped children wrote is unknown: with many hidden files, assume that the
 * run took all the space that the disk has lost. */
static bool
hides_too_much (struct disk_watch *watch, struct walk *walk, const struct process_table *table)
{
  if (watch->room.shrunk <= watch->limit)
    return false;
  count_hidden (walk, watch->folder, table);
  return walk->n_hidden >= MANY_HIDDEN ||
         (watch->room.most > watch->limit && (walk->n_hidden > 0 || walk->is_blind));
}

/* Two scans must agree, as files can be unlinked and closed during one. */
static bool
is_over_room (struct disk_watch *watch, struct walk *walk, struct process_table *table)
{
  disk_room_measure (&watch->room, table);
  return twice (&watch->is_suspect,
                without (watch->room.least, ROOM_ALLOWANCE) > watch->limit ||
                    hides_too_much (watch, walk, table));
}

void
disk_watch_begin (struct disk_watch *watch, int folder, uint64_t limit)
{
  watch->folder = folder;
  watch->limit = limit;
  watch->next_us = limit > 0 && folder >= 0 ? clock_now_us () + PAUSE_US : UINT64_MAX;
  disk_room_begin (&watch->room, watch->next_us < UINT64_MAX ? folder : -1);
}

void
disk_watch_begin_counting (struct disk_watch *watch, int folder, uint64_t most)
{
  disk_watch_begin (watch, folder, most);
  watch->room.folder = -1;
  watch->most = most;
}

static void
walk_all (struct disk_watch *watch, struct walk *walk)
{
  struct stat status;

  walk->is_shared = watch->is_shared;
  if (fstat (watch->folder, &status) == 0)
    walk->device = status.st_dev;
  walk_folder (walk, openat (watch->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);
  while (walk->n_waiting > 0)
    walk_folder (walk, walk->waiting[--walk->n_waiting], 0);
}

void
disk_watch_begin_growing (struct disk_watch *watch, int folder, uint64_t limit)
{
  struct walk walk = { .limit = UINT64_MAX };

  disk_watch_begin (watch, folder, limit);
  if (watch->next_us == UINT64_MAX)
    return;
  watch->is_shared = true;
  watch->room.folder = -1;
  walk_all (watch, &walk);
  watch->limit = walk.bytes < UINT64_MAX - limit ? walk.bytes + limit : UINT64_MAX;
  if (walk.n_entries > MOST_ENTRIES_BEFORE)
    watch->next_us = UINT64_MAX;
}

/* Other things that take space, such as attributes, count as entries too. */
static bool
check_number (struct disk_watch *watch)
{
  struct statfs status;

  watch->next_us = clock_now_us () + PAUSE_US;
  return fstatfs (watch->folder, &status) == 0 && status.f_files - status.f_ffree > watch->most;
}

bool
disk_watch_check (struct disk_watch *watch, struct process_table *table)
{
  const uint64_t begun = clock_now_us ();
  struct walk walk = { .limit = watch->limit };
  uint64_t cost;
  bool is_over;

  if (watch->most > 0)
    return check_number (watch);
  walk_all (watch, &walk);
  for (size_t i = 0; i < table->n && goes_on (&walk); i++)
    {
      if (!process_is_init (table, table->processes[i].pid))
        walk_process (&walk, table->proc, &table->processes[i]);
    }
  watch->bytes = walk.bytes;
  is_over = !goes_on (&walk) || is_over_room (watch, &walk, table);
  cost = clock_now_us () - begun;
  watch->next_us = begun + cost + (4 * cost > PAUSE_US ? 4 * cost : PAUSE_US);
  return is_over;
}
