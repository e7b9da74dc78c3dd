/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spawning: the pipes between the supervisor and the guest, and the process that becomes the
 * sandbox's init.
 */
#pragma once

#include "plan.h"

#include <sys/types.h>

/* The supervisor's ends. All are non-blocking; -1 where there is none. */
struct spawned
{
  pid_t pid;
  int pidfd;
  int stage;         /* a handle of the sandbox's pid 1, where `pid` is bubblewrap; else -1 */
  int errors;        /* where bubblewrap says what is wrong; else -1 */
  bool is_shared;    /* it has no pid namespace of its own: its processes are among others */
  bool is_first;     /* this process is the first one of its container */
  bool has_scope;    /* init can kill all of them by itself; not before it is ready */
  int status;        /* from init, see init.h */
  int input;         /* the guest's standard input, to be written */
  int output[2];     /* the guest's standard output and error, to be read */
  int guest_channel; /* a stream, wire-guest.h */
};

/* Returns NULL, or the name of the step that failed with errno set; nothing is left open then. */
const char *spawn (const struct plan *plan, struct spawned *spawned);
