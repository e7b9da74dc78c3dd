/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "run-options.h"

/* The arguments of a call, which a model wrote. Where they cannot be used: FALSE or NULL with
 * FH_RUN_ERROR_INVALID. */

/* Whether they are those that the input schema of the tool names, and none is missing. */
gboolean fh_mcp_arguments_check (JsonObject *arguments, JsonObject *schema, GError **error);

/* A text of at most FH_RUN_REQUEST_MAX_SOURCE bytes that is not blank. Borrowed. */
const char *fh_mcp_arguments_get_code (JsonObject *arguments, const char *name, GError **error);

/* FALSE if it is not there. */
gboolean fh_mcp_arguments_get_switch (JsonObject *arguments,
                                      const char *name,
                                      gboolean *is_on,
                                      GError **error);

/* Lowers limits of `options` to “timeout” and “maximum_memory_bytes”, if those are given. What asks
 * for more changes nothing, and `note` says so; else it is NULL. (out: transfer full) */
gboolean
fh_mcp_arguments_limit (JsonObject *arguments, FhRunOptions *options, char **note, GError **error);
