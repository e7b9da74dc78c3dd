/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-entry.h"

#define FH_HISTORY_ERROR (fh_history_error_quark ())

typedef enum
{
  FH_HISTORY_ERROR_OPEN,      /* the database can be neither opened nor created */
  FH_HISTORY_ERROR_READ_ONLY, /* it can be read but not written */
  FH_HISTORY_ERROR_FULL,      /* the disk is full; nothing was changed */
  FH_HISTORY_ERROR_DAMAGED,   /* it holds invalid data */
  FH_HISTORY_ERROR_NOT_FOUND, /* no run of that id */
  FH_HISTORY_ERROR_FAILED,
} FhHistoryError;

GQuark fh_history_error_quark (void);

/* The history of all runs: one SQLite database, shared by windows and the command line. `_async`
 * calls work in a thread of GIO's pool, one at a time and in the order of the calls. The others
 * block.
 *
 * Signals:
 *   changed: something was added, changed or deleted, through this object or, as found by
 *     fh_history_refresh_async, by another process
 *   notice (const char *sentence): the database was damaged and replaced. Not emitted if
 *     fh_history_open_finish returned the sentence. */
#define FH_TYPE_HISTORY (fh_history_get_type ())
G_DECLARE_FINAL_TYPE (FhHistory, fh_history, FH, HISTORY, GObject)

/* $XDG_STATE_HOME/fumehood/history.db */
char *fh_history_default_path (void);

/* Opens lazily at the first call. NULL takes the default path. */
FhHistory *fh_history_new (const char *path);
const char *fh_history_get_path (FhHistory *self);

/* Opens now. A damaged database is renamed to "history.db.damaged-<time>" and replaced by one with
 * all runs that could be read completely; `notice` is then a sentence that names the renamed file,
 * else NULL. Damage found later is handled in the same way. A database of a newer version or of
 * another program is refused and left unchanged. */
void fh_history_open_async (FhHistory *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean
fh_history_open_finish (FhHistory *self, GAsyncResult *result, char **notice, GError **error);

/* Returns the new id, or -1. */
gint64 fh_history_add (FhHistory *self, FhRunRequest *request, FhRunResult *result, GError **error);
void fh_history_add_async (FhHistory *self,
                           FhRunRequest *request,
                           FhRunResult *result,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gint64 fh_history_add_finish (FhHistory *self, GAsyncResult *result, GError **error);

/* A batch is a run with samples, which are runs as well, but only listed with it. Its id is
 * reserved first, and given up with the samples if the process ends before it is added. A batch
 * that started at the same time replaces the earlier entry, so that an unfinished one can be saved
 * again. */
gint64 fh_history_reserve (FhHistory *self, GError **error);
gint64 fh_history_add_reserved (FhHistory *self,
                                gint64 reserved,
                                FhRunRequest *request,
                                FhRunResult *result,
                                GError **error);
/* `score`: how many of its samples passed; NULL if they are not judged. */
gint64 fh_history_add_scored (FhHistory *self,
                              gint64 reserved,
                              const FhHistoryScore *score,
                              FhRunRequest *request,
                              FhRunResult *result,
                              GError **error);
/* Both are finished by fh_history_add_finish. */
void fh_history_reserve_async (FhHistory *self, GAsyncReadyCallback callback, gpointer user_data);
void fh_history_add_reserved_async (FhHistory *self,
                                    gint64 reserved,
                                    FhRunRequest *request,
                                    FhRunResult *result,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
/* `verdict`: “passed”, perhaps with a caveat, or the reason of the failure. Without a callback it
 * is written together with others, at the latest before what is asked for next. Finished by
 * fh_history_change_finish. */
void fh_history_add_sample_async (FhHistory *self,
                                  gint64 batch,
                                  FhRunRequest *request,
                                  FhRunResult *result,
                                  const char *verdict,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
/* Lists the samples in the order in which they were added. Finished by fh_history_list_finish. */
void fh_history_list_samples_async (FhHistory *self,
                                    gint64 batch,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

/* Newest first. `search`: words that title, source or output must contain (FTS5; prefixes match;
 * any text is safe); NULL or empty for all. (transfer full) (element-type FhHistoryEntry) */
GPtrArray *
fh_history_list (FhHistory *self, const char *search, guint offset, guint limit, GError **error);
void fh_history_list_async (FhHistory *self,
                            const char *search,
                            guint offset,
                            guint limit,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
GPtrArray *fh_history_list_finish (FhHistory *self, GAsyncResult *result, GError **error);

/* Each out argument may be NULL. (transfer full) */
gboolean fh_history_load (FhHistory *self,
                          gint64 id,
                          FhHistoryEntry **entry,
                          FhRunRequest **request,
                          FhRunResult **result,
                          GError **error);
void fh_history_load_async (FhHistory *self,
                            gint64 id,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean fh_history_load_finish (FhHistory *self,
                                 GAsyncResult *result,
                                 FhHistoryEntry **entry,
                                 FhRunRequest **request,
                                 FhRunResult **run_result,
                                 GError **error);

/* Finishes each of the calls below. */
gboolean fh_history_change_finish (FhHistory *self, GAsyncResult *result, GError **error);

/* Pinned runs are not removed by pruning. */
void fh_history_set_pinned_async (FhHistory *self,
                                  gint64 id,
                                  gboolean pinned,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

/* Hides a run, or restores it: possible until fh_history_purge removes it, or opening or pruning an
 * hour later does. */
void fh_history_set_deleted_async (FhHistory *self,
                                   gint64 id,
                                   gboolean deleted,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/* Removes deleted runs for good and overwrites them on disk. Blocks. */
gboolean fh_history_purge (FhHistory *self, GError **error);

/* Removes runs that were deleted more than an hour ago, and all but the newest `keep` runs that are
 * not pinned (0: keeps all). */
void fh_history_prune_async (FhHistory *self,
                             guint keep,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

/* Emits "changed" if another process has changed something since the last call. Takes about a
 * microsecond. */
void fh_history_refresh_async (FhHistory *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);

/* An entry of a run of this process that still goes on: it was saved because the process may be
 * killed, and is replaced at the end. Both of the main thread only. */
void fh_history_set_running (FhHistory *self, gint64 id, gboolean is_running);
gboolean fh_history_is_running (FhHistory *self, gint64 id);

/* Blocks until all calls are done and, if no other process reads it, everything is in the file of
 * the history itself; for example before the app quits. */
void fh_history_flush (FhHistory *self);
