/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"

G_BEGIN_DECLS

/* One wish to the history with all it needs and all it yields; zero is nothing. */
typedef struct _FhHistoryJob FhHistoryJob;

typedef enum
{
  FH_HISTORY_JOB_OPEN,
  FH_HISTORY_JOB_ADD,
  FH_HISTORY_JOB_LIST,
  FH_HISTORY_JOB_LOAD,
  FH_HISTORY_JOB_SET_PINNED,
  FH_HISTORY_JOB_DELETE,
  FH_HISTORY_JOB_RESTORE,
  FH_HISTORY_JOB_PURGE,
  FH_HISTORY_JOB_PRUNE,
  FH_HISTORY_JOB_REFRESH,
} FhHistoryJobKind;

struct _FhHistoryJob
{
  FhHistoryJobKind kind;

  gint64 id;
  gboolean pinned;
  guint offset;
  guint limit; /* of a list; of a pruning: how many to keep */
  char *search;
  GCancellable *cancellable; /* of a list, borrowed */

  FhRunRequest *request; /* to add, or what was loaded */
  FhRunResult *result;
  FhHistoryEntry *entry;
  GPtrArray *entries;
  char *notice;
  gboolean changed; /* others must look again */
};

void fh_history_job_clear (FhHistoryJob *job);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhHistoryJob, fh_history_job_clear)

/* Does it in the calling thread, when it is its turn. Emits nothing. */
gboolean fh_history_perform (FhHistory *self, FhHistoryJob *job, GError **error);

/* What all the calls that do not block have in common. `job` is emptied. */
void fh_history_perform_async (FhHistory *self,
                               FhHistoryJob *job,
                               gpointer source_tag,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
/* The job with its yield; it belongs to `result`. NULL when it failed. */
FhHistoryJob *fh_history_perform_finish (FhHistory *self,
                                         GAsyncResult *result,
                                         gpointer source_tag,
                                         GError **error);

/* What was noticed or changed is told to those who listen, in their own thread. */
void fh_history_announce (FhHistory *self, const FhHistoryJob *job);

G_END_DECLS
