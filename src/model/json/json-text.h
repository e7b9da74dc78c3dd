/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* Like json_to_string(), but always valid JSON: json-glib 1.6 does not escape U+001F in strings,
 * which strict readers such as fh_json_guard_parse() reject. Other characters that a terminal would
 * interpret are escaped as well, so that the text can be printed. */
char *fh_json_to_text (JsonNode *node, gboolean pretty);
