/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-entry.h"

G_BEGIN_DECLS

#define FH_HISTORY_ERROR (fh_history_error_quark ())

typedef enum
{
  FH_HISTORY_ERROR_OPEN,      /* the database can be neither opened nor created */
  FH_HISTORY_ERROR_READ_ONLY, /* it can be read but not written */
  FH_HISTORY_ERROR_FULL,      /* the disk is full; nothing was changed */
  FH_HISTORY_ERROR_DAMAGED,   /* what was read makes no sense */
  FH_HISTORY_ERROR_NOT_FOUND, /* no run of that id */
  FH_HISTORY_ERROR_FAILED,
} FhHistoryError;

GQuark fh_history_error_quark (void);

/* The history of all runs: one SQLite database, shared by windows and the command line. Every
 * `_async` call does its work in GIO's thread pool, one at a time and in the order of the calls;
 * the plain ones block and are for the command line and tests.
 *
 * Signal "changed": something was added, changed or deleted, through this object or, as
 * fh_history_refresh found, by another process.
 * Signal "notice" (const char *sentence): the database was damaged and was set aside; not emitted
 * when fh_history_open or its finish function gave the sentence out. */
#define FH_TYPE_HISTORY (fh_history_get_type ())
G_DECLARE_FINAL_TYPE (FhHistory, fh_history, FH, HISTORY, GObject)

/* $XDG_STATE_HOME/fumehood/history.db */
char *fh_history_default_path (void);

/* Opens lazily at the first call. NULL takes the default path. */
FhHistory *fh_history_new (const char *path);

/* Opens now. A damaged database is renamed to "history.db.damaged-<time>" and a new one begun with
 * every run that could still be read whole; `notice` then gets a sentence that says so and names
 * the file (else NULL). The same happens when damage shows later on. A database of a newer
 * version or of another program is refused and left alone. */
gboolean fh_history_open (FhHistory *self, char **notice, GError **error);
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

/* The last added first. `search`: words that title, source or output must hold (FTS5; prefixes
 * match; any text is safe), NULL or empty for all. (transfer container full) (element-type
 * FhHistoryEntry) */
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

/* Pinned runs stay at the top of nothing and survive pruning. */
gboolean fh_history_set_pinned (FhHistory *self, gint64 id, gboolean pinned, GError **error);
void fh_history_set_pinned_async (FhHistory *self,
                                  gint64 id,
                                  gboolean pinned,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean fh_history_set_pinned_finish (FhHistory *self, GAsyncResult *result, GError **error);

/* Hides the run at once; it can be restored until fh_history_purge removes it for good, or
 * fh_history_open or fh_history_prune an hour later. */
gboolean fh_history_delete (FhHistory *self, gint64 id, GError **error);
void fh_history_delete_async (FhHistory *self,
                              gint64 id,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean fh_history_delete_finish (FhHistory *self, GAsyncResult *result, GError **error);

gboolean fh_history_restore (FhHistory *self, gint64 id, GError **error);
void fh_history_restore_async (FhHistory *self,
                               gint64 id,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean fh_history_restore_finish (FhHistory *self, GAsyncResult *result, GError **error);

/* Removes for good what was deleted, from the disk too: nothing of it is left in the files. */
gboolean fh_history_purge (FhHistory *self, GError **error);

/* Removes for good what was deleted more than an hour ago, and unpinned runs beyond the newest
 * `keep` (0: keep all). */
gboolean fh_history_prune (FhHistory *self, guint keep, GError **error);
void fh_history_prune_async (FhHistory *self,
                             guint keep,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean fh_history_prune_finish (FhHistory *self, GAsyncResult *result, GError **error);

/* Looks, at the price of a microsecond, whether another process changed something since the last
 * look; "changed" is emitted then. */
gboolean fh_history_refresh (FhHistory *self, GError **error);
void fh_history_refresh_async (FhHistory *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean fh_history_refresh_finish (FhHistory *self, GAsyncResult *result, GError **error);

/* Waits until everything asked for was done; for the moment before the app quits. */
void fh_history_flush (FhHistory *self);

G_END_DECLS
