/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The disk watch: how much is in the run folder, for sandboxes without a file system of their own
 * whose size the kernel limits. It scans several times a second, so a program can exceed its limit
 * for a moment. Unlinked files count as long as a process has them open or executes them. The size
 * of files that are only mapped cannot be known, and files held in other ways are not found:
 * struct disk_room gives the least and the most that the run has taken of the disk.
 */
#pragma once

#include "process-table.h"

/*
 * The space that a run has taken on a shared disk, judged by the disk itself: deleted files that
 * are held in ways that /proc does not show, such as in flight in a socket, take space like any
 * other.
 *
 * Other programs write to the disk as well, and the run may overwrite the same place again and
 * again. Known since the start of the run are: how much the run has written (proc(5),
 * /proc/PID/io), how much all processes have written (nr_dirtied of /proc/vmstat, counted at the
 * same place in the kernel), and by how much free space has shrunk. Writes beyond that took no new
 * space; even if all of those were the run's, the rest of the run's writes did. That gives a
 * minimum that holds whatever others do, except for space that they reserve without writing
 * (fallocate, files written without the page cache); the run itself may not reserve any. And there
 * is a maximum, for when something is known to be hidden.
 */
struct disk_room
{
  int folder; /* in the file system; -1: none to watch */
  uint64_t free_before;
  uint64_t dirtied_before;
  uint64_t samples[3]; /* by living processes and their reaped children, at the last samples */
  uint64_t settled;    /* the median of these */
  uint64_t written;    /* by the run, in bytes */

  /* Results of the last sample, in bytes: the run has taken at least, and at most. */
  uint64_t least;
  uint64_t most;
  uint64_t shrunk; /* loss of free space, also because of others */
};

/* Borrows the descriptor. */
void disk_room_begin (struct disk_room *room, int folder);
void disk_room_measure (struct disk_room *room, struct process_table *table);
/* The parts of a sample. `is_whole`: all living processes could be read. */
void disk_room_count (struct disk_room *room, uint64_t sample);
void disk_room_conclude (struct disk_room *room, uint64_t dirtied, uint64_t shrunk, bool is_whole);

/* This is what the file systems in memory hold that only the run uses. */
struct scratch_usage
{
  uint64_t bytes;
  uint64_t inode_bytes; /* what files and folders take besides, even if they are empty */
  bool is_full;         /* one of them has no room left */
};

/* Folders of -1 use nothing. */
struct scratch_usage usage_of_scratch (const int *folders, size_t n);

struct disk_watch
{
  int folder;       /* of the run; -1: nothing to watch */
  uint64_t limit;   /* bytes; 0: none */
  uint64_t most;    /* maximum of entries, if the bytes are limited elsewhere; 0: watch bytes */
  uint64_t next_us; /* next scan; UINT64_MAX: never */
  uint64_t bytes;   /* at the last scan, as far as it went */
  bool is_shared;   /* the folder is not the run's own */
  bool is_suspect;  /* the last scan found too much outside of the folder */
  struct disk_room room;
};

/* Borrows the descriptor. */
void disk_watch_begin (struct disk_watch *watch, int folder, uint64_t limit);
/* The same if the kernel limits the size, but not the number of files and folders. */
void disk_watch_begin_counting (struct disk_watch *watch, int folder, uint64_t most);
/* The same in a folder that is not the run's own, for what is added to it; it changes nothing
 * there. A folder that is too large to scan often is not watched. */
void disk_watch_begin_growing (struct disk_watch *watch, int folder, uint64_t limit);
/* Scans, and sets the time of the next scan. True if there is too much. `table` has the sandbox's
 * processes. */
bool disk_watch_check (struct disk_watch *watch, struct process_table *table);
