/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"

G_BEGIN_DECLS

/* The text of a tab that was not saved anywhere else, with its run settings. A plain value. */
typedef struct
{
  char *id;          /* a UUID, the file's name */
  guint position;    /* of the tab in its window */
  char *title;       /* nullable */
  char *path;        /* nullable: the file that the text was opened from or saved to */
  gboolean modified; /* the text is newer than that file */
  char *text;
  const FhLanguage *language;
  char *interpreter; /* nullable */
  char *arguments;   /* as typed */
  char *standard_input;
  FhRunLimits limits;
  FhContainerOptions *container; /* nullable: on this computer */
  guint cursor;                  /* character offset */
} FhDraft;

FhDraft *fh_draft_new (void);
FhDraft *fh_draft_copy (const FhDraft *draft);
void fh_draft_free (FhDraft *draft);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhDraft, fh_draft_free)

/* Drafts as one JSON file each under $XDG_STATE_HOME/fumehood/drafts, replaced atomically, so that
 * a crash in the middle of a write leaves the older text. */
#define FH_TYPE_DRAFTS (fh_drafts_get_type ())
G_DECLARE_FINAL_TYPE (FhDrafts, fh_drafts, FH, DRAFTS, GObject)

/* NULL takes the default folder. */
FhDrafts *fh_drafts_new (const char *folder);

/* Saves in the order of the calls; a later save of the same id replaces a waiting one. */
void fh_drafts_save_async (FhDrafts *self,
                           const FhDraft *draft,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gboolean fh_drafts_save_finish (FhDrafts *self, GAsyncResult *result, GError **error);

/* By position. Files that cannot be read or make no sense are left alone and passed over.
 * (element-type FhDraft) (transfer full) */
void fh_drafts_load_async (FhDrafts *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
GPtrArray *fh_drafts_load_finish (FhDrafts *self, GAsyncResult *result, GError **error);

void fh_drafts_remove_async (FhDrafts *self,
                             const char *id,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean fh_drafts_remove_finish (FhDrafts *self, GAsyncResult *result, GError **error);

/* Waits until everything asked for was written; for the moment before the app quits. */
void fh_drafts_flush (FhDrafts *self);

G_END_DECLS
