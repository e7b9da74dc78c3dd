/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

#include "output/output-section.h"

/* One pane of output: a text view that stays responsive however much a program prints, because it
 * is updated once per frame by a limited amount. A hidden pane catches up from the run's log when
 * it is shown.
 *
 * Property: following (read-only, notified): whether it scrolls to the end. */
#define FH_TYPE_OUTPUT_TEXT (fh_output_text_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputText, fh_output_text, FH, OUTPUT_TEXT, AdwBin)

/* `streams`: FH_STREAM_STDOUT, FH_STREAM_STDERR or both, or'ed. */
FhOutputText *fh_output_text_new (FhOutputStyles *styles, guint streams);

/* Shows a log from its beginning. `run` is the run that adds to it, or NULL. `file_name` is the
 * source's name in the sandbox, for links in tracebacks. NULL as `log` empties the pane. */
void
fh_output_text_set_log (FhOutputText *self, FhOutputLog *log, FhRun *run, const char *file_name);
/* Shows the cells of a session instead: see FhOutputFeed. */
void fh_output_text_begin_sections (FhOutputText *self, GPtrArray *sources);
void fh_output_text_add_section (FhOutputText *self, FhOutputSection *section);
/* Whether to say that there is no output because the program was not started. */
void fh_output_text_set_nothing_ran (FhOutputText *self, gboolean nothing_ran);

/* Empties the pane; only later output is shown. */
void fh_output_text_clear (FhOutputText *self);

/* Whether long lines are wrapped. */
void fh_output_text_set_wrap (FhOutputText *self, gboolean wrap);

/* Stops scrolling to the end. */
void fh_output_text_pause (FhOutputText *self);
void fh_output_text_jump_to_end (FhOutputText *self);
/* FALSE if there are no links to the source. */
gboolean fh_output_text_go_to_place (FhOutputText *self, gboolean forward);

guint fh_output_text_get_streams (FhOutputText *self);
GtkTextView *fh_output_text_get_view (FhOutputText *self);
