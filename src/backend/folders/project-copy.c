/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "project-copy.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "folder-edit.h"
#include "folder-tree.h"
#include "path-error.h"
#include "run-lock.h"
#include "work-folder.h"

/* So much of a mounted folder is read to compare it. */
#define READ_MAX_BYTES ((guint64) 512 << 20)
/* The digest of a file of which none is known: applying finds that it has changed. */
#define NO_DIGEST "0000000000000000000000000000000000000000000000000000000000000000"

FhFolderPlace
fh_folder_place_of (FhOpenedPath *folder)
{
  FhFolderPlace place = { .path = folder->path, .device = folder->device, .inode = folder->inode };
  struct statx info;

  if (statx (folder->fd, "", AT_EMPTY_PATH, STATX_BTIME, &info) == 0 &&
      (info.stx_mask & STATX_BTIME) != 0)
    place.born_us = info.stx_btime.tv_sec * G_USEC_PER_SEC + info.stx_btime.tv_nsec / 1000;
  return place;
}

gboolean
fh_folder_place_is_same (const FhFolderPlace *a, const FhFolderPlace *b)
{
  if (a->inode != b->inode)
    return FALSE;
  return a->born_us != 0 && b->born_us != 0 ? a->born_us == b->born_us : a->device == b->device;
}

static FhOpenedPath *
open_folder (const char *path, GError **error)
{
  GError *reason = NULL;
  g_autoptr (FhOpenedPath) folder = fh_opened_path_new (path, NULL, &reason);

  if (folder == NULL)
    fh_path_explain (error,
                     reason,
                     /* Translators: the path of a folder, then the system's reason. */
                     _ ("The project folder “%s” cannot be opened: %s."),
                     path);
  else if (!S_ISDIR (folder->mode))
    fh_path_refuse (error, _ ("The project folder “%s” is not a folder."), path);
  else if (fh_work_folder_check (folder, error))
    return g_steal_pointer (&folder);
  return NULL;
}

FhProjectCopy *
fh_project_copy_new (const char *path,
                     GPtrArray *handed,
                     gboolean is_mounted,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (FhProjectCopy) self = g_new0 (FhProjectCopy, 1);
  g_autoptr (FhRunLock) lock = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self->is_mounted = is_mounted;
  self->opened_us = g_get_real_time ();
  self->handed = handed != NULL ? g_ptr_array_ref (handed) : NULL;
  self->folder = open_folder (path, error);
  if (self->folder == NULL)
    return NULL;
  if (is_mounted)
    {
      self->files = g_ptr_array_new ();
      return g_steal_pointer (&self);
    }
  /* While it is read only: the run does not change it. */
  lock = fh_run_lock_new (error);
  if (lock == NULL || !fh_run_lock_take_folder (lock, self->folder, error))
    return NULL;
  self->files = fh_exchange_read (self->folder, FALSE, &self->notes, cancellable, error);
  return self->files != NULL ? g_steal_pointer (&self) : NULL;
}

void
fh_project_copy_free (FhProjectCopy *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->folder, fh_opened_path_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->handed, g_ptr_array_unref);
  g_clear_pointer (&self->removed, g_strfreev);
  g_clear_pointer (&self->notes.hidden, g_ptr_array_unref);
  g_free (self);
}

static GHashTable *
index_files (GPtrArray *files)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      FhRunFile *file = files->pdata[i];

      if (!file->is_in_tmp)
        g_hash_table_insert (index, file->path, file);
    }
  return index;
}

static gboolean
is_removed (FhProjectCopy *self, const char *path)
{
  return self->removed != NULL && g_strv_contains ((const char *const *) self->removed, path);
}

static gboolean
lies_in (const char *path, const char *folder)
{
  return g_str_has_prefix (path, folder) && path[strlen (folder)] == '/';
}

/* There is no room where a file is to be instead, or a folder for one, which hides what was there
 * as well. */
static gboolean
has_room (FhProjectCopy *self, const char *path)
{
  for (guint i = 0; self->handed != NULL && i < self->handed->len; i++)
    {
      const FhRunFile *file = self->handed->pdata[i];

      if (!file->is_in_tmp && (g_str_equal (file->path, path) || lies_in (file->path, path) ||
                               (file->kind != FH_RUN_FILE_FOLDER && lies_in (path, file->path))))
        return FALSE;
    }
  return fh_run_file_path_is_safe (path);
}

/* A mounted folder still has what was deleted: these entries hide it. */
static void
add_removed (FhProjectCopy *self, GPtrArray *files)
{
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);

  for (guint i = 0; self->removed != NULL && self->removed[i] != NULL; i++)
    {
      FhRunFile *file;

      if (!has_room (self, self->removed[i]))
        continue;
      file = fh_run_file_new (self->removed[i], nothing);
      file->kind = FH_RUN_FILE_REMOVED;
      g_ptr_array_add (files, file);
    }
}

GPtrArray *
fh_project_copy_list (FhProjectCopy *self)
{
  GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  g_autoptr (GHashTable) handed = NULL;

  g_return_val_if_fail (self != NULL, files);

  handed = index_files (self->handed);
  for (guint i = 0; i < self->files->len; i++)
    {
      const FhRunFile *file = self->files->pdata[i];

      if (!g_hash_table_contains (handed, file->path) && !is_removed (self, file->path))
        g_ptr_array_add (files, fh_run_file_copy (file));
    }
  for (guint i = 0; self->handed != NULL && i < self->handed->len; i++)
    {
      const FhRunFile *file = self->handed->pdata[i];

      g_ptr_array_add (files, fh_run_file_copy (file));
    }
  if (self->is_mounted)
    add_removed (self, files);
  return files;
}

/* One comparison: `files` has the folder's by path, `seen` the paths that are dealt with. */
typedef struct
{
  FhProjectCopy *copy;
  FhFolderChanges *changes;
  GHashTable *files;
  GHashTable *seen;
  guint n_cached;
  guint64 room; /* of READ_MAX_BYTES */
} Comparison;

/* The user's file; the strings are owned. */
typedef struct
{
  gboolean exists;
  FhFolderChangeProblem problem; /* that it is no regular file */
  guint64 size;
  gboolean is_program;
  char *digest;
} Original;

static void
original_clear (Original *original)
{
  g_free (original->digest);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Original, original_clear)

/* Without a digest if it cannot be known what the program has seen: it was changed during the run,
 * or cannot be read. */
static void
read_original (Comparison *self, int parent, const char *name, Original *original)
{
  g_auto (FhTreeFile) file = { 0 };
  struct stat info;

  if (fstatat (parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR (info.st_mode))
    return;
  original->exists = TRUE;
  original->problem = S_ISREG (info.st_mode)   ? FH_FOLDER_CHANGE_FINE
                      : S_ISLNK (info.st_mode) ? FH_FOLDER_CHANGE_LINK
                                               : FH_FOLDER_CHANGE_SPECIAL;
  original->size = S_ISREG (info.st_mode) ? (guint64) info.st_size : 0;
  original->is_program = S_ISREG (info.st_mode) && (info.st_mode & S_IXUSR) != 0;
  if (info.st_ctim.tv_sec * G_USEC_PER_SEC + info.st_ctim.tv_nsec / 1000 < self->copy->opened_us &&
      fh_tree_read (parent, name, MIN (FH_FOLDER_EDIT_MAX, self->room), &file) && file.exists)
    {
      self->room -= g_bytes_get_size (file.content);
      original->digest = g_steal_pointer (&file.digest);
    }
  else
    original->digest = g_strdup (NO_DIGEST);
}

static Original
find_original (Comparison *self, const char *path)
{
  const FhRunFile *old = g_hash_table_lookup (self->files, path);
  Original original = { 0 };
  fh_autofd int parent = -1;
  const char *name;

  if (old != NULL)
    return (Original){
      .exists = TRUE,
      .size = g_bytes_get_size (old->content),
      .is_program = (old->mode & S_IXUSR) != 0,
      .digest = fh_tree_digest (old->content),
    };
  if (!self->copy->is_mounted)
    return original;
  parent = fh_tree_open_parent (self->copy->folder->fd, path, NULL, &name);
  if (parent >= 0)
    read_original (self, parent, name, &original);
  return original;
}

static void
add (Comparison *self, const Original *old, FhFolderChangeFacts *facts)
{
  g_autoptr (FhFolderChange) change = NULL;

  if (old->exists)
    {
      facts->old_size = old->size;
      facts->old_sha256 = old->digest;
      facts->was_program = old->is_program;
      if (facts->problem == FH_FOLDER_CHANGE_FINE)
        facts->problem = old->problem;
    }
  if (fh_repository_folder_holds (self->copy->folder->fd, facts->path))
    facts->problem = FH_FOLDER_CHANGE_VERSION_CONTROL;
  change = fh_folder_change_new (facts);
  if (change != NULL)
    fh_folder_changes_add (self->changes, change);
}

static FhFolderChangeProblem
problem_of (const FhResultFileFacts *facts)
{
  if (facts->kind == FH_RESULT_FILE_LINK)
    return FH_FOLDER_CHANGE_LINK;
  if (facts->kind == FH_RESULT_FILE_SPECIAL)
    return FH_FOLDER_CHANGE_SPECIAL;
  return facts->content != NULL ? FH_FOLDER_CHANGE_FINE : FH_FOLDER_CHANGE_TOO_LARGE;
}

/* Applying changes no permissions, so they do not count. */
static gboolean
is_same (const Original *old, const FhResultFileFacts *facts)
{
  g_autofree char *digest = NULL;

  if (!old->exists || facts->content == NULL || old->size != g_bytes_get_size (facts->content))
    return FALSE;
  digest = fh_tree_digest (facts->content);
  return g_str_equal (digest, old->digest);
}

static void
compare_file (Comparison *self, const FhResultFileFacts *facts)
{
  g_auto (Original) old = { 0 };

  if (!g_hash_table_add (self->seen, (gpointer) facts->path))
    return;
  if (fh_exchange_path_stays (facts->path) &&
      fh_executing_path_find (facts->path, NULL) < FH_EXECUTES_BY_ITSELF)
    {
      self->n_cached++;
      return;
    }
  old = find_original (self, facts->path);
  if (is_same (&old, facts))
    return;
  add (self,
       &old,
       &(FhFolderChangeFacts){
           .path = facts->path,
           .kind = old.exists ? FH_FOLDER_CHANGE_CHANGED : FH_FOLDER_CHANGE_ADDED,
           .problem = problem_of (facts),
           .new_size = facts->size,
           .is_program = facts->is_program,
           .content = facts->content,
       });
}

static void
compare_left (Comparison *self, FhResultFiles *left, const char *program)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (left)); i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (left, i));

      if (!g_str_equal (facts->path, program))
        compare_file (self, facts);
    }
}

static void
compare_gone (Comparison *self, const char *path)
{
  g_auto (Original) old = { 0 };

  if (!g_hash_table_add (self->seen, (gpointer) path))
    return;
  old = find_original (self, path);
  if (old.exists)
    add (self, &old, &(FhFolderChangeFacts){ .path = path, .kind = FH_FOLDER_CHANGE_DELETED });
}

/* Adds the files that this run was given and has left as they were. A folder without files is no
 * change. */
static void
compare_handed (Comparison *self)
{
  GPtrArray *handed = self->copy->handed;

  for (guint i = 0; handed != NULL && i < handed->len; i++)
    {
      const FhRunFile *file = handed->pdata[i];

      if (file->is_in_tmp || file->kind == FH_RUN_FILE_FOLDER)
        continue;
      if (file->kind == FH_RUN_FILE_LINK)
        compare_file (self,
                      &(FhResultFileFacts){ .path = file->path, .kind = FH_RESULT_FILE_LINK });
      else
        compare_file (self,
                      &(FhResultFileFacts){ .path = file->path,
                                            .is_program = (file->mode & S_IXUSR) != 0,
                                            .size = g_bytes_get_size (file->content),
                                            .content = file->content });
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
tell_hidden (FhProjectCopy *self, FhFolderChanges *changes)
{
  GPtrArray *names = self->notes.hidden;
  g_auto (GStrv) hidden = NULL;

  if (self->is_mounted)
    return;
  hidden = g_new0 (char *, names->len + 1);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    hidden[i] = g_strdup (names->pdata[i]);
  fh_folder_changes_set_hidden (changes, hidden, self->notes.n_hidden);
}

FhFolderChanges *
fh_project_copy_find_changes (FhProjectCopy *self, FhResultFiles *left, const char *program)
{
  const FhFolderPlace place = fh_folder_place_of (self->folder);
  g_autoptr (FhFolderChanges) changes = fh_folder_changes_new (&place);
  g_autoptr (GHashTable) files = index_files (self->files);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  Comparison comparison = { self, changes, files, seen, 0, READ_MAX_BYTES };
  GPtrArray *gone;
  guint n_left_out;

  g_return_val_if_fail (FH_IS_RESULT_FILES (left), NULL);
  g_return_val_if_fail (program != NULL, NULL);

  gone = fh_result_files_get_facts (left)->gone;
  compare_left (&comparison, left, program);
  for (guint i = 0; i < gone->len; i++)
    compare_gone (&comparison, gone->pdata[i]);
  compare_handed (&comparison);
  for (guint i = 0; self->removed != NULL && self->removed[i] != NULL; i++)
    compare_gone (&comparison, self->removed[i]);
  tell_hidden (self, changes);
  n_left_out = fh_result_files_get_facts (left)->n_left_out;
  if (n_left_out == 0 && fh_result_files_get_facts (left)->is_incomplete)
    n_left_out = 1;
  fh_folder_changes_set_left_out (changes, comparison.n_cached, n_left_out);
  return g_steal_pointer (&changes);
}
