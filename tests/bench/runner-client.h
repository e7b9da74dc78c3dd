/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least a backend can be: it starts a runner, sends one policy and one file, and counts what
 * comes back. What the runner alone costs is measured with it.
 */
#pragma once

#include "wire-event.h"
#include "wire-policy.h"

#include <sys/types.h>

struct runner_program
{
  const char *name;    /* of the file */
  const char *content; /* of the file */
  uint8_t messages[64];
  size_t messages_size;
  bool is_prepared; /* the runner prepares for it, and only then is the time taken */
};

struct runner_run
{
  int64_t time_us; /* from before the runner is spawned, or told to run, until it was waited for */
  uint64_t output; /* bytes of the program's standard output and error */
  bool finished;   /* a FINISHED frame came; the next three are from it */
  uint8_t status;
  int32_t exit_code;
  char step[64];
};

/* Returns 0 or a negative errno when the runner could not be started or spoke nonsense. */
int runner_run (const char *runner,
                const struct fh_policy *policy,
                const struct runner_program *program,
                struct runner_run *run);

/* A runner with a warm interpreter, for many runs. */
struct runner_forked
{
  pid_t pid; /* 0: none */
  int socket;
  struct fh_frame_reader reader;
};

/* Returns 0 or a negative errno, as the next function does. */
int runner_forked_start (struct runner_forked *forked,
                         const char *runner,
                         const struct fh_policy *policy);
/* The time is from before it was told to run until FINISHED came. */
int runner_forked_run (struct runner_forked *forked,
                       const struct runner_program *program,
                       struct runner_run *run);
void runner_forked_end (struct runner_forked *forked);
