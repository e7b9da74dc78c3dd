/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* `text` may be NULL: null. */
void fh_json_set_text (JsonObject *object, const char *name, const char *text);

/* The object, indented or in one line, and a newline. (transfer full) */
char *fh_json_object_to_text (JsonObject *object, gboolean is_indented);
/* Prints that; FALSE as fh_print. */
gboolean fh_print_json (JsonObject *object, gboolean is_indented);
