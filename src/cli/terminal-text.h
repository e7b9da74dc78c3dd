/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Untrusted bytes made safe for a terminal: valid UTF-8 with no control characters but newline and
 * tab. Others, and those that reverse or hide text or imitate our messages, are shown as "\x1b" or
 * "\u202e", and bytes that are not UTF-8 as "\xff". (transfer full) */
char *fh_terminal_text (const void *bytes, gsize size);

/* The same for a single line: newline and tab are escaped, too. */
char *fh_terminal_line (const char *text);

/* Appends the word and spaces up to a column of `width` characters, at least two. */
void fh_terminal_append_cell (GString *text, const char *word, glong width);
