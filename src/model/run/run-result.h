/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "attempt-log.h"
#include "block-run.h"
#include "folder-changes.h"
#include "guard-state.h"
#include "output-log.h"
#include "result-file.h"
#include "run-status.h"

/* How one run ended, and its results. Immutable. */
#define FH_TYPE_RUN_RESULT (fh_run_result_get_type ())
G_DECLARE_FINAL_TYPE (FhRunResult, fh_run_result, FH, RUN_RESULT, GObject)

/* The parts from which a result is put together. */
typedef struct
{
  const FhRunOutcome *outcome; /* copied with its strings */
  FhOutputLog *output;         /* frozen */
  FhAttemptLog *attempts;      /* nullable: none; frozen */
  FhResultFiles *files;        /* nullable: none */
  FhFolderChanges *changes;    /* nullable: no project folder */
  GPtrArray *blocks;           /* (element-type FhBlockRun), nullable: no answer */
  GPtrArray *guards;           /* (element-type FhGuardState), nullable: nothing was set up */
  GDateTime *started_at;       /* UTC */
  const char *backend;         /* a machine word: "native" */
  const char *tier;            /* the same: "A"; nullable: nothing was set up */
} FhRunResultParts;

FhRunResult *fh_run_result_new (const FhRunResultParts *parts);
/* The parts of `result`, borrowed: to make a similar one. */
FhRunResultParts fh_run_result_get_parts (FhRunResult *result);

const FhRunOutcome *fh_run_result_get_outcome (FhRunResult *self);
FhRunStatus fh_run_result_get_status (FhRunResult *self);
FhOutputLog *fh_run_result_get_output (FhRunResult *self);
FhAttemptLog *fh_run_result_get_attempts (FhRunResult *self); /* never NULL, may be empty */
FhResultFiles *fh_run_result_get_files (FhRunResult *self);   /* the same */
/* The changes that the program made in its copy of a project folder, with the contents that `files`
 * has; NULL without one. */
FhFolderChanges *fh_run_result_get_changes (FhRunResult *self);
/* Returns how each block of an answer ended, in their order (element-type FhBlockRun); NULL for
 * others, and for answers that earlier versions have recorded. */
GPtrArray *fh_run_result_get_blocks (FhRunResult *self);
GPtrArray *fh_run_result_get_guards (FhRunResult *self); /* never NULL, may be empty */
GDateTime *fh_run_result_get_started_at (FhRunResult *self);
const char *fh_run_result_get_backend (FhRunResult *self);
const char *fh_run_result_get_tier (FhRunResult *self); /* "" when nothing was set up */
const char *fh_run_result_get_sentence (FhRunResult *self);
/* The one thing that would help most, by the outcome and by what was printed. (transfer full)
 * (nullable) */
char *fh_run_result_dup_advice (FhRunResult *self);
