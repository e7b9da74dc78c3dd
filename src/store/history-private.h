/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"

/* A request to the history with its arguments and results; all members are zero at first. */
typedef struct _FhHistoryJob FhHistoryJob;

typedef enum
{
  FH_HISTORY_JOB_OPEN,
  FH_HISTORY_JOB_ADD,
  FH_HISTORY_JOB_RESERVE,
  FH_HISTORY_JOB_ADD_SAMPLES,
  FH_HISTORY_JOB_LIST,
  FH_HISTORY_JOB_LIST_SAMPLES,
  FH_HISTORY_JOB_LOAD,
  FH_HISTORY_JOB_SET_PINNED,
  FH_HISTORY_JOB_SET_DELETED,
  FH_HISTORY_JOB_PURGE,
  FH_HISTORY_JOB_PRUNE,
  FH_HISTORY_JOB_REFRESH,
} FhHistoryJobKind;

struct _FhHistoryJob
{
  FhHistoryJobKind kind;

  gint64 id;
  gint64 reserved; /* id of what is added, or of its batch; 0: none */
  gboolean value;  /* of FH_HISTORY_JOB_SET_… */
  guint offset;
  guint limit; /* of a list; of FH_HISTORY_JOB_PRUNE: how many runs to keep */
  char *search;
  char *verdict;
  GCancellable *cancellable; /* of a list, borrowed */

  FhRunRequest *request; /* to add, or what was loaded */
  FhRunResult *result;
  FhHistoryEntry *entry;
  GPtrArray *entries;
  GPtrArray *samples; /* to add: jobs with reserved, verdict, request and result */
  char *notice;
  gboolean changed; /* emit "changed" */
};

/* Starts a call that does not block. The job's members are taken. */
void fh_history_perform_async (FhHistory *self,
                               const FhHistoryJob *job,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
/* Adds a sample that nobody waits for. It is written together with others, soon, and before
 * anything that is asked for later. Takes what the job has. */
void fh_history_add_sample_soon (FhHistory *self, const FhHistoryJob *sample);
GPtrArray *fh_history_new_samples (void);
/* Takes what the job has. */
void fh_history_samples_add (GPtrArray *samples, const FhHistoryJob *sample);
/* The job with its results, owned by `result`. NULL on failure. */
FhHistoryJob *fh_history_perform_finish (FhHistory *self, GAsyncResult *result, GError **error);
