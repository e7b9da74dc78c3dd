/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A child process and the time it takes, from before it is spawned until it was waited for.
 */
#pragma once

#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

int64_t child_now_us (void);

struct child_run
{
  int64_t time_us;
  uint64_t output; /* bytes of its standard output, when they were read */
  int status;      /* as of waitpid (2) */
};

/* Runs argv[0], looked up in PATH, with nothing to read and our standard error. Its standard
 * output is read until the end and counted, or goes to the file named by `output`. Returns 0 or a
 * negative errno. */
int child_run (const char *const argv[], const char *output, struct child_run *run);

/* Reads until the end of file; returns how many bytes. */
uint64_t child_drain (int fd);
