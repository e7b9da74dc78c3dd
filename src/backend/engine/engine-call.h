/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* The most that a client may write to either stream; more ends it with FH_ENGINE_ERROR_FAILED. */
#define FH_ENGINE_CALL_MAX_BYTES ((gsize) 4 << 20)

/* For calls that the daemon answers from memory, in ms. */
#define FH_ENGINE_CALL_TIMEOUT_MS 20000

/* Runs the engine's client with these arguments (NULL-terminated, without the program), an empty
 * standard input, and the user's environment with LC_ALL=C so that its messages can be parsed. It
 * is killed after `timeout_ms` or when cancelled.
 *
 * Returns the standard output of a client that exited with status 0, as valid UTF-8. Errors:
 * NOT_RUNNING, NOT_ALLOWED, NO_IMAGE, NO_CONTAINER or NAME_TAKEN as far as the client's message
 * says so; else FAILED. */
void fh_engine_call_async (FhEngine *engine,
                           const char *const *arguments,
                           guint timeout_ms,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
/* The same for a step of `task`: with its cancellable, and a reference to it for the callback. */
void fh_engine_call_step (GTask *task,
                          FhEngine *engine,
                          const char *const *arguments,
                          guint timeout_ms,
                          GAsyncReadyCallback callback);
char *fh_engine_call_finish (GAsyncResult *result, GError **error);

/* The same without an engine, while one is looked for. `program` is an absolute path. Use
 * fh_engine_call_finish(). */
void fh_engine_call_program_async (FhEngineKind kind,
                                   const char *program,
                                   const char *const *arguments,
                                   guint timeout_ms,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/* The standard error of a failed client as an error with a code. */
GError *fh_engine_error_from_text (FhEngineKind kind, const char *text);

/* Any bytes of a client as text without its prefixes, usage hints and terminal controls. (transfer
 * full) */
char *fh_engine_words (const void *bytes, gsize size);

/* The client's environment: the user's with LC_ALL=C, and without Docker's hints. (transfer
 * full) */
GStrv fh_engine_environment (void);

G_END_DECLS
