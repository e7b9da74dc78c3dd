/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-sandbox.h"

/* A folder in which fake-run-engine.py is `docker`; fake-runner.c is the runner in its containers.
 */
void container_room_begin (void);
void container_room_end (void);

/* A GAsyncReadyCallback that puts the result where the data points to. */
void container_room_remember (GObject *source, GAsyncResult *result, gpointer user_data);
void container_room_await (GAsyncResult **result);
char *container_room_path (const char *name);

/* Whether there is such a file; containers are "container-NAME". */
gboolean container_room_has (const char *name);

/* How many calls of the client began with these words. */
guint container_room_count_calls (const char *words);

/* Begins a test in an empty folder: acts of the engine and of the runner. */
void container_room_set (const char *acts, const char *runner);
FhSandbox *container_room_sandbox (const FhContainerOptions *options);
FhRunRequest *container_room_request (const FhRunRequestInit *changes);
void container_room_wait (FhRun *run, FhRunState state);

/* One run to its end. */
FhRunResult *container_room_run (FhSandbox *sandbox, const FhRunRequestInit *changes);

/* Stops the sandbox and waits for it. */
gboolean container_room_stop (FhSandbox *sandbox, GError **error);
void container_room_assert_output (FhRunResult *result, const char *expected);

/* `words`, nullable, must be in the sentence. */
void container_room_assert_end (FhRunResult *result, FhRunStatus status, const char *words);
