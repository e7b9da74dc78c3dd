/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-options.h"
#include "run-request.h"
#include "run-result.h"

/* Facts that a person wants to know first about a run that has ended, besides the sentence about
 * its end. */
typedef struct
{
  char *error; /* nullable: what a failed program said about it, readable: the program's words,
                  never ours */
  guint line;  /* of its source, or of `block`, where that happened, from 1 on; 0: unknown */
  guint block; /* of an answer, from 1 on; 0: the whole source */
  GPtrArray *blocked; /* of FhAttempt: the first of those that a guard blocked, by
                         fh_attempt_gravity, no two of which have one title */
  guint n_more;       /* how many others were blocked */
  guint n_files;      /* that it left and that can be saved */
  char *opened;       /* nullable: sentences about what guarded this run less than usual */
} FhRunSummary;

FhRunSummary *fh_run_summary_new (FhRunRequest *request, FhRunResult *result);
void fh_run_summary_free (FhRunSummary *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunSummary, fh_run_summary_free)

/* Returns the one option that would allow what was tried, and its value, or NULL. `value`:
 * (transfer full) (nullable), also set to NULL. */
const FhRunOption *fh_attempt_find_control (FhAttempt *attempt, char **value);

/* A translated sentence that says why attempts were not recorded; NULL if they were. `guards`
 * (element-type FhGuardState): what each guard did; nullable. */
const char *fh_attempts_why_unseen (const FhRunGuards *wanted, GPtrArray *guards);

/* “Blocked: Open ~/.ssh/id_rsa, Look up evil.example, and 2 more.” NULL if nothing was. `is_whole`:
 * no name is shortened. (transfer full) */
char *fh_run_summary_dup_blocked (const FhRunSummary *self, gboolean is_whole);

/* “ValueError: no” in line 3, or in line 3 of block 2, as one translated sentence in which the
 * program's words are quoted. NULL without an error. (transfer full) */
char *fh_run_summary_dup_error_sentence (const FhRunSummary *self);
