/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A model's text may have more in it than its answer: what it wrote for itself before, and behind
 * it the token that ends its turn, and whatever a model wrote that went on after that. */

/* Where the turn of a model may end. */
typedef struct
{
  gsize size;           /* of the text before the token, in bytes */
  gsize next;           /* where what follows the token's line begins, in bytes */
  guint line;           /* the token's, from 1 on */
  char *token;          /* "<|im_end|>" */
  gboolean is_followed; /* by something that does not begin another turn */
} FhAnswerEnd;

/* Finds the line that ends what the model wrote for itself before its answer, with "</think>". 0 if
 * there is none, or if there is no fence before it. */
guint fh_answer_frame_find_thoughts (const char *text);

/* Finds the next place from the byte `from` on where a token may end the turn: at the end of a
 * line that has only a fence or, if it is no tag elsewhere, nothing else, or before the beginning
 * of another turn or the end of the text. `end`: the caller frees its token. FALSE if there is
 * none. */
gboolean fh_answer_frame_find_end (const char *text, gsize from, FhAnswerEnd *end);
