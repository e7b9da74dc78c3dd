/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "wire-frame.h"

G_BEGIN_DECLS

/* A runner that was started, and the conversation with it. It lives until its process is dead,
 * so whoever started it must call fh_runner_process_close before letting go of it. */
#define FH_TYPE_RUNNER_PROCESS (fh_runner_process_get_type ())
G_DECLARE_FINAL_TYPE (FhRunnerProcess, fh_runner_process, FH, RUNNER_PROCESS, GObject)

typedef struct
{
  /* FALSE when the frame makes no sense. */
  gboolean (*frame) (const struct fh_frame *frame, gpointer user_data);
  /* Once, and nothing after it: the conversation is over, and what was still on its way was
   * heard. `why` is a sentence for people. Not called after fh_runner_process_close. */
  void (*gone) (const char *why, gpointer user_data);
} FhRunnerListener;

/* Starts `path`. `standard_input`: what the program will read from its descriptor 0; NULL: end of
 * file at once. The error is a sentence for people. */
FhRunnerProcess *fh_runner_process_start (const char *path,
                                          GBytes *standard_input,
                                          const FhRunnerListener *listener,
                                          gpointer user_data,
                                          GError **error);

/* 0 when it is dead already. */
GPid fh_runner_process_get_pid (FhRunnerProcess *self);

/* See fh_frame_stream_send and fh_frame_stream_send_file. */
void fh_runner_process_send (FhRunnerProcess *self, GBytes *frames);
void fh_runner_process_send_file (FhRunnerProcess *self, const char *name, GBytes *content);

/* Everything was sent: run it. */
void fh_runner_process_send_start (FhRunnerProcess *self);

/* The first one asks the program to end, the second one kills it. */
void fh_runner_process_send_stop (FhRunnerProcess *self);

/* Ends the runner at once, and with it all that it runs; `gone` follows. */
void fh_runner_process_kill (FhRunnerProcess *self);

/* Hangs up: the runner sees the end of the conversation and takes everything down. The listener
 * hears nothing more. One that does not end within two seconds is killed. */
void fh_runner_process_close (FhRunnerProcess *self);

G_END_DECLS
