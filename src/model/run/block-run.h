/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "output-log.h"
#include "run-language.h"

/* The values are part of the history's file format, by their words. */
typedef enum
{
  FH_BLOCK_END_NOT_RUN,
  FH_BLOCK_END_DONE,
  FH_BLOCK_END_FAILED,
  FH_BLOCK_END_STOPPED,
  FH_BLOCK_END_SAVED,
  FH_BLOCK_END_REFUSED,
} FhBlockEnd;

/* Tells what became of one block when its answer was run. */
typedef struct
{
  guint number;               /* in its answer, from 1 on */
  guint n_blocks;             /* that its answer has */
  const FhLanguage *language; /* nullable: unknown */
  FhBlockEnd end;
  char *file_name; /* nullable: the block has none */
  char *heading;   /* the line above its output; NULL if the block had no turn */
  char *words;     /* the lines below its output, the first one about its end; nullable */
  guint64 own_us;  /* fh_run_outcome_own_us; 0 if it did not */
  /* The place of its output in that of the answer, in bytes, for stdout and stderr. */
  guint64 offsets[2];
  guint64 sizes[2];
  guint64 left_out[2]; /* bytes that it wrote besides, which were not kept */
} FhBlockRun;

void fh_block_run_free (FhBlockRun *self);
/* Both: (transfer full) (element-type FhBlockRun) */
GPtrArray *fh_block_runs_new (void);
GPtrArray *fh_block_runs_copy (GPtrArray *runs);
/* That of the block with this number; NULL if there is none, also of NULL. */
const FhBlockRun *fh_block_runs_find (GPtrArray *runs, guint number);

/* How many bytes all of them wrote to that stream, kept or not. */
guint64 fh_block_runs_count_bytes (GPtrArray *runs, FhStream stream);

/* Returns what the block wrote, of the output of its answer. Frozen. (transfer full) */
FhOutputLog *fh_block_run_dup_output (const FhBlockRun *self, FhOutputLog *answer);

/* Whether the same blocks had a turn. Either is nullable: a program. */
gboolean fh_block_runs_are_alike (GPtrArray *a, GPtrArray *b);

/* "Block 2 of 3: Python", or "3 blocks: Bash, Python". NULL without blocks. (transfer full) */
char *fh_block_runs_dup_text (GPtrArray *runs);

/* Adds them as the member "answer_blocks". */
void fh_block_runs_add_to_json (GPtrArray *runs, JsonObject *object);
/* Reads that member. NULL if it is missing or damaged: the rest tells all that matters. (transfer
 * full) */
GPtrArray *fh_block_runs_from_json (JsonObject *object);
