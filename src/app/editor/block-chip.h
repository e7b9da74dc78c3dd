/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "answer.h"

/* How far a block of an answer is. */
typedef enum
{
  FH_BLOCK_STATE_PAST, /* the result that is shown is of an earlier run: not said to run */
  FH_BLOCK_STATE_IDLE,
  FH_BLOCK_STATE_ASKING,
  FH_BLOCK_STATE_RUNNING,
  FH_BLOCK_STATE_DONE,
  FH_BLOCK_STATE_FAILED,
  FH_BLOCK_STATE_STOPPED,
  FH_BLOCK_STATE_SAVED,
  FH_BLOCK_STATE_REFUSED,
  FH_BLOCK_STATE_NOT_RUN,
} FhBlockState;

/* Says what a block of an answer is, and what becomes of it: "Python? · will run". Its menu changes
 * that.
 *
 * Signal "command" (const char *name, const char *value): "language" with an id; "policy" for all
 * blocks of the language, with "run", "ask" or "save"; "run", "run-from", "copy", "save-as" with
 * "". */
#define FH_TYPE_BLOCK_CHIP (fh_block_chip_get_type ())
G_DECLARE_FINAL_TYPE (FhBlockChip, fh_block_chip, FH, BLOCK_CHIP, AdwBin)

/* `number`: from 1 on. `is_missing`: the program that runs its language is not installed. */
void fh_block_chip_show (FhBlockChip *self,
                         const FhAnswerBlock *block,
                         guint number,
                         FhBlockState state,
                         gboolean is_missing);
/* Places the chip in `view`, whose child it is: behind the text of the line at `fence`, but inside
 * of the view. */
void fh_block_chip_place (FhBlockChip *self, GtkTextView *view, const GtkTextIter *fence);
/* Opens its menu when it is in sight, as it may be about to be scrolled to. */
void fh_block_chip_open_menu (FhBlockChip *self, GtkTextView *view);
