/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown-blocks.h"
#include "run-language.h"

/* This finds out how the blocks of an answer are meant, where CommonMark and the words behind
 * fences leave it open. */

/* Finds the fenced blocks as fh_markdown_blocks_find() does, except that a fence which would end a
 * block inside a string of Python or a here-document is a part of that text, if the text ends
 * further down, and that there are no blocks in what the model wrote for itself, up to
 * "</think>", and behind the token that ends its turn, such as "<|im_end|>".
 * (element-type FhAnswerBlock) (transfer full) */
GPtrArray *fh_answer_reading_find (const char *text);

/* Returns the language of a block. `word`: what stands behind its fence, in lower case: also
 * "python3.11", "text/x-python" and "pycon". `is_guess`: set if the code says it, not the word.
 * NULL if it is not one that can be run. */
const FhLanguage *
fh_answer_reading_language (const char *word, const char *code, gboolean *is_guess);

/* Whether the word says that the block shows a terminal: commands behind prompts, and output. */
gboolean fh_answer_reading_is_terminal (const char *word);

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
