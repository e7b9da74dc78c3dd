/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "frame-stream.h"
#include "portal-folder.h"
#include "run-files.h"

G_BEGIN_DECLS

/* A running runner and the connection to it. It keeps itself alive until the process is dead: call
 * fh_runner_process_close() before dropping the last reference. */
#define FH_TYPE_RUNNER_PROCESS (fh_runner_process_get_type ())
G_DECLARE_FINAL_TYPE (FhRunnerProcess, fh_runner_process, FH, RUNNER_PROCESS, GObject)

typedef struct
{
  FhFrameFunc frame;
  /* The process is dead and everything it sent was handled; called once and last, unless
   * fh_runner_process_close() was called before. `why` is a sentence for people. */
  void (*gone) (const char *why, gpointer user_data);
} FhRunnerListener;

/* Starts `path`, which stays on that processor with all that it starts; -1: on any. With a folder,
 * of which it takes ownership, it starts in a sub-sandbox of Flatpak's portal; if the portal
 * refuses, that is reported as the runner reports a failed step. The error is for people. */
FhRunnerProcess *fh_runner_process_start (const char *path,
                                          int cpu,
                                          FhPortalFolder *folder,
                                          const FhRunnerListener *listener,
                                          gpointer user_data,
                                          GError **error);

/* Starts an engine's client, whose standard input and output are connected to a runner in a
 * container. It gets a session of its own, so that the terminal's signals do not reach it: we
 * decide when a run is stopped. Its standard error is kept, see
 * fh_runner_process_dup_client_stderr. */
FhRunnerProcess *fh_runner_process_start_client (const char *const *argv,
                                                 const char *const *environment,
                                                 const FhRunnerListener *listener,
                                                 gpointer user_data,
                                                 GError **error);

/* The client's standard error so far, its first FH_CLIENT_ERRORS_MAX bytes as valid UTF-8;
 * "" without a client. (transfer full) */
char *fh_runner_process_dup_client_stderr (FhRunnerProcess *self);

/* The exit status; -1 while it is alive or when it was killed. */
int fh_runner_process_get_exit_status (FhRunnerProcess *self);

/* 0 once it is dead. */
GPid fh_runner_process_get_pid (FhRunnerProcess *self);

/* See fh_frame_stream_send, fh_frame_stream_send_file and fh_frame_stream_send_input. */
void fh_runner_process_send (FhRunnerProcess *self, GBytes *frames);
void fh_runner_process_send_file (FhRunnerProcess *self, const char *name, GBytes *content);
/* Nullable; (element-type FhRunFile). */
void fh_runner_process_send_files (FhRunnerProcess *self, GPtrArray *files);
void fh_runner_process_send_input (FhRunnerProcess *self, GBytes *standard_input);

/* From now on another listener is told. Nothing that came before is repeated. */
void fh_runner_process_set_listener (FhRunnerProcess *self,
                                     const FhRunnerListener *listener,
                                     gpointer user_data);

/* A single frame: FH_FRAME_PREPARE, FH_FRAME_RUN with the messages for the guest, FH_FRAME_STOP.
 * `payload`: nullable. */
void fh_runner_process_send_frame (FhRunnerProcess *self, enum fh_frame_kind kind, GBytes *payload);

/* What arrives after the present frame is read once GTK has painted, if it is to. */
void fh_runner_process_let_paint (FhRunnerProcess *self);

/* Kills the runner, and with it all that it runs; `gone` follows. */
void fh_runner_process_kill (FhRunnerProcess *self);

/* Closes the connection, on which the runner takes everything down; after two seconds it is killed.
 * The listener is not called any more. */
void fh_runner_process_close (FhRunnerProcess *self);

G_END_DECLS
