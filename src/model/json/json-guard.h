/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/*
 * Reads JSON that may be hostile. json-glib 1.6 follows nesting until the stack ends, cuts strings
 * at an escaped NUL, wraps integers silently and accepts much that is not JSON, so that it only
 * holds what is read here: strict RFC 8259 grammar, valid UTF-8, no escaped NUL, depth at most
 * FH_JSON_MAX_DEPTH, integers that fit in 64 bits, no duplicate keys in one object, at most
 * FH_JSON_MAX_MEMBERS of them (keys chosen to collide in a hash table cost the square of their
 * number), at most `max_size` bytes.
 */
#define FH_JSON_MAX_DEPTH   64
#define FH_JSON_MAX_MEMBERS 1024

/* NULL with FH_RUN_ERROR_INVALID and the byte offset in the message. (transfer full) */
JsonNode *fh_json_guard_parse_any (const char *text, gsize size, gsize max_size, GError **error);
/* The same, and requires an object at the top. (transfer full) */
JsonObject *fh_json_guard_parse (const char *text, gsize size, gsize max_size, GError **error);

/* For a text that was refused, when something is waiting for an answer to it or counts it: JSON
 * allows an escaped NUL, half of a surrogate pair, any depth and any number. The object without the
 * members in which there is such a value, or NULL if there is another fault. `fault`: an English
 * sentence about the first of them. (transfer full) (out: transfer full) */
JsonObject *fh_json_guard_parse_rest (const char *text, gsize size, gsize max_size, char **fault);
