/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/output-styles.h"

/* Styled text that is inserted into a text buffer all at once, because the cost of an insertion
 * hardly depends on its length. */
typedef struct _FhOutputBatch FhOutputBatch;

FhOutputBatch *fh_output_batch_new (void);
void fh_output_batch_free (FhOutputBatch *self);
void fh_output_batch_clear (FhOutputBatch *self);

/* Hurried: lines get few styles. */
void fh_output_batch_set_hurried (FhOutputBatch *self, gboolean hurried);

/* `text` is valid UTF-8. `meaning`: an FhOutputTag, or -1. */
void fh_output_batch_add (FhOutputBatch *self,
                          const char *text,
                          gsize size,
                          const FhAnsiStyle *style,
                          int meaning);

gboolean fh_output_batch_is_empty (FhOutputBatch *self);
const char *fh_output_batch_get_text (FhOutputBatch *self);
gsize fh_output_batch_get_size (FhOutputBatch *self);

/* Inserts at `iter`, which is moved behind the text. */
void fh_output_batch_insert (FhOutputBatch *self,
                             GtkTextBuffer *buffer,
                             GtkTextIter *iter,
                             FhOutputStyles *styles,
                             gboolean mark_stderr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhOutputBatch, fh_output_batch_free)
