/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "step.h"

/* The results of tools: a text, and the same facts as an object of the form that the tool's schema
 * in tools.json gives. All are (transfer full). */

/* `structured`: nullable; taken. `is_error`: what was asked for could not be done. A program that
 * fails was run, and is no error. */
JsonObject *fh_mcp_result_new (const char *text, JsonObject *structured, gboolean is_error);
/* Only a text: nothing was run. */
JsonObject *fh_mcp_result_new_refusal (const char *text);

/* The object about one run. `show_bytes`: of each stream. `id`: in the history; -1: not there. */
JsonObject *fh_mcp_result_describe_run (FhRunResult *result, guint64 show_bytes, gint64 id);
/* The object about one cell that has finished. */
JsonObject *fh_mcp_result_describe_cell (FhStep *step, guint64 show_bytes);
/* The object about a session's variables, which a step has listed; NULL: the program did not tell
 * them. */
JsonObject *fh_mcp_result_describe_variables (FhStep *step);
char *fh_mcp_result_variables_text (JsonObject *described);
/* Adds to an object of either kind something that the caller should know. */
void fh_mcp_result_add_note (JsonObject *described, const char *note);

/* The text about an object of either kind. What Fumehood says comes first, because a program can
 * print what looks the same. */
char *fh_mcp_result_text (JsonObject *described);

/* "fumehood://run/7" */
#define FH_MCP_RUN_URI "fumehood://run/"
