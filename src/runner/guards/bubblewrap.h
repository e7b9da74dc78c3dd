/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bubblewrap: if this program may not make namespaces but the system's bwrap(1) may, for example
 * because AppArmor allows it, bwrap makes them, with the same view of the files as mounts.c;
 * inside, this program goes on as stage-numbers.h describes.
 *
 * Arguments are passed in a memfd, so nothing can be mistaken for an option and nothing shows in
 * the process list.
 */
#pragma once

#include "plan-data.h"

#include <sys/types.h>

#define BUBBLEWRAP_PATH "/usr/bin/bwrap"

/* Files handed to bwrap, including its arguments. */
#define BUBBLEWRAP_MAX_FILES 128

struct bubblewrap
{
  int program;   /* bwrap itself */
  int arguments; /* a memfd; -1 before */
  int request;   /* a memfd for the stage */
  int info[2];   /* where bwrap writes the stage's process id */
  int errors[2]; /* its standard error */
  int files[BUBBLEWRAP_MAX_FILES];
  size_t n_files;
};

/* Prepares everything. Returns 0 or a negative errno; call bubblewrap_clear either way. */
int bubblewrap_init (struct bubblewrap *bubblewrap, const struct plan *plan);
void bubblewrap_clear (struct bubblewrap *bubblewrap);

/* In a new process: executes bwrap. `status` and `stdio` are for the stage. Returns only on
 * failure. Only system calls. */
void bubblewrap_exec (const struct bubblewrap *bubblewrap, int status, const int stdio[3]);

/* Waits until bwrap, which is `parent`, reports the stage's process id. Returns a pidfd, or -1.
 * Closes bwrap's ends. */
int bubblewrap_wait_for_stage (struct bubblewrap *bubblewrap, pid_t parent);
/* The errno named in bwrap's error output, once it has ended. */
int bubblewrap_error (int errors);
