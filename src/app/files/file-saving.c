/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "files/file-saving.h"

#include <glib/gi18n.h>

#include "result-file-name.h"

/* So often another name is tried. */
#define MAX_NAMES 1000

gboolean
fh_file_saving_is_possible (FhResultFile *file)
{
  const FhResultFileFacts *facts;

  g_return_val_if_fail (FH_IS_RESULT_FILE (file), FALSE);

  facts = fh_result_file_get_facts (file);
  return facts->kind == FH_RESULT_FILE_REGULAR && facts->content != NULL;
}

static void
replaced_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
fh_file_saving_save_async (FhResultFile *file,
                           GFile *place,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task;

  g_return_if_fail (FH_IS_RESULT_FILE (file) && fh_file_saving_is_possible (file));
  g_return_if_fail (G_IS_FILE (place));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_file_saving_save_async);
  /* What was there goes with its permissions: they may have let it be executed. */
  g_file_replace_contents_bytes_async (place,
                                       fh_result_file_get_facts (file)->content,
                                       NULL,
                                       FALSE,
                                       G_FILE_CREATE_REPLACE_DESTINATION,
                                       cancellable,
                                       replaced_cb,
                                       task);
}

gboolean
fh_file_saving_save_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* What the thread that writes gets: nothing that anybody else changes. */
typedef struct
{
  char *path; /* relative, and safe */
  GBytes *content;
} Item;

typedef struct
{
  GFile *folder;
  GPtrArray *items;
} Saving;

static void
item_free (Item *item)
{
  g_free (item->path);
  g_bytes_unref (item->content);
  g_free (item);
}

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->folder);
  g_ptr_array_unref (saving->items);
  g_free (saving);
}

static GFileOutputStream *
create (GFile *folder, const char *name, GCancellable *cancellable, GError **error)
{
  for (guint i = 1;; i++)
    {
      g_autofree char *other = i > 1 ? fh_result_name_with_number (name, i) : g_strdup (name);
      g_autoptr (GFile) file = g_file_get_child (folder, other);
      g_autoptr (GError) own_error = NULL;
      GFileOutputStream *stream = g_file_create (file, G_FILE_CREATE_NONE, cancellable, &own_error);

      if (stream != NULL)
        return stream;
      if (i == MAX_NAMES || !g_error_matches (own_error, G_IO_ERROR, G_IO_ERROR_EXISTS))
        {
          g_propagate_error (error, g_steal_pointer (&own_error));
          return NULL;
        }
    }
}

static gboolean
make_folder (GFile *folder, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) own_error = NULL;

  if (g_file_make_directory_with_parents (folder, cancellable, &own_error) ||
      g_error_matches (own_error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&own_error));
  return FALSE;
}

static gboolean
write_item (GFile *top, const Item *item, GCancellable *cancellable, GError **error)
{
  g_autofree char *below = g_path_get_dirname (item->path);
  g_autofree char *name = g_path_get_basename (item->path);
  g_autoptr (GFile) folder = g_file_resolve_relative_path (top, below);
  g_autoptr (GFileOutputStream) stream = NULL;
  gsize size;
  const void *data = g_bytes_get_data (item->content, &size);

  if (!g_str_equal (below, ".") && !make_folder (folder, cancellable, error))
    return FALSE;
  stream = create (folder, name, cancellable, error);
  return stream != NULL &&
         g_output_stream_write_all (G_OUTPUT_STREAM (stream),
                                    data,
                                    size,
                                    NULL,
                                    cancellable,
                                    error) &&
         g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, error);
}

static void
save_all_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Saving *saving = data;

  for (guint i = 0; i < saving->items->len; i++)
    {
      const Item *item = g_ptr_array_index (saving->items, i);
      GError *error = NULL;

      if (!write_item (saving->folder, item, cancellable, &error))
        {
          g_prefix_error (&error, _ ("“%s” could not be saved: "), item->path);
          g_task_return_error (task, error);
          return;
        }
    }
  g_task_return_int (task, saving->items->len);
}

void
fh_file_saving_save_all_async (FhResultFiles *files,
                               GFile *folder,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Saving *saving;
  guint n_files;

  g_return_if_fail (FH_IS_RESULT_FILES (files));
  g_return_if_fail (G_IS_FILE (folder));

  saving = g_new0 (Saving, 1);
  saving->folder = g_object_ref (folder);
  saving->items = g_ptr_array_new_with_free_func ((GDestroyNotify) item_free);
  n_files = g_list_model_get_n_items (G_LIST_MODEL (files));
  for (guint i = 0; i < n_files; i++)
    {
      FhResultFile *file = fh_result_files_get (files, i);
      const FhResultFileFacts *facts = fh_result_file_get_facts (file);
      Item *item;

      if (!fh_file_saving_is_possible (file))
        continue;
      item = g_new0 (Item, 1);
      item->path = fh_result_path_to_path (facts->path);
      item->content = g_bytes_ref (facts->content);
      g_ptr_array_add (saving->items, item);
    }
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_file_saving_save_all_async);
  g_task_set_task_data (task, saving, (GDestroyNotify) saving_free);
  g_task_run_in_thread (task, save_all_thread);
}

guint
fh_file_saving_save_all_finish (GAsyncResult *result, GError **error)
{
  gssize n;

  g_return_val_if_fail (g_task_is_valid (result, NULL), 0);

  n = g_task_propagate_int (G_TASK (result), error);
  return n > 0 ? (guint) n : 0;
}
