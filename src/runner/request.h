/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A request: the policy, the files of the workspace and, in a container, the program's standard
 * input, as frames.
 */
#pragma once

#include "input-store.h"
#include "workspace.h"

struct request
{
  bool is_inside;           /* this runner lives in a container, and serves nothing else */
  struct fh_policy *policy; /* NULL until it came */
  struct workspace workspace;
  struct input_store input;
};

/* True when `frame` was an acceptable part of a request. */
bool request_take (struct request *request, const struct fh_frame *frame);
void request_clear (struct request *request);

/* A sealed file in memory that holds `policy` and these files, for another process that reads it
 * with request_read. A descriptor or a negative errno. */
int request_write (const struct fh_policy *policy, const struct workspace *workspace);
/* False when that is no request. */
bool request_read (struct request *request, int fd);
