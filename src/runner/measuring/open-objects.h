/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open objects: what a sandbox's processes hold by descriptors and no per-process limit covers. The
 * user's programs share two kernel limits: pages in pipes, beyond which new pipes are small,
 * pipe(7); and descriptors in flight in Unix sockets, beyond which none can be sent, unix(7). File
 * locks take memory that is counted nowhere (CVE-2022-0480).
 *
 * Whether the user is short of them is found out by trying, and how much memory the kernel uses by
 * reading the total. Both are quick and include what is hidden. Only if one is short, the sandbox's
 * share is counted.
 */
#pragma once

#include "process-table.h"

struct open_objects
{
  size_t pipes;
  size_t sockets;
  size_t locks;
  size_t watches;         /* of epoll: one per file and instance */
  uint64_t socket_bytes;  /* data in Unix sockets */
  uint64_t mapping_bytes; /* at most: kernel memory of mappings, and of their chains after forks */
  uint64_t proc_bytes;    /* at most: buffers of open files of /proc */
  size_t longest_text;    /* of what such a file tells at once; the most of all counts */
  uint64_t under_way;     /* descriptors in flight in open sockets */
  bool is_blind;          /* a living process cannot be inspected */
  bool is_too_long;       /* there is more than was read: the rest may hold any number of them */
};

/* True if the user's new pipes are small, or nearly. */
bool user_is_short_of_pipes (void);
/* True if so many descriptors of the user are in flight that the guest can send none. `pair` is a
 * socket pair for the test, -1 before the first time. */
bool user_is_short_of_passing (int pair[2]);
/* Counts what the table's processes have open, each object once. `objects` has the last count.
 * With `diag`, a socket of
 * socket-meter.h in their network, also the data in Unix sockets; -1 skips that. */
void open_objects_count (struct open_objects *objects,
                         struct process_table *table,
                         int diag,
                         bool is_hurried);
/* Calls `take` for what a thread of the process has in `folder`, "fd" or "fdinfo", until that
 * returns false. False if the kernel does not show it, as for a program that may be executed but
 * not read, proc (5). */
bool open_objects_for_each (int proc,
                            const struct process *process,
                            const char *folder,
                            bool (*take) (int folder, const char *name, void *data),
                            void *data);
/* How many lines of `text`, a file of /proc/PID/fdinfo, begin with `key`: "lock:" or "tfd:", the
 * files that an epoll instance watches. The kernel lists a lock with the descriptors of its process
 * and drops it when the process closes the file; proc_pid_fdinfo(5). */
size_t open_objects_lines (const char *text, const char *key);
