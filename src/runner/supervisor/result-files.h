/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: sends the backend what the program left in its workspace. Everything inside is dead
 * when this begins.
 */
#pragma once

#include "control-channel.h"
#include "request.h"
#include "wire-result-file.h"

#include <time.h>

/* A file that was sent already from a workspace in which a program still runs. */
struct sent_file
{
  uint64_t path; /* a hash of it */
  uint64_t inode;
  uint64_t size;
  struct timespec changed;
};

struct sent_files
{
  struct timespec since; /* when that was last looked at, CLOCK_REALTIME_COARSE */
  size_t n;
  struct sent_file files[FH_RESULT_FILES_MAX];
};

/* Borrowed descriptors, or -1. */
struct result_folders
{
  int workspace; /* -1 if it cannot be read */
  int tmp;       /* likewise; only looked at for FH_FRAME_HAND_ON */
  int below;     /* the project folder of which the workspace is the layer above: what it only
                    repeats is left out */
};

/* Sends the list and the contents, up to the limits of wire-result-file.h and some time
 * for each of both folders. The files of `request` were put
 * there, and are reported only if they were changed. In a shared workspace only changes after
 * `since` (CLOCK_REALTIME_COARSE) are reported; otherwise it is NULL. `sent`: what is neither new
 * nor changed since is left out, and what is sent is added; or NULL. Once it is full, what is not
 * in it is sent if it has changed since it was last looked at. With FH_POLICY_TELL_GONE also which
 * of the files put there are gone, whatever took their place in a folder's path; and which files of
 * `below`. What is only for another run comes last. A stop frame ends it at once. False if the
 * backend broke the protocol. */
bool result_files_send (struct control_channel *control,
                        const struct result_folders *folders,
                        struct request *request,
                        const struct timespec *since,
                        struct sent_files *sent);
