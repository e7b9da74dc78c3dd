/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What json_to_string() is for, but valid JSON in every case: json-glib 1.6 leaves U+001F in
 * strings as it is, and no strict reader, fh_json_guard_check() among them, takes that. Other
 * characters that a terminal would obey are escaped as well, so that the text may be printed. */
char *fh_json_to_text (JsonNode *node, gboolean pretty);

G_END_DECLS
