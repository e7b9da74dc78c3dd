/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One line on stderr: "fumehoodctl: TEXT". What a terminal would obey is shown as in
 * terminal-text.h, because names of files and messages of other programs may hold anything. On a
 * terminal it begins on a line of its own, with FH_TERMINAL_SIGN. */
void fh_message (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* Whether standard error is a terminal where one line can be written again and again. */
gboolean fh_message_can_progress (void);
/* Writes that line, without its end and cut to the terminal's width; the next message takes its
 * place. Only where it can; NULL wipes it out. */
void fh_message_progress (const char *text);

/* The cursor of the terminal stands behind something that a program wrote. */
void fh_message_set_inside_line (gboolean is_inside);

/* Writes a text to stdout; FALSE, with a message on stderr unless the reader only went away, when
 * it could not be written whole. */
gboolean fh_print (const char *text);

/* The same for any bytes and stdout or stderr. */
gboolean fh_print_bytes (int fd, const void *bytes, gsize size);

G_END_DECLS
