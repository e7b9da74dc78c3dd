/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"
#include "session-order.h"

G_BEGIN_DECLS

/* An answer of `fumehoodctl session`: an object with this type and the id of the order. (transfer
 * full) */
JsonObject *fh_session_answer_new (const char *type, const FhSessionOrder *order);
/* A refusal. `order` is nullable. (transfer full) */
JsonObject *fh_session_answer_new_error (const FhSessionOrder *order, const char *message);

/* The result of a cell that was run for `order`: of each stream, the value and the traceback at
 * most `show_bytes` are handed on. (transfer full) */
JsonObject *
fh_session_answer_new_result (const FhSessionOrder *order, FhRun *run, guint64 show_bytes);
/* The answer of the interpreter to a cell that runs no code. (transfer full) */
JsonObject *fh_session_answer_new_answer (const FhSessionOrder *order, JsonObject *answer);

G_END_DECLS
