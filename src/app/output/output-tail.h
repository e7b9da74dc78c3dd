/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Keeps the end of a growing text in sight, until the reader looks elsewhere: scrolling up, moving
 * the cursor or selecting pauses it, coming back to the end resumes it.
 *
 * Properties (read-only, notified): following; away, whether the end is out of sight because of
 * that. */
#define FH_TYPE_OUTPUT_TAIL (fh_output_tail_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputTail, fh_output_tail, FH, OUTPUT_TAIL, GObject)

/* Holds no reference on the widgets. */
FhOutputTail *fh_output_tail_new (GtkScrolledWindow *scroller, GtkTextView *view);

gboolean fh_output_tail_is_following (FhOutputTail *self);
void fh_output_tail_pause (FhOutputTail *self);
/* Goes to the end and stays there. */
void fh_output_tail_resume (FhOutputTail *self);

/* The text has grown: shows its end, if that is what the reader wants. */
void fh_output_tail_catch_up (FhOutputTail *self);

G_END_DECLS
