/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer.h"

/* What a person has chosen for the blocks of an answer, and for languages: texts by texts, so that
 * they can be stored as they are. A block is known by its language and its text: if these change,
 * the choice no longer holds. */

/* (transfer full) (element-type utf8 utf8) */
GHashTable *fh_answer_choices_new (void);

/* Whether the blocks are read as they stand there, and not as they are meant. */
void fh_answer_choices_set_as_written (GHashTable *choices, gboolean as_written);
gboolean fh_answer_choices_is_as_written (GHashTable *choices);

/* `block`: as it is found in the text, without any choice. */
void fh_answer_choices_set_language (GHashTable *choices,
                                     const FhAnswerBlock *block,
                                     const FhLanguage *language);
/* Sets the action for all blocks of a language. `action`: FH_BLOCK_RUN, FH_BLOCK_ASK or
 * FH_BLOCK_SAVE. `blocks`: as they are found. */
void fh_answer_choices_set_policy (GHashTable *choices,
                                   GPtrArray *blocks,
                                   const FhLanguage *language,
                                   FhBlockAction action);

/* Returns the language that was chosen for the block, else its own; NULL if it has none. */
const FhLanguage *fh_answer_choices_find_language (GHashTable *choices, const FhAnswerBlock *block);

/* `blocks`: (element-type FhAnswerBlock) as they are found. `policies`: as for
 * fh_answer_set_policies; they hold where nothing was chosen, and those that are invalid are left
 * out. Choices that are damaged are left out, too. */
void fh_answer_choices_apply (GHashTable *choices, const char *const *policies, GPtrArray *blocks);
