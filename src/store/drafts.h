/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "draft.h"

/* Drafts in $XDG_STATE_HOME/fumehood/drafts, one JSON file each. Files are replaced atomically:
 * after a crash during a write the older text is left.
 *
 * Signal "closed-changed": fh_drafts_pop_closed returns something else now. */
#define FH_TYPE_DRAFTS (fh_drafts_get_type ())
G_DECLARE_FINAL_TYPE (FhDrafts, fh_drafts, FH, DRAFTS, GObject)

/* NULL takes the default folder. */
FhDrafts *fh_drafts_new (const char *folder);

/* Saves in order. A later save of the same draft replaces one that has not started. */
void fh_drafts_save_async (FhDrafts *self,
                           const FhDraft *draft,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gboolean fh_drafts_save_finish (FhDrafts *self, GAsyncResult *result, GError **error);

/* Sorted by position. Damaged files are renamed, so that they are not met again, and `notice` is
 * set to a sentence about them for people, or to NULL (transfer full). Files that cannot be read,
 * or are of a newer version, are skipped and not changed. (element-type FhDraft) (transfer full) */
void fh_drafts_load_async (FhDrafts *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
GPtrArray *
fh_drafts_load_finish (FhDrafts *self, GAsyncResult *result, char **notice, GError **error);

void fh_drafts_remove_async (FhDrafts *self,
                             const char *id,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean fh_drafts_remove_finish (FhDrafts *self, GAsyncResult *result, GError **error);

/* The drafts of a tab or a window that is closed (element-type FhDraft), for one who wants it back
 * in whatever window. They are kept in memory, the last MAX_CLOSED ones. All of this belongs to the
 * main thread. A load forgets them, as those of windows are loaded by it. */
void fh_drafts_push_closed (FhDrafts *self, GPtrArray *drafts);
/* Those that were pushed last, or NULL. (transfer full) */
GPtrArray *fh_drafts_pop_closed (FhDrafts *self);
gboolean fh_drafts_has_closed (FhDrafts *self);

/* Blocks until all drafts are written, for example before the app quits. */
void fh_drafts_flush (FhDrafts *self);
