/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel objects that no limit of a process or a control group covers: data in sockets, file locks,
 * descriptors in flight, pipes, mappings. They take kernel memory, or are counted for all programs
 * of the user together. They are checked as often as usage is.
 */
#pragma once

#include "process-table.h"
#include "socket-meter.h"
#include "wire-policy.h"

#include <sys/types.h>

/* What a look at the usage of a sandbox finds; see usage-watch.h. */
enum usage_verdict
{
  USAGE_WITHIN_LIMITS,
  USAGE_OVER_MEMORY,
  USAGE_PERHAPS_OVER_MEMORY, /* could not be measured in time */
  USAGE_UNSEEN,              /* could not be measured at all, as a process could not be read */
  USAGE_OVER_DISK,           /* too much memory, mostly files */
  USAGE_OVER_CPU,
  USAGE_OVER_SOCKETS,
  USAGE_OVER_LOCKS,
  USAGE_OVER_DESCRIPTORS,
  USAGE_OVER_PIPES,
  USAGE_OVER_OPEN,      /* so much is open that it could not be counted */
  USAGE_OVER_PROCESSES, /* root, whose processes the kernel does not limit */
};

struct kernel_objects
{
  bool is_off;         /* no protection, at the user's request */
  bool has_network;    /* its own network */
  bool counts_sockets; /* their contents are not counted elsewhere */
  bool reads_table;    /* must read the table itself, as usage-watch.c does not */
  bool must_see;       /* every process can be inspected, unless it prevents that */
  struct socket_meter sockets;
  struct counted *counted; /* shared with the child that counts; NULL: none */
  pid_t counter;           /* that child, if `counter_fd`, its pidfd, is not -1 */
  int counter_fd;
  uint64_t patient_until_us; /* when it is no longer waited for */
  int pair[2];               /* to test whether descriptors can be sent, or -1 */
  bool is_blind;             /* the last count could not inspect all processes */
  bool is_passing;           /* the last look found few left, and some in flight here */
  uint64_t next_count_us;    /* when to count open objects again, unless something is short */
  uint64_t next_memory_us;   /* when to read the kernel's memory */
  uint64_t least_memory;     /* minimum since locks were last counted, in bytes; 0: unknown */
  size_t locks;              /* at that time, never too many */
  bool has_many_under_way;   /* descriptors, at the last count */
  size_t longest_text;       /* the most that was seen, see open-objects.h */
  uint64_t other_bytes; /* at that time: of epoll watches, pipes, mappings and files of /proc */
};

/* `is_counted`: a control group counts memory, so the process table is not read elsewhere. */
void kernel_objects_init (struct kernel_objects *objects,
                          const struct fh_policy *policy,
                          bool is_counted);
/* Takes `diag`, a socket of socket-meter.h in the sandbox's network, or -1. */
void kernel_objects_begin (struct kernel_objects *objects, int diag);
void kernel_objects_end (struct kernel_objects *objects);
/* Does the checks that are due. Returns what there is too much of. */
enum usage_verdict
kernel_objects_measure (struct kernel_objects *objects, struct process_table *table);
