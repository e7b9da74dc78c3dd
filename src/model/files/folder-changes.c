/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-changes.h"

#include <string.h>

#include "object-list.h"

struct _FhFolderChanges
{
  GObject parent_instance;
  FhFolderPlace place; /* its path is owned */
  GPtrArray *items;
  GStrv hidden;
  guint n_hidden;
  guint n_cached;
  guint n_left_out;
};

FH_DEFINE_OBJECT_LIST (FhFolderChanges, fh_folder_changes, FhFolderChange, FH_TYPE_FOLDER_CHANGE)

static void
fh_folder_changes_finalize (GObject *object)
{
  FhFolderChanges *self = FH_FOLDER_CHANGES (object);

  g_free ((char *) self->place.path);
  g_ptr_array_unref (self->items);
  g_strfreev (self->hidden);
  G_OBJECT_CLASS (fh_folder_changes_parent_class)->finalize (object);
}

static void
fh_folder_changes_class_init (FhFolderChangesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_folder_changes_finalize;
}

static void
fh_folder_changes_init (FhFolderChanges *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->hidden = g_new0 (char *, 1);
}

FhFolderChanges *
fh_folder_changes_new (const FhFolderPlace *place)
{
  FhFolderChanges *self;

  g_return_val_if_fail (place != NULL && place->path != NULL, NULL);

  self = g_object_new (FH_TYPE_FOLDER_CHANGES, NULL);
  self->place = *place;
  self->place.path = g_strdup (place->path);
  return self;
}

const FhFolderPlace *
fh_folder_changes_get_place (FhFolderChanges *self)
{
  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), NULL);

  return &self->place;
}

/* The first that is not before `path`. */
static guint
find_place (FhFolderChanges *self, const char *path)
{
  guint low = 0;
  guint high = self->items->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      FhFolderChange *change = self->items->pdata[middle];

      if (strcmp (fh_folder_change_get_facts (change)->path, path) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

FhFolderChange *
fh_folder_changes_find (FhFolderChanges *self, const char *path)
{
  FhFolderChange *change;

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  change = fh_folder_changes_get (self, find_place (self, path));
  return change != NULL && g_str_equal (fh_folder_change_get_facts (change)->path, path) ? change
                                                                                         : NULL;
}

void
fh_folder_changes_add (FhFolderChanges *self, FhFolderChange *change)
{
  const char *path;
  guint position;

  g_return_if_fail (FH_IS_FOLDER_CHANGES (self));
  g_return_if_fail (FH_IS_FOLDER_CHANGE (change));

  path = fh_folder_change_get_facts (change)->path;
  if (fh_folder_changes_find (self, path) != NULL)
    return;
  position = find_place (self, path);
  g_ptr_array_insert (self->items, (int) position, g_object_ref (change));
  g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);
}

void
fh_folder_changes_set_hidden (FhFolderChanges *self, GStrv names, guint n_hidden)
{
  g_return_if_fail (FH_IS_FOLDER_CHANGES (self));
  g_return_if_fail (names != NULL && g_strv_length (names) <= FH_FOLDER_HIDDEN_MAX);

  g_strfreev (self->hidden);
  self->hidden = g_strdupv (names);
  self->n_hidden = n_hidden;
}

const char *const *
fh_folder_changes_get_hidden (FhFolderChanges *self, guint *n_hidden)
{
  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), NULL);

  if (n_hidden != NULL)
    *n_hidden = self->n_hidden;
  return (const char *const *) self->hidden;
}

void
fh_folder_changes_set_left_out (FhFolderChanges *self, guint n_cached, guint n_left_out)
{
  g_return_if_fail (FH_IS_FOLDER_CHANGES (self));

  self->n_cached = n_cached;
  self->n_left_out = n_left_out;
}

guint
fh_folder_changes_get_n_cached (FhFolderChanges *self)
{
  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), 0);

  return self->n_cached;
}

guint
fh_folder_changes_get_n_left_out (FhFolderChanges *self)
{
  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), 0);

  return self->n_left_out;
}

static GHashTable *
index_contents (FhResultFiles *files)
{
  GHashTable *contents = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (files, i));

      if (facts->kind == FH_RESULT_FILE_REGULAR && facts->content != NULL)
        g_hash_table_insert (contents, (gpointer) facts->path, facts->content);
    }
  return contents;
}

static FhFolderChange *
with_content (FhFolderChange *change, GHashTable *contents)
{
  FhFolderChangeFacts facts = *fh_folder_change_get_facts (change);

  if (facts.kind == FH_FOLDER_CHANGE_DELETED ||
      (facts.problem != FH_FOLDER_CHANGE_FINE && facts.problem != FH_FOLDER_CHANGE_NOT_KEPT))
    return g_object_ref (change);
  facts.content = g_hash_table_lookup (contents, facts.path);
  if (facts.content != NULL && g_bytes_get_size (facts.content) != facts.new_size)
    facts.content = NULL;
  facts.problem = facts.content != NULL ? FH_FOLDER_CHANGE_FINE : FH_FOLDER_CHANGE_NOT_KEPT;
  return fh_folder_change_new (&facts);
}

FhFolderChanges *
fh_folder_changes_with_files (FhFolderChanges *self, FhResultFiles *files)
{
  g_autoptr (GHashTable) contents = NULL;
  FhFolderChanges *joined;

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (self), NULL);
  g_return_val_if_fail (FH_IS_RESULT_FILES (files), NULL);

  contents = index_contents (files);
  joined = fh_folder_changes_new (&self->place);
  for (guint i = 0; i < self->items->len; i++)
    g_ptr_array_add (joined->items, with_content (self->items->pdata[i], contents));
  fh_folder_changes_set_hidden (joined, self->hidden, self->n_hidden);
  fh_folder_changes_set_left_out (joined, self->n_cached, self->n_left_out);
  return joined;
}
