/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-language.h"

/* An FhBlockAction says what becomes of a block of an answer. */
typedef enum
{
  FH_BLOCK_RUN,
  FH_BLOCK_ASK,         /* run, if a person who has seen it says so */
  FH_BLOCK_SAVE,        /* written to the workspace, and not run */
  FH_BLOCK_UNSUPPORTED, /* a language that Fumehood does not know: nothing after it is run */
  FH_BLOCK_BAD_NAME,    /* its file name leads out of the workspace: likewise */
  FH_BLOCK_UNCLOSED,    /* a here-document of it has no end: likewise */
} FhBlockAction;

/* A code block of an answer. */
typedef struct
{
  guint number;               /* in its answer, from 1 on */
  guint n_blocks;             /* that its answer has */
  char *word;                 /* what stands behind the fence, in lower case; "" if nothing does */
  const FhLanguage *language; /* NULL if it is not one that can be run */
  gboolean is_guess;          /* the language was found by looking at the code */
  gboolean is_asked;          /* a person is to be asked before it runs, also by another block */
  FhBlockAction action;
  char *info;      /* all that stands behind the fence; NULL if that is only the word */
  char *above;     /* the line above it or above an empty one, which may name its file: "Create
                      `a.html`:"; "" for none and a long one */
  char *file_name; /* of its first line, "# filename: a/b.py", of the line above, or one of ours; as
                      it is for a bad one */
  char *code; /* with its last newline; without the prompts of a terminal, and with an empty line
                 for each of output; "\r\n" becomes "\n" */
  guint line; /* of its first line of code in the answer, from 1 on */
  gboolean is_open;        /* the answer ends in the block */
  gboolean is_typed;       /* the code is what was typed of a terminal's text */
  gboolean is_shifted;     /* the indentation that all lines share was taken off */
  guint thoughts;          /* the line that ends what the model wrote for itself before it; or 0 */
  guint passed;            /* the line of a fence that could end it, but is part of a text; or 0 */
  char *mended;            /* the lines in which characters were replaced: "3, 7"; nullable */
  guint needed_by;         /* the number of the first other block that needs its file; or 0 */
  gboolean is_named_by_us; /* the answer names no file */
  gboolean is_named_by_need; /* only another block makes its name one */
  guint run_by;              /* the number of one that runs its file, or imports it; or 0 */
  guint end_line;            /* in which the model ended its answer, with a token; or 0 */
  char *end_token;           /* "<|im_end|>", for the last block; NULL without that line */
  guint missing_line;        /* in which a here-document without an end begins */
  char *missing_end;         /* its word; NULL if all have an end */
} FhAnswerBlock;

/* A program that is given as such, to run. */
FhAnswerBlock *fh_answer_block_new (const FhLanguage *language, const char *code);
void fh_answer_block_free (FhAnswerBlock *block);

/* The code blocks of a model's whole answer, which is Markdown.
 * (element-type FhAnswerBlock) */
GPtrArray *fh_answer_find_blocks (const char *text);

/* Returns the word that policies use: "run", "ask", "save", "unsupported", "bad-name",
 * "unclosed". */
const char *fh_block_action_to_string (FhBlockAction action);
gboolean fh_block_action_from_string (const char *text, FhBlockAction *action);

/* Changes what is done with one block: FH_BLOCK_RUN, FH_BLOCK_ASK or FH_BLOCK_SAVE. `number`: of
 * the block in its answer, from 1 on. FALSE if it cannot be changed, as of an unknown language. */
gboolean fh_answer_block_set_action (FhAnswerBlock *block, guint number, FhBlockAction action);
/* Treats the block as if that language stood behind its fence. */
void fh_answer_block_set_language (FhAnswerBlock *block, guint number, const FhLanguage *language);

/* Changes what is done with blocks of a language: "javascript=run", "python=ask", or "all=save",
 * one after the other. Blocks of unknown languages and with bad names stay as they are. FALSE with
 * a sentence. */
gboolean fh_answer_set_policies (GPtrArray *blocks, const char *const *policies, GError **error);

/* Lets blocks run that are a change of files, because there is a project folder to change. To be
 * called before fh_answer_set_policies. */
void fh_answer_run_diffs (GPtrArray *blocks);

/* The code blocks of a text that is an answer: Markdown by its name, or with fences that are not in
 * a string or a comment of a program. NULL if it is a program. `file_name`: nullable. `as_written`:
 * nothing is done to the blocks so that they can be read as they are meant, of all that
 * fh_answer_block_dup_repairs() tells.
 * (element-type FhAnswerBlock) (transfer full) */
GPtrArray *fh_answer_parse (const char *file_name, const char *text, gboolean as_written);

/* (element-type FhAnswerBlock) (transfer full) */
GPtrArray *fh_answer_blocks_copy (GPtrArray *blocks);

/* Returns the line that whoever wanted code to run gets when a person has refused it. `reason`: in
 * that person's words; NULL or empty for none. (transfer full) */
char *fh_answer_dup_refusal (const char *reason);

/* "Unsupported language cobol", "Filename is not in the workspace": NULL for blocks that can be run
 * or saved. (transfer full) */
char *fh_answer_block_dup_problem (const FhAnswerBlock *block);

/* Tells what was done to the block so that it could be read as it is meant, and whether it may be
 * cut off: a sentence each. Empty if it is as it stands there. (transfer full) */
char **fh_answer_block_dup_repairs (const FhAnswerBlock *block);

/* "Python", "Python?" if that is a guess, "HTML", or the word that stands at its fence. (transfer
 * full) */
char *fh_answer_block_dup_language (const FhAnswerBlock *block);

/* "Python, line 9": where it stands in the answer. (transfer full) */
char *fh_answer_block_dup_place (const FhAnswerBlock *block);

/* "Code saved to a.html", and that this is because its language is not known. (transfer full) */
char *fh_answer_block_dup_saved (const FhAnswerBlock *block);

/* Whether the block names no language and does not look like one. */
gboolean fh_answer_block_is_unknown (const FhAnswerBlock *block);
