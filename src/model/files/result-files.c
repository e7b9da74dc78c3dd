/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-file.h"

#include "object-list.h"

struct _FhResultFiles
{
  GObject parent_instance;
  GPtrArray *items;
  GPtrArray *gone;      /* char * */
  GPtrArray *handed_on; /* FhRunFile */
  guint n_left_out;
  gboolean is_incomplete;
  gboolean is_partly_handed_on;
};

FH_DEFINE_OBJECT_LIST (FhResultFiles, fh_result_files, FhResultFile, FH_TYPE_RESULT_FILE)

static void
fh_result_files_finalize (GObject *object)
{
  g_ptr_array_unref (FH_RESULT_FILES (object)->items);
  g_ptr_array_unref (FH_RESULT_FILES (object)->gone);
  g_ptr_array_unref (FH_RESULT_FILES (object)->handed_on);
  G_OBJECT_CLASS (fh_result_files_parent_class)->finalize (object);
}

static void
fh_result_files_class_init (FhResultFilesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_result_files_finalize;
}

static void
fh_result_files_init (FhResultFiles *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->gone = g_ptr_array_new_with_free_func (g_free);
  self->handed_on = g_ptr_array_new ();
}

FhResultFiles *
fh_result_files_new (void)
{
  return g_object_new (FH_TYPE_RESULT_FILES, NULL);
}

void
fh_result_files_add (FhResultFiles *self, FhResultFile *file)
{
  g_return_if_fail (FH_IS_RESULT_FILES (self));
  g_return_if_fail (FH_IS_RESULT_FILE (file));

  g_ptr_array_add (self->items, g_object_ref (file));
  g_list_model_items_changed (G_LIST_MODEL (self), self->items->len - 1, 0, 1);
}

gboolean
fh_result_files_has (FhResultFiles *self, const char *path)
{
  g_return_val_if_fail (FH_IS_RESULT_FILES (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  for (guint i = 0; i < self->items->len; i++)
    {
      if (g_str_equal (fh_result_file_get_facts (self->items->pdata[i])->path, path))
        return TRUE;
    }
  return FALSE;
}

void
fh_result_files_set_gone (FhResultFiles *self, GPtrArray *paths)
{
  g_return_if_fail (FH_IS_RESULT_FILES (self));
  g_return_if_fail (paths != NULL);

  g_ptr_array_ref (paths);
  g_ptr_array_unref (self->gone);
  self->gone = paths;
}

GPtrArray *
fh_result_files_get_gone (FhResultFiles *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILES (self), NULL);

  return self->gone;
}

void
fh_result_files_set_handed_on (FhResultFiles *self, GPtrArray *files)
{
  g_return_if_fail (FH_IS_RESULT_FILES (self));
  g_return_if_fail (files != NULL);

  g_ptr_array_ref (files);
  g_ptr_array_unref (self->handed_on);
  self->handed_on = files;
}

GPtrArray *
fh_result_files_get_handed_on (FhResultFiles *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILES (self), NULL);

  return self->handed_on;
}

void
fh_result_files_set_partly_handed_on (FhResultFiles *self, gboolean is_partly_handed_on)
{
  g_return_if_fail (FH_IS_RESULT_FILES (self));

  self->is_partly_handed_on = is_partly_handed_on;
}

gboolean
fh_result_files_is_partly_handed_on (FhResultFiles *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILES (self), FALSE);

  return self->is_partly_handed_on;
}

void
fh_result_files_set_left_out (FhResultFiles *self, guint n_left_out, gboolean is_incomplete)
{
  g_return_if_fail (FH_IS_RESULT_FILES (self));

  self->n_left_out = n_left_out;
  self->is_incomplete = is_incomplete;
  /* Whether the list is complete may be known only after the last file. */
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 0);
}

guint
fh_result_files_get_n_left_out (FhResultFiles *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILES (self), 0);

  return self->n_left_out;
}

gboolean
fh_result_files_is_incomplete (FhResultFiles *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILES (self), FALSE);

  return self->is_incomplete;
}
