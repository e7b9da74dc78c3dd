/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "session-order.h"
#include "step.h"

/* An answer of `fumehoodctl session`: an object with this type and the id of the order. (transfer
 * full) */
JsonObject *fh_session_answer_new (const char *type, const FhSessionOrder *order);
/* A refusal. `order` is nullable. (transfer full) */
JsonObject *fh_session_answer_new_error (const FhSessionOrder *order, const char *message);

/* The result of a cell that was run for `order` and has finished: of each stream, the value and the
 * traceback at most `show_bytes` are handed on. (transfer full) */
JsonObject *
fh_session_answer_new_result (const FhSessionOrder *order, FhStep *step, guint64 show_bytes);
/* Adds to an object about a cell's run, see fh_run_result_to_json, what the interpreter has
 * answered: value, exception and the like. The names of its members are ours, and the program
 * chooses no more than their values. */
void fh_session_answer_add_cell (JsonObject *object, FhStep *step, guint64 show_bytes);
/* The answer of the interpreter to a cell that runs no code. (transfer full) */
JsonObject *fh_session_answer_new_answer (const FhSessionOrder *order, JsonObject *answer);
