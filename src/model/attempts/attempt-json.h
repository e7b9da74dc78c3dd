/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "attempt-log.h"

/* What a run tried, as members of a result: "attempts", an array of objects with guard, layer,
 * operation, object, verdict, error (a name such as "EPERM", or null), count, time_ms, process and
 * line (null when not known), command, exists_outside, lasting and uncertain (which earlier
 * versions did not write), reported_by_program, title and sentence; "attempts_dropped" and
 * "attempts_stopped", numbers. */
void fh_attempts_add_to_json (FhAttemptLog *attempts, JsonObject *object);

/* A result without these members, which earlier versions did not write, has no attempts. NULL with
 * FH_RUN_ERROR_INVALID. */
FhAttemptLog *fh_attempts_from_json (JsonObject *object, GError **error);
