/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/file-saving.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "folder-writer.h"
#include "parts/calls.h"
#include "result-file-name.h"

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
  g_autoptr (GBytes) bytes = NULL;
  GTask *task;

  g_return_if_fail (FH_IS_RESULT_FILE (file) && fh_file_saving_is_possible (file));
  g_return_if_fail (G_IS_FILE (place));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_file_saving_save_async);
  bytes = fh_bytes_to_write (fh_result_file_get_facts (file)->content);
  /* Replaces the file and its permissions, which may make it executable. */
  g_file_replace_contents_bytes_async (place,
                                       bytes,
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

/* Copies that do not change while the thread reads them. */
typedef struct
{
  char *path; /* relative, and safe */
  GBytes *content;
} Item;

typedef struct
{
  char *folder; /* absolute path */
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
  g_free (saving->folder);
  g_ptr_array_unref (saving->items);
  g_free (saving);
}

static void
set_error (GError **error, const Item *item, GQuark domain, int code, const char *reason)
{
  g_set_error (error,
               domain,
               code,
               /* Translators: a file name and the reason. */
               _ ("Could not save “%s”: %s."),
               item->path,
               reason);
}

static gboolean
write_item (int folder, const Item *item, GError **error)
{
  g_autofree char *taken = NULL;
  const char *name;
  int parent = fh_folder_open_parent (folder, item->path, &name);
  gboolean ok = parent >= 0 && fh_folder_add_file (parent, name, item->content, &taken);
  int code = errno;

  if (parent >= 0)
    close (parent);
  if (!ok)
    set_error (error, item, G_IO_ERROR, (int) g_io_error_from_errno (code), g_strerror (code));
  return ok;
}

/* A symbolic link in the path has an error message of its own. */
static int
open_folder (const Saving *saving, GError **error)
{
  GError *reason = NULL;
  int folder = fh_folder_open (saving->folder, &reason);

  if (reason != NULL && reason->domain == G_IO_ERROR && saving->items->len > 0)
    {
      set_error (error,
                 g_ptr_array_index (saving->items, 0),
                 reason->domain,
                 reason->code,
                 reason->message);
      g_error_free (reason);
    }
  else if (reason != NULL)
    g_propagate_error (error, reason);
  return folder;
}

static void
save_all_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Saving *saving = data;
  GError *error = NULL;
  int folder = open_folder (saving, &error);

  for (guint i = 0; error == NULL && i < saving->items->len; i++)
    {
      if (!g_cancellable_set_error_if_cancelled (cancellable, &error))
        write_item (folder, g_ptr_array_index (saving->items, i), &error);
    }
  if (folder >= 0)
    close (folder);
  if (error != NULL)
    g_task_return_error (task, error);
  else
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
  g_autofree char *path = NULL;
  Saving *saving;
  guint n_files;

  g_return_if_fail (FH_IS_RESULT_FILES (files));
  g_return_if_fail (G_IS_FILE (folder));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_file_saving_save_all_async);
  path = g_file_get_path (folder);
  if (path == NULL)
    {
      g_task_return_new_error (task,
                               G_IO_ERROR,
                               G_IO_ERROR_NOT_SUPPORTED,
                               _ ("All files can only be saved to a folder on this computer."));
      return;
    }
  saving = g_new0 (Saving, 1);
  saving->folder = g_steal_pointer (&path);
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
