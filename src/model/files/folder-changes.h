/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "folder-change.h"

/* A folder as it was opened for a run. Applying later compares it with what its path leads to. */
typedef struct
{
  const char *path;
  guint64 device;
  guint64 inode;
  gint64 born_us; /* when it was created, since 1970; 0: the file system does not tell */
} FhFolderPlace;

/* Names below the folder that the program did not get, such as ".git": at most so many. */
#define FH_FOLDER_HIDDEN_MAX 64

typedef struct
{
  FhFolderPlace place;
  GStrv hidden;   /* some of the names that the program did not get (file name bytes); never NULL */
  guint n_hidden; /* how many there were */
  /* Not in the list: files in caches and folders of packages, which are not applied, and more than
   * could be collected. */
  guint n_cached;
  guint n_left_out;
} FhFolderChangesFacts;

/* All changes that a program made in its copy of a project folder: a GListModel of FhFolderChange,
 * sorted by path, immutable once it is in a result. */
#define FH_TYPE_FOLDER_CHANGES (fh_folder_changes_get_type ())
G_DECLARE_FINAL_TYPE (FhFolderChanges, fh_folder_changes, FH, FOLDER_CHANGES, GObject)

FhFolderChanges *fh_folder_changes_new (const FhFolderPlace *place);
const FhFolderChangesFacts *fh_folder_changes_get_facts (FhFolderChanges *self); /* borrowed */
/* Sorts it in. A second change of the same path is ignored. */
void fh_folder_changes_add (FhFolderChanges *self, FhFolderChange *change);
FhFolderChange *fh_folder_changes_get (FhFolderChanges *self, guint position); /* (transfer none) */
/* Finds a change by its exact path, or returns NULL. (transfer none) */
FhFolderChange *fh_folder_changes_find (FhFolderChanges *self, const char *path);

void fh_folder_changes_set_hidden (FhFolderChanges *self, GStrv names, guint n_hidden);
void fh_folder_changes_set_left_out (FhFolderChanges *self, guint n_cached, guint n_left_out);

/* The same list with the contents of these files; a change without one becomes NOT_KEPT, one with
 * it FINE again. (transfer full) */
FhFolderChanges *fh_folder_changes_with_files (FhFolderChanges *self, FhResultFiles *files);

/* The changes as the member "project" of a result: an object with folder, device, inode, born_us,
 * hidden (names), n_hidden, n_cached, n_left_out and changes: an array of objects with path, kind
 * ("added", "changed", "deleted"), problem ("none", "link", "special", "too-large", "not-kept",
 * "version-control"), old_size, new_size, old_sha256 (null when added), was_program, is_program,
 * executes ("not", "by-command", "by-itself", "version-control") and in_all. The contents are not
 * in it, and the last two are not read back. */
void fh_folder_changes_add_to_json (FhFolderChanges *changes, JsonObject *object);

/* `changes` is set to NULL without that member, which earlier versions did not write. FALSE with
 * FH_RUN_ERROR_INVALID. */
gboolean
fh_folder_changes_from_json (JsonObject *object, FhFolderChanges **changes, GError **error);
