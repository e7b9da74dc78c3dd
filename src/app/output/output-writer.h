/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output-log.h"

#include "output/output-styles.h"

G_BEGIN_DECLS

/* The pane keeps about this much; older text leaves at the top. */
#define FH_OUTPUT_WRITER_MAX_CHARS (1 << 20)
#define FH_OUTPUT_WRITER_MAX_LINES 50000

/* Lays the bytes of a program out in a text buffer: feed any number of times, then flush once, at
 * best once per painted frame. A line belongs to one stream: where the other one speaks in the
 * middle of a line, a new line begins, so that both stay in order of arrival and neither can pass
 * for the other. */
typedef struct _FhOutputWriter FhOutputWriter;

FhOutputWriter *fh_output_writer_new (GtkTextBuffer *buffer, FhOutputStyles *styles);
void fh_output_writer_free (FhOutputWriter *self);

/* Begins with an empty buffer. `file_name`: the program's file as tracebacks name it, nullable.
 * `mark_stderr`: whether lines of standard error get a tag of their own. */
void fh_output_writer_reset (FhOutputWriter *self, const char *file_name, gboolean mark_stderr);

/* In a hurry, lines get few styles. */
void fh_output_writer_set_hurried (FhOutputWriter *self, gboolean hurried);

/* `skipped`: whether bytes right before these were given up. */
void fh_output_writer_feed (FhOutputWriter *self,
                            FhStream stream,
                            const guint8 *data,
                            gsize size,
                            gboolean skipped);
/* A line of ours between those of the program. */
void fh_output_writer_note (FhOutputWriter *self, const char *text);
/* Nothing more will come. */
void fh_output_writer_finish (FhOutputWriter *self);

/* Brings the buffer up to date. */
void fh_output_writer_flush (FhOutputWriter *self);

/* Whether more text would push out old text at the top. */
gboolean fh_output_writer_is_full (FhOutputWriter *self);
/* Characters that left at the top since the last reset. */
guint64 fh_output_writer_get_trimmed (FhOutputWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhOutputWriter, fh_output_writer_free)

G_END_DECLS
