/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

#include "output/output-styles.h"

G_BEGIN_DECLS

/* One pane of output: a text view that stays responsive whatever a program prints. Bytes wait in a
 * bounded queue and go into the view once per painted frame; a pane that is not on the screen does
 * nothing and catches up from the run's log when it is shown again.
 *
 * Property: following (read-only, notified): whether the end is kept in sight.
 * Signal "place-activated" (guint line, guint column): see FhOutputLinks. */
#define FH_TYPE_OUTPUT_TEXT (fh_output_text_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputText, fh_output_text, FH, OUTPUT_TEXT, AdwBin)

/* `streams`: FH_STREAM_STDOUT, FH_STREAM_STDERR or both, or'ed. */
FhOutputText *fh_output_text_new (FhOutputStyles *styles, guint streams);

/* Shows a log from its beginning; `run`, nullable, is the run that still adds to it. `file_name`:
 * the source's name in the sandbox, for places in tracebacks. NULL as `log` empties the pane. */
void
fh_output_text_set_log (FhOutputText *self, FhOutputLog *log, FhRun *run, const char *file_name);

/* Empties the pane; what comes later is shown. */
void fh_output_text_clear (FhOutputText *self);

/* Whether long lines are wrapped. */
void fh_output_text_set_wrap (FhOutputText *self, gboolean wrap);

/* Stops following the end; for whatever shows another part of the text. */
void fh_output_text_pause (FhOutputText *self);
void fh_output_text_jump_to_end (FhOutputText *self);
/* FALSE when the output names no place of the source. */
gboolean fh_output_text_go_to_place (FhOutputText *self, gboolean forward);

guint fh_output_text_get_streams (FhOutputText *self);
GtkTextView *fh_output_text_get_view (FhOutputText *self);

G_END_DECLS
