/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The disk watch: how much is in the run folder, for sandboxes without a file system of their own
 * whose size the kernel limits. It scans several times a second, so a program can exceed its limit
 * for a moment. Unlinked files count as long as a process has them open or executes them. The size
 * of files that are only mapped cannot be known, and files held in other ways are not found:
 * disk-room.h gives the least and the most that the run has taken of the disk.
 */
#pragma once

#include "disk-room.h"

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
