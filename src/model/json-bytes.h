/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Bytes in JSON: a string where they are text, {"base64": "…"} where they are not valid UTF-8 or
 * hold a NUL. */

/* NULL gives a JSON null. (transfer full) */
JsonNode *fh_json_bytes_to_node (GBytes *bytes);
JsonNode *fh_json_byte_string_to_node (const char *string);

/* FALSE with FH_RUN_ERROR_INVALID naming the member. A null gives NULL. (out: transfer full) */
gboolean fh_json_bytes_from_node (JsonNode *node, const char *name, GBytes **bytes, GError **error);

/* The same for a string that must not hold a NUL. */
gboolean
fh_json_byte_string_from_node (JsonNode *node, const char *name, char **string, GError **error);

G_END_DECLS
