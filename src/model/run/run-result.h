/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

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

/* The parts of a result. fh_run_result_new copies or references those that it is given; of a result
 * all lists but `changes` and `blocks`, and `tier`, are never NULL, but may be empty. */
typedef struct
{
  const FhRunOutcome *outcome; /* copied with its strings */
  FhOutputLog *output;         /* frozen */
  FhAttemptLog *attempts;      /* nullable: none; frozen */
  FhResultFiles *files;        /* nullable: none */
  FhFolderChanges *changes;    /* nullable: no project folder. Of a result, those that the program
                                  made in its copy of it, with the contents that `files` has */
  GPtrArray *blocks;           /* (element-type FhBlockRun), nullable: how each block of an answer
                                  ended, in their order; NULL for others, and for answers that
                                  earlier versions have recorded */
  GPtrArray *guards;           /* (element-type FhGuardState), nullable: nothing was set up */
  GDateTime *started_at;       /* UTC */
  const char *backend;         /* a machine word: "native" */
  const char *tier;            /* the same: "A"; nullable or "": nothing was set up */
  const char *sentence;        /* about the outcome; made by fh_run_result_new */
} FhRunResultParts;

FhRunResult *fh_run_result_new (const FhRunResultParts *parts);
/* Borrowed. */
const FhRunResultParts *fh_run_result_get_parts (FhRunResult *self);
/* The one thing that would help most, by the outcome and by what was printed. (transfer full)
 * (nullable) */
char *fh_run_result_dup_advice (FhRunResult *self);

/*
 * One versioned object with every field of the result and, in addition, the names that scripts know
 * from the systems Fumehood replaces: success, stdout, stderr, error, timeout, memory_exceeded,
 * exit_code, execution_time (seconds, a double). "error" is the last line that a failed program
 * wrote to stderr, with "error_from": "program"; or else the sentence, from "fumehood". "truncated"
 * tells that stdout or stderr is not whole. `show_bytes`: of each stream at most, see
 * fh_output_log_cut; 0: all. (transfer full)
 */
JsonNode *fh_run_result_to_json (FhRunResult *result, guint64 show_bytes);

/* Restores everything except the exact order of the two streams. */
FhRunResult *fh_run_result_from_json (JsonObject *object, GError **error);

/* {"guards": […]} for `fumehoodctl guards --json` and inside results. (transfer full) */
JsonArray *fh_guard_states_to_json (GPtrArray *guards);
