/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

#include "answer.h"

/* Colours the blocks of an answer as GtkSourceView colours programs, each in its own language: a
 * text has one language for it, which is Markdown for an answer. */
typedef struct _FhBlockColours FhBlockColours;

/* `buffer`: it follows its style scheme; it must outlive the colours. */
FhBlockColours *fh_block_colours_new (GtkSourceBuffer *buffer);
void fh_block_colours_free (FhBlockColours *self);

/* Begins with the first block of a text that may have changed. */
void fh_block_colours_begin (FhBlockColours *self);
/* Colours the code of the next block, which is between the two places, if it is not yet coloured as
 * it is now. Very long blocks, and all behind the first 50 000 characters that would have to be
 * coloured at once, stay as they are. */
void fh_block_colours_show (FhBlockColours *self,
                            const FhAnswerBlock *block,
                            const GtkTextIter *from,
                            const GtkTextIter *to);
/* Takes the colours from what is no code any more. */
void fh_block_colours_remove (FhBlockColours *self, const GtkTextIter *from, const GtkTextIter *to);
/* The colours win over every other tag that the text has now. */
void fh_block_colours_raise (FhBlockColours *self);
