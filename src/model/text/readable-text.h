/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Any bytes as text that can be shown: valid UTF-8, with U+FFFD for each invalid byte and U+2400
 * for NUL. Owned by the caller. */
char *fh_valid_text_new (const void *bytes, gsize size);

/* TRUE when the bytes are valid UTF-8 without a NUL. */
gboolean fh_valid_text_check (const void *bytes, gsize size);

/* Any bytes as one line that cannot look like something else: as fh_valid_text_new, with every
 * control character, line break and direction control written as an escape such as "\n" or
 * "\u202e". Owned by the caller. */
char *fh_readable_text_new (const void *bytes, gsize size);

/* Appends the same, with `tab` in place of each tab. */
void fh_readable_text_append (GString *text, const char *at, const char *end, const char *tab);
