/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "frame-stream.h"
#include "portal.h"

/* A running runner and the connection to it. It keeps itself alive until the process is dead: call
 * fh_runner_close() before dropping the last reference. */
#define FH_TYPE_RUNNER (fh_runner_get_type ())
G_DECLARE_FINAL_TYPE (FhRunner, fh_runner, FH, RUNNER, GObject)

typedef struct
{
  FhFrameFunc frame;
  /* The process is dead and everything it sent was handled; called once and last, unless
   * fh_runner_close() was called before. `why` is a sentence for people. */
  void (*gone) (const char *why, gpointer user_data);
} FhRunnerListener;

/* `gone` is called when the stream has ended, the process is dead and its leftovers are removed, in
 * any order. `why` is set by the first of these that knows a reason. */
struct _FhRunner
{
  GObject parent_instance;

  FhFrameStream *stream; /* what frames are sent with */
  GCancellable *closing; /* is cancelled when the connection is closed */

  /* private */
  GSubprocess *subprocess; /* or: */
  FhPortalChild *child;
  FhPortalFolder *folder;           /* of the child */
  int wait_status;                  /* once it is dead; -1: unknown */
  int pidfd;                        /* -1 on kernels without */
  const FhRunnerListener *listener; /* NULL after fh_runner_close */
  gpointer user_data;
  GSource *deadline;
  char *why;
  gboolean stream_ended;
  gboolean dead;
  gboolean is_sweeping;
  GString *errors; /* standard error of an engine's client; NULL: it is none */
  gsize errors_size;
  int errors_fd; /* -1 after its end */
  GSource *errors_source;
};

/* Starts `path`, which stays on that processor with all that it starts; -1: on any. With a folder,
 * of which it takes ownership, it starts in a sub-sandbox of Flatpak's portal; if the portal
 * refuses, that is reported as the runner reports a failed step. It needs a listener before the
 * main loop runs again. The error is for people. */
FhRunner *fh_runner_start (const char *path, int cpu, FhPortalFolder *folder, GError **error);

/* Starts an engine's client, whose standard input and output are connected to a runner in a
 * container. It gets a session of its own, so that the terminal's signals do not reach it: we
 * decide when a run is stopped. Its standard error is kept, see fh_runner_dup_client_stderr. It
 * needs a listener as well. */
FhRunner *
fh_runner_start_client (const char *const *argv, const char *const *environment, GError **error);

/* From now on this listener is told. Nothing that came before is repeated. */
void fh_runner_listen (FhRunner *self, const FhRunnerListener *listener, gpointer user_data);

/* The client's standard error so far, its first 64 KiB as valid UTF-8; "" without a client.
 * (transfer full) */
char *fh_runner_dup_client_stderr (FhRunner *self);

/* The exit status; -1 while it is alive or when it was killed. */
int fh_runner_get_exit_status (FhRunner *self);

/* 0 once it is dead. */
GPid fh_runner_get_pid (FhRunner *self);

/* Kills the runner, and with it all that it runs; `gone` follows. */
void fh_runner_kill (FhRunner *self);

/* Closes the connection, on which the runner takes everything down; after two seconds it is killed.
 * The listener is not called any more. */
void fh_runner_close (FhRunner *self);
