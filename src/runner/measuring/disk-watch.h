/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The disk watch: how much lies in the run folder, for sandboxes that have no filesystem of their
 * own whose size the kernel keeps. Looked at several times a second, so a program can be over its
 * limit for a moment; and files that were deleted but are still open are found only while a process
 * that can be looked into holds them.
 */
#pragma once

#include "process-table.h"

struct disk_watch
{
  int folder;       /* of the run; -1: nothing to watch */
  uint64_t limit;   /* bytes; 0: none */
  uint64_t most;    /* entries of a filesystem that limits the bytes by itself; 0: look at bytes */
  uint64_t next_us; /* when to look again; UINT64_MAX: never */
  uint64_t bytes;   /* at the last look, as far as it went */
  bool is_shared;   /* the folder is not the run's own */
};

/* Borrows the descriptor. */
void disk_watch_begin (struct disk_watch *watch, int folder, uint64_t limit);
/* The same where the kernel keeps the size, but not the number of files and folders. */
void disk_watch_begin_counting (struct disk_watch *watch, int folder, uint64_t most);
/* The same in a folder that holds what is not the run's, for what is added to it; nothing in it is
 * changed for looking. One that holds too much to be looked at often is not watched. */
void disk_watch_begin_growing (struct disk_watch *watch, int folder, uint64_t limit);
/* Looks, and sets the time of the next look. True when there is too much. `table` holds the
 * sandbox's processes. */
bool disk_watch_look (struct disk_watch *watch, const struct process_table *table);
