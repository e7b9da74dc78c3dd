/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "run-result.h"

/*
 * One versioned object with every field of the result and, in addition, the names that scripts know
 * from the systems Fumehood replaces: success, stdout, stderr, error, timeout, memory_exceeded,
 * exit_code, execution_time (seconds, a double). "error" is the last line that a failed program
 * wrote to stderr, with "error_from": "program"; or else the sentence, from "fumehood". "truncated"
 * tells that stdout or stderr is not whole. (transfer full)
 */
JsonNode *fh_run_result_to_json (FhRunResult *result);

/* The same with at most `show_bytes` of each stream, see fh_output_log_cut. (transfer full) */
JsonNode *fh_run_result_to_json_cut (FhRunResult *result, guint64 show_bytes);

/* Restores everything except the exact order of the two streams. */
FhRunResult *fh_run_result_from_json (JsonObject *object, GError **error);

/* {"guards": […]} for `fumehoodctl guards --json` and inside results. (transfer full) */
JsonArray *fh_guard_states_to_json (GPtrArray *guards);
