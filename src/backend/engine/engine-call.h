/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* What one call of the client may say on either stream; more ends it with FH_ENGINE_ERROR_FAILED.
 */
#define FH_ENGINE_CALL_MAX_BYTES ((gsize) 4 << 20)

/* For calls that answer from what the daemon knows, in ms. */
#define FH_ENGINE_CALL_TIMEOUT_MS 20000

typedef struct
{
  int exit_status;
  char *output; /* UTF-8, made valid; never NULL */
  char *
      error; /* the same; without the client's own prefixes such as "Error response from daemon:" */
} FhEngineAnswer;

void fh_engine_answer_free (FhEngineAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhEngineAnswer, fh_engine_answer_free)

/* Runs the engine's client with these arguments (NULL-terminated, without the program itself),
 * standard input empty. The environment is the user's, with LC_ALL=C so that what it says can be
 * understood. It is ended by pid when `timeout_ms` is over or when it is cancelled.
 *
 * An answer with exit status 0, or an error: what the client said is understood as far as it tells
 * NOT_RUNNING, NOT_ALLOWED, NO_IMAGE, NO_CONTAINER, NAME_TAKEN; all else is FAILED. */
void fh_engine_call_async (FhEngine *engine,
                           const char *const *arguments,
                           guint timeout_ms,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
FhEngineAnswer *fh_engine_call_finish (GAsyncResult *result, GError **error);

/* The same without an engine: while it is being looked for. `program` is an absolute path. Finished
 * with fh_engine_call_finish. */
void fh_engine_call_program_async (FhEngineKind kind,
                                   const char *program,
                                   const char *const *arguments,
                                   guint timeout_ms,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/* What a client that failed has written to its standard error, as an error with a code. */
GError *fh_engine_error_from_text (FhEngineKind kind, const char *text);

/* Any bytes of a client as text without its own prefixes, hints about its help and terminal
 * controls. Owned by the caller. */
char *fh_engine_words (const void *bytes, gsize size);

/* The client's environment: the user's with LC_ALL=C, and without Docker's hints. (transfer full)
 */
GStrv fh_engine_environment (void);

G_END_DECLS
