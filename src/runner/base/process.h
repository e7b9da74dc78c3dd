/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process as shown in /proc, proc(5). All code that kills, waits for, measures or counts
 * processes reads them here, and opens their other files through here.
 *
 * /proc/PID describes the main thread. If that has ended and others go on, its state is a zombie's,
 * without memory, mappings and open files. So a process is dead only if it has no other thread
 * either, and otherwise another thread is read instead. A living process that cannot be read is
 * opaque: it does not count as zero, but as over the limit.
 *
 * No memory is allocated, so that init may use all of this as well.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A process's share of memory, in bytes, as measured at some time. */
struct process_share
{
  uint64_t own;
  uint64_t shared;
  uint64_t without_file; /* of `shared` */
  uint64_t own_then;     /* `own` of struct process_memory at that time */
};

/* What memory-meter.c knows about a process, in bytes. */
struct process_memory
{
  uint64_t own;    /* now: anonymous memory, swapped memory and page tables */
  uint64_t tables; /* the page tables in `own` */
  uint64_t shared; /* now: mapped shared memory */
  bool is_alone;   /* shares nothing of `own` */
  bool is_known;   /* has been read since the process was forked, or executed a program */
  bool is_in_round;
  bool is_fresh;              /* measured in the current round */
  struct process_share part;  /* as last measured */
  struct process_share fresh; /* in the current round */
};

struct process
{
  uint32_t pid;
  uint32_t parent;
  uint32_t thread;  /* the thread that is read; `pid` is the main one */
  bool is_opaque;   /* it lives, but none of its threads could be read */
  uint64_t started; /* ticks */
  char state;       /* as in proc(5), of that thread */
  uint32_t threads;
  uint64_t cpu_user_us; /* all of its threads */
  uint64_t cpu_system_us;
  uint64_t children_user_us; /* children that it has reaped */
  uint64_t children_system_us;
  uint64_t new_user_us; /* since the last reading, or its start */
  uint64_t new_system_us;
  uint64_t written_bytes; /* to disks, as last read by disk-room.c */
  uint64_t size_bytes;    /* address space */
  uint64_t resident_bytes;
  size_t mappings; /* as last counted by open-objects.c; 0 before that */
  /* Addresses randomized by execve: equal only after fork. */
  uint64_t image[2];
  bool uses_parents_memory; /* its memory is its parent's, which waits in vfork */
  uint32_t vfork_children;  /* how many children use its memory */
  bool is_of_others;        /* not the sandbox's; removed from tables */
  struct process_memory memory;
};

/* `proc` is a folder like /proc, opened for reading, in all of these. */

/* Reads one process; false if it is gone. */
bool process_read (int proc, uint32_t pid, struct process *process);
/* After a file could not be read: looks for another thread to read. False if the process has ended,
 * or is about to and has freed everything. */
bool process_read_again (int proc, struct process *process);
/* True if it has ended and only has to be reaped. */
bool process_is_dead (const struct process *process);
/* False if the thread that is read has ended, or is about to and has freed everything. */
bool process_thread_lives (int proc, const struct process *process);
/* After process_open failed: true if access was denied, and the process is not gone. */
bool process_is_closed (int proc, const struct process *process);
/* Opens a file or folder of the thread that is read; -1 with errno if that is gone. */
int process_open (int proc, const struct process *process, const char *file, int flags);
/* Reads one as text; false if the thread is gone or the text is empty. */
bool process_read_file (int proc,
                        const struct process *process,
                        const char *file,
                        char *text,
                        size_t capacity);
/* Called for each id; returns false to stop. */
typedef bool (*process_take) (uint32_t number, void *data);
/* Calls `take` for all process ids, in order. `first` caches their offset in the folder, 0 at
 * first; NULL searches it each time. False if not all could be read or taken. */
bool process_for_each (int proc, int64_t *first, process_take take, void *data);
/* Calls `take` for all thread ids. False if the process is gone, or not all could be taken. */
bool process_for_each_thread (int proc, uint32_t pid, process_take take, void *data);
