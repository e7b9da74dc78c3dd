/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Begins each of our messages on a terminal. Programs cannot print it there, so they cannot imitate
 * our messages. */
#define FH_TERMINAL_SIGN "\u2697"
/* The alchemical symbol for the same thing, which looks like it. */
#define FH_TERMINAL_SIGN_ALIKE "\U0001f76a"

/* Filters a stream of untrusted output for a terminal. Text, colours, weights, \n, \r, \t, \b and
 * erasing the current line are kept. Other control sequences (clipboard, title, links, cursor,
 * queries that the terminal answers on standard input) are dropped by FhAnsiParser, and
 * both signs become U+FFFD. The result of each call is valid UTF-8 and ends in plain style,
 * so that no colour leaks into the other stream, our messages or the shell. Sequences and
 * characters may be split over any number of calls. */
typedef struct _FhTerminalFilter FhTerminalFilter;

/* `has_colors`: SGR is wanted, see terminal.h. */
FhTerminalFilter *fh_terminal_filter_new (gboolean has_colors);
void fh_terminal_filter_free (FhTerminalFilter *filter);

/* Appends the filtered bytes to `out`. */
void
fh_terminal_filter_feed (FhTerminalFilter *filter, const void *bytes, gsize size, GString *out);
/* At the end of the stream: appends U+FFFD for an unfinished character. */
void fh_terminal_filter_finish (FhTerminalFilter *filter, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTerminalFilter, fh_terminal_filter_free)
