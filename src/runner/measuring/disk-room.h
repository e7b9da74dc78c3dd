/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#pragma once

#include "process-table.h"

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
