/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

#include "output/output-styles.h"

G_BEGIN_DECLS

/* Brings what a run writes into a text buffer, in steps that fit into one painted frame each. Bytes
 * wait in a bounded queue; while nobody looks nothing is done at all, and what was missed then
 * comes from the run's log.
 *
 * Signal "waiting": there is something to advance. */
#define FH_TYPE_OUTPUT_FEED (fh_output_feed_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputFeed, fh_output_feed, FH, OUTPUT_FEED, GObject)

/* `streams`: FH_STREAM_STDOUT, FH_STREAM_STDERR or both, or'ed. */
FhOutputFeed *fh_output_feed_new (FhOutputStyles *styles, guint streams);

GtkTextBuffer *fh_output_feed_get_buffer (FhOutputFeed *self);
guint fh_output_feed_get_streams (FhOutputFeed *self);

/* Begins anew with a log; `run`, nullable, is the run that still adds to it; `file_name`, nullable,
 * is the source's name in the sandbox. NULL as `log` empties the buffer. */
void
fh_output_feed_set_log (FhOutputFeed *self, FhOutputLog *log, FhRun *run, const char *file_name);

/* Whether somebody looks. */
void fh_output_feed_set_awake (FhOutputFeed *self, gboolean awake);

/* One step. While `is_read` nothing leaves the buffer, and once it is full nothing is added either.
 * Returns whether another step would do something. */
gboolean fh_output_feed_advance (FhOutputFeed *self, gboolean is_read);

/* Empties the buffer for the rest of this log; what comes later is shown. */
void fh_output_feed_clear (FhOutputFeed *self);

gboolean fh_output_feed_has_log (FhOutputFeed *self);
gboolean fh_output_feed_is_cleared (FhOutputFeed *self);
/* The program has ended; something may still wait. */
gboolean fh_output_feed_has_ended (FhOutputFeed *self);
/* Nothing is in the buffer and nothing waits. */
gboolean fh_output_feed_is_empty (FhOutputFeed *self);
/* About how many bytes of the log are not in the buffer because they were too many. */
guint64 fh_output_feed_get_left_out (FhOutputFeed *self);

G_END_DECLS
