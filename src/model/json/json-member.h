/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* Members of JSON objects. If one is absent or of another type: FALSE or NULL, with
 * FH_RUN_ERROR_INVALID naming the member. */

/* Sets that error. Returns FALSE. */
gboolean fh_json_refuse_member (const char *name, GError **error);

gboolean
fh_json_get_string (JsonObject *object, const char *name, const char **value, GError **error);
/* NULL if it is no string. */
const char *fh_json_node_text (JsonNode *node);
/* NULL if it is absent or no string, or if there is no object. */
const char *fh_json_get_text (JsonObject *object, const char *name);
gboolean fh_json_get_int (JsonObject *object, const char *name, gint64 *value, GError **error);
gboolean fh_json_get_bool (JsonObject *object, const char *name, gboolean *value, GError **error);
/* (transfer none) */
JsonObject *fh_json_get_object (JsonObject *object, const char *name, GError **error);
gboolean fh_json_is_null (JsonObject *object, const char *name);

/* The number is from 0 to `maximum`. */
gboolean fh_json_get_number (JsonObject *object,
                             const char *name,
                             guint64 maximum,
                             guint64 *value,
                             GError **error);

/* The position of the word in a NULL-terminated list. */
gboolean fh_json_get_word (JsonObject *object,
                           const char *name,
                           const char *const *words,
                           guint *position,
                           GError **error);

/* (transfer none) */
JsonArray *
fh_json_get_array (JsonObject *object, const char *name, guint max_length, GError **error);

/* An array of byte strings. (out) (transfer full) */
gboolean fh_json_get_strings (JsonObject *object,
                              const char *name,
                              guint max_length,
                              GStrv *strings,
                              GError **error);

/* Whether the member "version" is this one. */
gboolean fh_json_check_version (JsonObject *object, gint64 version, GError **error);

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
