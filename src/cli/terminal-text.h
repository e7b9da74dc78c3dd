/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes that a guest chose, made safe for a terminal: valid UTF-8 with no control character but
 * newline and tab. What would move the cursor, change colours, turn text around, hide or pass for
 * us is shown as "\x1b" or "\u202e", and bytes that are not UTF-8 as "\xff". Owned by the
 * caller. */
char *fh_terminal_text (const void *bytes, gsize size);

/* The same for a single line: newline and tab are shown as well. */
char *fh_terminal_line (const char *text);

G_END_DECLS
