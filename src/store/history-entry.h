/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "run-result.h"

/* The score of a batch. */
typedef struct
{
  guint64 n_passed;
  guint64 n_samples; /* all of them, also those that the history does not have */
} FhHistoryScore;

/* A run in a list of the history, without its contents. Property: pinned (boolean). */
#define FH_TYPE_HISTORY_ENTRY (fh_history_entry_get_type ())
G_DECLARE_FINAL_TYPE (FhHistoryEntry, fh_history_entry, FH, HISTORY_ENTRY, GObject)

gint64 fh_history_entry_get_id (FhHistoryEntry *self);
const char *fh_history_entry_get_title (FhHistoryEntry *self);
GDateTime *fh_history_entry_get_started_at (FhHistoryEntry *self); /* UTC */
FhRunStatus fh_history_entry_get_status (FhHistoryEntry *self);
/* NULL if a newer version with more languages has written it. */
const FhLanguage *fh_history_entry_get_language (FhHistoryEntry *self);
guint64 fh_history_entry_get_wall_us (FhHistoryEntry *self);
gboolean fh_history_entry_get_pinned (FhHistoryEntry *self);
/* The image of the container; NULL: on this computer. */
const char *fh_history_entry_get_image (FhHistoryEntry *self);
/* The first lines of the source; of an answer, which of its blocks were to run. */
const char *fh_history_entry_get_snippet (FhHistoryEntry *self);
/* Bytes; 0 if unknown, as for runs of earlier versions. */
guint64 fh_history_entry_get_memory_peak (FhHistoryEntry *self);
/* How many attempts a guard stopped; 0 if unknown. */
guint fh_history_entry_get_n_stopped (FhHistoryEntry *self);
/* How many samples of a batch are in the history; else 0. */
guint fh_history_entry_get_n_samples (FhHistoryEntry *self);
/* The verdict of a sample, “passed” or why not; else NULL. */
const char *fh_history_entry_get_verdict (FhHistoryEntry *self);
/* NULL: it is no batch, or one of an earlier version. */
const FhHistoryScore *fh_history_entry_get_score (FhHistoryEntry *self);

/* The run as JSON, as it is exported. (transfer full) */
char *fh_history_entry_export (FhHistoryEntry *self, FhRunRequest *request, FhRunResult *result);
