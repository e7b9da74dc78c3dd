/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "json-guard.h"

G_BEGIN_DECLS

/* The check for fh_json_guard_parse_rest. `copy` of the text: in place of each value of the
 * outermost object that cannot be used it gets a number, and `bad` the value's key. `sentence`:
 * about the first of them; NULL if there is none. (out: transfer full) */
gboolean fh_json_guard_check_rest (const char *text,
                                   gsize size,
                                   gsize max_size,
                                   char *copy,
                                   GPtrArray *bad,
                                   char **sentence);

G_END_DECLS
