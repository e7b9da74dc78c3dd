/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* One file below a folder that is to be replaced, added or removed. */
typedef struct
{
  char *path;
  char *expected;    /* SHA-256 of what has to be there; NULL: nothing */
  GBytes *content;   /* what comes there; NULL: nothing */
  int mode;          /* permissions; -1: as before, or those of a new file */
  gint64 changed_ns; /* its time of change since 1970; -1: now */
  char *temporary;   /* the name beside it that the edit uses on its way, see below */
} FhFolderEdit;

FhFolderEdit *fh_folder_edit_new (const char *path,
                                  const char *expected,
                                  GBytes *content,
                                  int mode,
                                  gint64 changed_ns);
void fh_folder_edit_free (FhFolderEdit *edit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhFolderEdit, fh_folder_edit_free)

/* Makes all edits (element-type FhFolderEdit) below the open folder `root`, or none.
 *
 * First each new file is written beside its place: under the temporary name with "~" until it is
 * complete, then under the temporary name. Then each is exchanged with what is there, or renamed if
 * nothing may be there, in one step; only what came out decides whether it was what was expected,
 * so that no change of somebody else's is lost. If one fails, all are exchanged back. The paths of
 * created folders are appended to `made`.
 *
 * FALSE with FH_FOLDER_ERROR, a sentence. Blocks. */
gboolean fh_folder_edit_all (int root, GPtrArray *edits, GPtrArray *made, GError **error);

/* Removes what an edit of the file `path` has left under its temporary names because its process
 * was killed: what was not complete, and what is the old or the new file, by their SHA-256
 * (nullable). Anything else that lies there is a change of somebody else's, and stays. */
void fh_folder_edit_sweep (int root,
                           const char *path,
                           const char *temporary,
                           const char *old_sha256,
                           const char *new_sha256);

/* Removes these folders, the last first, as far as they are empty. */
void fh_folder_unmake (int root, GPtrArray *made);

/* Largest file that is compared or replaced. */
#define FH_FOLDER_EDIT_MAX ((guint64) 64 << 20)
