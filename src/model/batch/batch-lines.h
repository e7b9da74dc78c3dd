/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A longer line is refused. */
#define FH_BATCH_MAX_LINE ((gsize) 64 << 20)

/* Reads a file line by line, in bounded memory. What is compressed with gzip is unpacked, whatever
 * its name. */
typedef struct _FhBatchLines FhBatchLines;

FhBatchLines *fh_batch_lines_open (const char *path, GError **error);
void fh_batch_lines_free (FhBatchLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchLines, fh_batch_lines_free)

/* The next line that is not blank, without its newline; borrowed until the next call. NULL at the
 * end, or with an error. */
const char *fh_batch_lines_next (FhBatchLines *lines, gsize *size, GError **error);

/* Where the last line is. */
typedef struct
{
  guint64 number;   /* in the file, from 1 */
  guint64 offset;   /* how many bytes of text end with it */
  gboolean is_torn; /* it ended without a newline, as one does whose writer was killed */
} FhBatchPlace;

const FhBatchPlace *fh_batch_lines_get_place (FhBatchLines *lines); /* borrowed */

/* Puts the file and the line before the message. */
void fh_batch_lines_prefix (FhBatchLines *lines, GError **error);
