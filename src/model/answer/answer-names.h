/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer.h"

/* The names that an answer gives to the files of its blocks. */

/* Returns the suffix, "html", of a block in a language that is written to a file and not run. NULL
 * for others. */
const char *fh_answer_names_find_suffix (const FhAnswerBlock *block);

/* Sets the file name of a block to what its first line, its fence or the line above it says; NULL
 * if they say none. */
void fh_answer_names_set (FhAnswerBlock *block);

/* Whether a file of that name may have the block's code, by its suffix. */
gboolean fh_answer_names_fits (const FhAnswerBlock *block, const char *name);

/* Returns the name that a comment alone in the first line may give: "# helper.py". NULL if there is
 * none. (transfer full) */
char *fh_answer_names_dup_candidate (const FhAnswerBlock *block);

/* Takes the marks of lists, headings and bold text from both ends of the text, which is changed.
 * Returns where it begins then. */
char *fh_answer_names_strip (char *text);
