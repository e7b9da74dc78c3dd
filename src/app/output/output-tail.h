/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Scrolls to the end of a growing text. Scrolling up, moving the cursor or selecting pauses it;
 * scrolling back to the end resumes it.
 *
 * Properties (read-only, notified): following; away (paused and not at the end). */
#define FH_TYPE_OUTPUT_TAIL (fh_output_tail_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputTail, fh_output_tail, FH, OUTPUT_TAIL, GObject)

/* The widgets are not owned. */
FhOutputTail *fh_output_tail_new (GtkScrolledWindow *scroller, GtkTextView *view);

gboolean fh_output_tail_is_following (FhOutputTail *self);
void fh_output_tail_pause (FhOutputTail *self);
/* Scrolls to the end and follows it. */
void fh_output_tail_resume (FhOutputTail *self);

/* Has to be called when the text has grown: scrolls to the end unless paused. */
void fh_output_tail_catch_up (FhOutputTail *self);
