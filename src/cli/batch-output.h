/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-result.h"

/* The results of a batch: a file to which lines are appended, or standard output. */
typedef struct _FhBatchOutput FhBatchOutput;

typedef enum
{
  FH_BATCH_OUTPUT_NEW,
  FH_BATCH_OUTPUT_RESUMED, /* of a batch that is continued */
  FH_BATCH_OUTPUT_MERGED,  /* new as well, but no batch that could be continued */
} FhBatchOutputKind;

typedef void (*FhBatchResultFunc) (const FhBatchResult *result,
                                   const char *line,
                                   gsize size,
                                   gpointer user_data);

/* `path`: NULL is standard output. A file that exists is refused unless its batch is resumed; only
 * one process can have it open. */
FhBatchOutput *fh_batch_output_open (const char *path, FhBatchOutputKind kind, GError **error);
void fh_batch_output_free (FhBatchOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchOutput, fh_batch_output_free)

/* Appends a line at once, so that it is there whatever happens next. FALSE after a message, or if
 * the reader of standard output went away, or does not read after Ctrl+C. */
gboolean fh_batch_output_write (FhBatchOutput *output, const char *line, gsize size);
gboolean fh_batch_output_is_unread (FhBatchOutput *output);

/* Reads results that were written before. A last line that is not complete is left out; `end`
 * (nullable) is set to where it begins. FALSE with a sentence. */
gboolean fh_batch_output_read (const char *path,
                               FhBatchResultFunc func,
                               gpointer user_data,
                               guint64 *end,
                               GError **error);

/* Removes such a line. */
gboolean fh_batch_output_cut (FhBatchOutput *output, guint64 end, GError **error);
