/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spawning: the pipes between the supervisor and the guest, and the process that becomes the
 * sandbox's init.
 */
#pragma once

#include "setup-state.h"

#include <sys/types.h>

/* The supervisor's ends. All are non-blocking; -1 where there is none. */
struct spawned
{
  pid_t pid;
  int pidfd;
  int users;      /* the user namespace if the guest has its own user id; else -1 */
  int stage;      /* a pidfd of the sandbox's pid 1 if `pid` is bubblewrap; else -1 */
  int errors;     /* bubblewrap's standard error; else -1 */
  bool is_shared; /* no pid namespace: its processes are among others */
  bool is_first;  /* alone in the pid namespace with the runner: its first process or the second */
  bool has_scope; /* init can kill all processes with one signal; known once it is ready */
  int status;     /* from init, see init.h */
  int input;      /* the guest's standard input, to be written */
  int output[2];  /* the guest's standard output and error, to be read */
  int guest_channel; /* a stream, wire-guest.h */
};

/* The warm interpreter is a process that does something else than init does: `main` is what it
 * runs, and `wait` is how the supervisor learns that it is ready. */
struct spawn_entry
{
  void (*main) (struct setup *setup); /* does not return */
  /* Returns NULL, or with errno the name of the step that failed. */
  const char *(*wait) (int status, void *data);
  void *data;
};

/* `entry`: NULL for init. Returns NULL, or with errno the name of the step that failed; nothing is
 * left open then. Clears the guest's own user id in the plan if the system refuses it. */
const char *spawn (struct plan *plan, const struct spawn_entry *entry, struct spawned *spawned);
/* The first message of init has our end of the guest channel. Returns NULL, or with errno the step
 * that failed: EPIPE if init died without a message. */
const char *spawn_receive_channel (int status, int *channel);
/* Prepares our end of a guest channel, which init has sent. False with errno. */
bool spawn_prepare_channel (int channel);
/* Closes all descriptors. */
void spawn_close (struct spawned *spawned);
