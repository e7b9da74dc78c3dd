/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A request: the policy, and the files of the workspace, as frames.
 */
#pragma once

#include "workspace.h"

struct request
{
  struct fh_policy *policy; /* NULL until it came */
  struct workspace workspace;
};

/* True when `frame` was an acceptable part of a request. */
bool request_take (struct request *request, const struct fh_frame *frame);
void request_clear (struct request *request);

/* A sealed file in memory that holds `policy` and these files, for another process that reads it
 * with request_read. A descriptor or a negative errno. */
int request_write (const struct fh_policy *policy, const struct workspace *workspace);
/* False when that is no request. */
bool request_read (struct request *request, int fd);
