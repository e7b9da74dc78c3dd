/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Begins each message of ours on a terminal. Programs cannot print it there, so that none of their
 * lines can pass for one of ours. */
#define FH_TERMINAL_SIGN "\u2697"

/* Makes one stream of a guest fit for a terminal while it runs: text, colours and weights, \n, \r,
 * \t, \b and the erasing of the present line are left; all else that a terminal would obey (the
 * clipboard, the title, links, the cursor, questions that it answers on standard input) is dropped
 * by FhAnsiParser, and FH_TERMINAL_SIGN becomes U+FFFD. What comes out of each call is complete in
 * itself: valid UTF-8, and plain again at its end, so that no colour reaches the other stream, our
 * messages or the shell. Sequences and characters may be split over any number of calls. */
typedef struct _FhTerminalFilter FhTerminalFilter;

/* `has_colors`: the terminal understands SGR, see fh_terminal_has_colors. */
FhTerminalFilter *fh_terminal_filter_new (gboolean has_colors);
void fh_terminal_filter_free (FhTerminalFilter *filter);

/* Appends to `out` what is to be written. */
void
fh_terminal_filter_feed (FhTerminalFilter *filter, const void *bytes, gsize size, GString *out);
/* At the end of the stream: what an unfinished character has become. */
void fh_terminal_filter_finish (FhTerminalFilter *filter, GString *out);

/* What $TERM says. */
gboolean fh_terminal_has_colors (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTerminalFilter, fh_terminal_filter_free)

G_END_DECLS
