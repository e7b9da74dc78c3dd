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

/* Starts an engine's client, `argv` with `environment`, which carries the conversation between its
 * own standard input and output and a runner in a container. It has a session of its own, so that
 * the signals of a terminal do not reach it: who stops the run is decided by us. What it says on
 * its standard error is kept, see fh_runner_process_dup_complaint. */
FhRunnerProcess *fh_runner_process_start_client (const char *const *argv,
                                                 const char *const *environment,
                                                 const FhRunnerListener *listener,
                                                 gpointer user_data,
                                                 GError **error);

/* What a client has written to its standard error so far, at most FH_RUNNER_COMPLAINT_MAX bytes as
 * valid UTF-8; "" for others. Owned by the caller. */
#define FH_RUNNER_COMPLAINT_MAX ((gsize) 64 << 10)
char *fh_runner_process_dup_complaint (FhRunnerProcess *self);

/* The exit status of one that is dead and was not killed; else -1. */
int fh_runner_process_get_exit_status (FhRunnerProcess *self);

/* 0 when it is dead already. */
GPid fh_runner_process_get_pid (FhRunnerProcess *self);

/* See fh_frame_stream_send, fh_frame_stream_send_file and fh_frame_stream_send_input. */
void fh_runner_process_send (FhRunnerProcess *self, GBytes *frames);
void fh_runner_process_send_file (FhRunnerProcess *self, const char *name, GBytes *content);
void fh_runner_process_send_input (FhRunnerProcess *self, GBytes *standard_input);

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
