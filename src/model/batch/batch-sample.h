/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "batch-problems.h"
#include "run-request.h"

/* More could not be compared with the output that is kept. */
#define FH_BATCH_MAX_EXPECTED ((gsize) 1 << 20)

/* Where the tests of a problem ran. */
typedef enum
{
  FH_BATCH_TESTS_TOGETHER,  /* in the program's own interpreter, or there are none */
  FH_BATCH_TESTS_APART,     /* where the program cannot reach them */
  FH_BATCH_TESTS_CUT_SHORT, /* there, until the program ended without an answer */
} FhTestsPlace;

/* A program of a batch. */
typedef struct
{
  char *id;              /* unique in its batch */
  char *task_id;         /* nullable: the problem that it tries to solve */
  FhRunRequest *request; /* its title is the id */
  GBytes *expected;      /* nullable: what it has to print */
  char *marker;          /* nullable: a word that it writes at its end, see batch-marker.h */
  gboolean is_markdown;  /* its program was in a block of the completion */
  gboolean has_marks;    /* its program may not be all Python: fh_batch_completion_has_marks */
  char *fault;           /* nullable: why it cannot be run; it counts as failed */
  guint64 number;        /* its place in the whole input, from 1 */

  /* What is run where its tests run in a sandbox of their own; NULL if it has none, or they cannot.
   */
  char *program;
  JsonObject *test; /* an order of data/guest/session.py */

  /* Set when it has run. */
  guint runs;   /* how many of them say something about it; 0: it was not run */
  guint passes; /* of these */
  FhTestsPlace tests;
  char *shared;      /* nullable: why its tests ran in its own interpreter */
  GPtrArray *doubts; /* (element-type utf8): what could have made them pass without a solution */
} FhBatchSample;

void fh_batch_sample_free (FhBatchSample *sample);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchSample, fh_batch_sample_free)

/* Makes a sample of a line of JSON: “id”, “task_id”, “source” or “completion”, “language”, “stdin”,
 * “arguments”, “timeout”, “memory”, “files”, “expected_stdout”; all may be missing but the program.
 * `problems` (nullable) make a program of a completion. `fallback_id`: without an “id”. Limits may
 * be lower than those of `options`, not higher. NULL with a sentence. */
FhBatchSample *fh_batch_sample_from_json (JsonObject *object,
                                          const FhBatchProblems *problems,
                                          const FhRunOptions *options,
                                          const char *fallback_id,
                                          GError **error);

/* One that counts as failed without a run: `rest` of its line can be used (json-guard.h), and
 * `fault` says why not all of it. Its request has the line as source, and is not to be run. */
FhBatchSample *fh_batch_sample_new_bad (JsonObject *rest,
                                        const char *line,
                                        gsize size,
                                        const FhRunOptions *options,
                                        const char *fallback_id,
                                        const char *fault,
                                        GError **error);

/* Makes a sample of a file that is a program. */
FhBatchSample *fh_batch_sample_from_file (const char *path,
                                          const FhLanguage *language,
                                          const FhRunOptions *options,
                                          GError **error);

/* Adds what is not there yet. */
void fh_batch_sample_add_doubts (FhBatchSample *sample, const char *const *doubts);

/* Its tests run in its own interpreter: says why, and what the program names that could make them
 * pass without a solution. */
void fh_batch_sample_share (FhBatchSample *sample, const char *why);

/* SHA-256 of everything that decides its result. (transfer full) */
char *fh_batch_sample_dup_hash (const FhBatchSample *sample);

/* Returns in which of `count` parts the sample is, from 1: the same on every machine and in every
 * version. */
guint fh_batch_sample_shard (const FhBatchSample *sample, guint count);

/* What models write to solve a problem goes on where the prompt ends, or it is an answer in
 * Markdown, as chat models write it. Returns the first code block of Python in an answer, or the
 * first that names no language. NULL: the completion is plain, and has to stay as it is. (transfer
 * full) */
char *fh_batch_completion_unwrap (const char *completion);

/* Whether something in it is not Python but of the chat around it: a fence, or the name of a token
 * such as <|endoftext|>. */
gboolean fh_batch_completion_has_marks (const char *completion);
