/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Setting up: the steps that the sandbox's first process runs on itself, in the order of the table
 * in setup.c, before it starts the guest. Only system calls are made here; see plan.h.
 */
#pragma once

#include "descriptor-numbers.h"
#include "plan-data.h"

#include <sys/types.h>

/* State shared by the steps. Descriptors are -1 until they are opened. */
struct setup
{
  const struct plan *plan;
  int stdio[3];       /* the guest's ends of the pipes, by the supervisor's numbers */
  int guest_channel;  /* the guest's end, or -1 */
  int status;         /* this process's end of the status socket */
  bool is_forked;     /* a run of a forked sandbox, in a child of the warm interpreter */
  bool keeps_network; /* which has that interpreter's, see warm-interpreter.h */
  pid_t runner;       /* in a container: the process id of the runner */
  int root;           /* the new root folder; later what the guest sees as / */
  int empty;          /* an empty folder that is unreachable from inside */
  int proc;           /* the sandbox's own /proc */
  int scratch;        /* the sized tmpfs that holds everything writable */
  int workspace;      /* /workspace */
  int tmp;            /* /tmp, or what TMPDIR names in its place */
  int layer;          /* what the program has written to a project folder, or -1 */
  int proc_folder;    /* /proc opened for reading, sent to the supervisor as the next ones are */
  int root_handle;    /* O_PATH of what the guest sees as / */
  int listener;       /* of the system call filter, or -1 */
  int filter;         /* enum seccomp_sandbox of that filter */
  int listener_error; /* errno if it could not be made, or 0 */
  int dns;            /* struct init_ready */
  int proxy;          /* struct init_ready */
  int sockets;        /* struct init_ready */
  int landlock_abi;   /* 0: the kernel has no Landlock */
  int rules;          /* a Landlock ruleset for the guest only, or -1 */
  /* Per bind of the policy: the mount is the host's own folder, including sockets and pipes that
   * are there or will be. */
  bool is_shared[FH_POLICY_MAX_BINDS];
  bool has_etc_overlay; /* attached while parts of it are shown */
  bool has_scope;       /* signals of this process reach only the sandbox */
  uint64_t skipped;     /* optional steps that failed, as bits by setup_step number */
};

/* A step: does one thing. Returns 0 or a negative errno. */
typedef int (*setup_apply) (struct setup *setup);
