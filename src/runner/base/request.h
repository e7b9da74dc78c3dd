/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A request: the policy, the files of the workspace, the program's standard input and the messages
 * for the guest, as frames.
 */
#pragma once

#include "input-store.h"
#include "workspace.h"

#include <sys/types.h>

struct request
{
  bool is_inside;             /* this runner is in a container and only accepts policies for it */
  mode_t users_mask;          /* which the backend gave to this process, umask (2) */
  struct fh_policy *policy;   /* NULL until it is received */
  struct fh_program *program; /* the next one of a sandbox that stays, or NULL */
  struct workspace workspace;
  struct input_store input;
  uint8_t *messages; /* for the guest, or NULL */
  size_t messages_size;
  bool hands_on;    /* what the program leaves is for another run, FH_FRAME_HAND_ON */
  bool stays;       /* when the program has ended, another one may come: FH_POLICY_STAYS */
  bool is_next;     /* an earlier one was in this sandbox that stays */
  char *earlier;    /* its name, or NULL */
  bool is_complete; /* the program is to run */
};

/* True if `frame` was an acceptable part of a request. Only input may come once it is complete. */
bool request_take (struct request *request, const struct fh_frame *frame);
void request_clear (struct request *request);
/* Keeps the policy only, for the next run. */
void request_begin_again (struct request *request);

/* Writes `policy` and the files to a sealed memfd that another process reads with request_read.
 * Returns the descriptor or a negative errno. */
int request_write (const struct fh_policy *policy, const struct workspace *workspace);
/* False if it is not a valid request. */
bool request_read (struct request *request, int fd);
