/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "terminal.h"

/* Prints "fumehoodctl: TEXT" and a newline on stderr. Control characters are escaped as in
 * terminal-text.h, because names of files and messages from other programs may contain any. On a
 * terminal it begins on a new line, with FH_TERMINAL_SIGN. */
void fh_message (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* The same in a color, if there are any. */
void fh_message_in_color (FhColor color, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The message of wrong usage of a command. Returns FH_EXIT_USAGE. */
int fh_message_usage (const char *command, const GError *error);

/* Whether stderr is a terminal on which a line can be overwritten. */
gboolean fh_message_can_progress (void);
/* Overwrites that line, cut to the width of the terminal; the next message replaces it. NULL clears
 * it. Does nothing if it cannot. */
void fh_message_progress (const char *text);

/* Whether a program has left the cursor of the terminal within a line. */
void fh_message_set_inside_line (gboolean is_inside);
gboolean fh_message_is_inside_line (void);

/* Writes to stdout. On failure FALSE, with a message on stderr unless the reader went away, or does
 * not read after a signal that ends the command. */
gboolean fh_print (const char *text);

/* The same for bytes, and to stdout, stderr or a terminal. */
gboolean fh_print_bytes (int fd, const void *bytes, gsize size);
