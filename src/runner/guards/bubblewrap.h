/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bubblewrap: where this program may not make namespaces but the system's bwrap(1) may, as on a
 * system whose AppArmor lets it, that one makes them, with the same view of the files as mounts.c
 * builds; inside, this program goes on as stage.h says.
 *
 * What it is told travels as descriptors of files in memory, so nothing can be taken for an option
 * that is none, and nothing of it is seen in a list of processes.
 */
#pragma once

#include "plan.h"

#include <stdio.h>
#include <sys/types.h>

#define BUBBLEWRAP_PATH "/usr/bin/bwrap"

/* Files whose content is handed over, and the arguments. */
#define BUBBLEWRAP_MAX_FILES 128

struct bubblewrap
{
  int program;   /* bwrap itself */
  int arguments; /* a file in memory; -1 before */
  int request;   /* the same, for the stage */
  int info[2];   /* where bwrap tells the number of the stage */
  int errors[2]; /* its standard error */
  int files[BUBBLEWRAP_MAX_FILES];
  size_t n_files;
};

/* Prepares everything. Returns 0 or a negative errno; to be cleared in any case. */
int bubblewrap_init (struct bubblewrap *bubblewrap, const struct plan *plan);
void bubblewrap_clear (struct bubblewrap *bubblewrap);

/* In a fresh process: becomes bwrap. `status` and `stdio` are for the stage. Returns only when that
 * fails. Only system calls. */
void bubblewrap_exec (const struct bubblewrap *bubblewrap, int status, const int stdio[3]);

/* Waits for bwrap, which is `parent`, to tell the number of the stage, and returns a handle of that
 * process; -1 when there is none. Closes the ends that are bwrap's. */
int bubblewrap_wait_for_stage (struct bubblewrap *bubblewrap, pid_t parent);
/* The errno that speaks from what bwrap has written to its standard error, once it has ended. */
int bubblewrap_error (int errors);
