/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

#include "output/output-section.h"

/* Shows the output of a run in a text buffer, in steps that fit into one frame each. While asleep
 * it does nothing; it catches up from the run's log.
 *
 * Signal "waiting": fh_output_feed_advance() has something to do. */
#define FH_TYPE_OUTPUT_FEED (fh_output_feed_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputFeed, fh_output_feed, FH, OUTPUT_FEED, GObject)

/* `streams`: FH_STREAM_STDOUT, FH_STREAM_STDERR or both, or'ed. */
FhOutputFeed *fh_output_feed_new (FhOutputStyles *styles, guint streams);

GtkTextBuffer *fh_output_feed_get_buffer (FhOutputFeed *self);
guint fh_output_feed_get_streams (FhOutputFeed *self);

/* Starts over with a log. `run` is the run that adds to it, NULL if the log is complete.
 * `sources`: see output-sources.h; nullable. NULL as `log` empties the buffer. */
void fh_output_feed_set_log (FhOutputFeed *self, FhOutputLog *log, FhRun *run, GPtrArray *sources);

/* Starts over with an empty buffer, to which sections are added, one after the other. Those that
 * wait for the pane to be seen are limited; the oldest are given up. */
void fh_output_feed_begin_sections (FhOutputFeed *self, GPtrArray *sources);
void fh_output_feed_add_section (FhOutputFeed *self, FhOutputSection *section);

/* Awake: the buffer is visible. */
void fh_output_feed_set_awake (FhOutputFeed *self, gboolean awake);

/* Takes one step. While `is_read` no text is deleted, so a full buffer does not grow. Returns
 * whether there is more to do. */
gboolean fh_output_feed_advance (FhOutputFeed *self, gboolean is_read);

/* Empties the buffer; only later output is shown. */
void fh_output_feed_clear (FhOutputFeed *self);

/* Tells why there is no output: "" while the program runs, NULL if there is some or some waits.
 * `nothing_ran`: the program was not started. */
const char *fh_output_feed_get_hint (FhOutputFeed *self, gboolean nothing_ran);
/* About how many bytes are not in the buffer because there were too many. */
guint64 fh_output_feed_get_left_out (FhOutputFeed *self);
