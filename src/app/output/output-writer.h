/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output-log.h"

#include "output/output-styles.h"

/* The size of the buffer; older text is deleted at the top. */
#define FH_OUTPUT_WRITER_MAX_CHARS (1 << 20)
#define FH_OUTPUT_WRITER_MAX_LINES 50000

/* Writes the output of a program to a text buffer: feed any number of times, then flush once,
 * ideally once per frame. A line belongs to one stream: output of the other stream starts a new
 * line, so that the order is kept and neither stream can imitate the other. */
typedef struct _FhOutputWriter FhOutputWriter;

FhOutputWriter *fh_output_writer_new (GtkTextBuffer *buffer, FhOutputStyles *styles);
void fh_output_writer_free (FhOutputWriter *self);

/* Empties the buffer. `file_name`: the program's file as tracebacks name it, nullable.
 * `mark_stderr`: whether lines of standard error get a tag of their own. */
void fh_output_writer_reset (FhOutputWriter *self, GPtrArray *sources, gboolean mark_stderr);

/* Hurried: lines get few styles. */
void fh_output_writer_set_hurried (FhOutputWriter *self, gboolean hurried);

/* `skipped`: whether bytes are missing right before these. */
void fh_output_writer_feed (FhOutputWriter *self,
                            FhStream stream,
                            const guint8 *data,
                            gsize size,
                            gboolean skipped);
/* Goes on with the line where it is, in a style of its own: what the user sent to the program. */
void fh_output_writer_echo (FhOutputWriter *self, const guint8 *text, gsize size);
/* Adds a line of our own. */
void fh_output_writer_note (FhOutputWriter *self, const char *text);
/* Adds lines with a tag of their own; those of the program end before. The text may be the
 * program's. */
void fh_output_writer_say (FhOutputWriter *self, FhOutputTag tag, const char *text);
/* The output is complete. */
void fh_output_writer_finish (FhOutputWriter *self);

/* Updates the buffer. */
void fh_output_writer_flush (FhOutputWriter *self);

/* Whether more text would delete text at the top. */
gboolean fh_output_writer_is_full (FhOutputWriter *self);
/* Characters deleted at the top since the last reset. */
guint64 fh_output_writer_get_trimmed (FhOutputWriter *self);
