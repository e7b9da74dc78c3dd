/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ansi-parser.h"

/* GtkTextView shapes a whole line at once: a line of a megabyte blocks the window for a third of a
 * second. Longer lines are cut here and marked. */
#define FH_TEXT_LINES_MAX_COLUMNS 500

/* Turns styled text into lines as a terminal would lay them out: \r and \b go back within the line,
 * \v and \f erase in it as FhAnsiParser says, so that a progress bar stays one line. It holds the
 * line being written; complete lines are output once and never change.
 *
 * A view keeps the open line as its last one: at each flush it deletes that line, appends the
 * `complete` runs and then shows the open line again. */
typedef struct _FhTextLines FhTextLines;

/* A stretch of one style. Text ends in "\n" where a line ends; a cut line ends in "↩\n". */
typedef void (*FhTextRunFunc) (const char *text,
                               gsize size,
                               const FhAnsiStyle *style,
                               gpointer data);

FhTextLines *fh_text_lines_new (void);
void fh_text_lines_free (FhTextLines *lines);
void fh_text_lines_reset (FhTextLines *lines);
/* `complete` is called with each run of the lines completed by this text. */
void fh_text_lines_feed (FhTextLines *lines,
                         const char *text,
                         gsize size,
                         const FhAnsiStyle *style,
                         FhTextRunFunc complete,
                         gpointer data);
/* The line being written, without a newline; no call when it is empty. */
void fh_text_lines_open_line (FhTextLines *lines, FhTextRunFunc func, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTextLines, fh_text_lines_free)
