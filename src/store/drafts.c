/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drafts.h"

#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "work-queue.h"

#define SUFFIX  ".json"
#define DAMAGED ".damaged"
#define NOTICE  "fh-notice" /* data of a task that loads */

/* How many closed tabs and windows can be reopened. */
#define MAX_CLOSED 20

/* All work is done by `queue`, in order. `waiting`: saves that have not started and are the last
 * call for their draft. A later save replaces them, so that fast typing does not queue up writes.
 */
struct _FhDrafts
{
  GObject parent_instance;

  char *folder;
  FhWorkQueue *queue;
  GQueue closed; /* (element-type GPtrArray), newest first */

  GMutex mutex;
  GHashTable *waiting; /* (element-type utf8 Save), both borrowed from the save's task */
};

G_DEFINE_FINAL_TYPE (FhDrafts, fh_drafts, G_TYPE_OBJECT)

static guint closed_changed_signal;

/* A write and the tasks that it finishes. */
typedef struct
{
  FhDraft *draft;
  GPtrArray *tasks; /* (element-type GTask) */
} Save;

static void
save_free (gpointer data)
{
  Save *save = data;

  fh_draft_free (save->draft);
  g_ptr_array_unref (save->tasks);
  g_free (save);
}

static void
fh_drafts_finalize (GObject *object)
{
  FhDrafts *self = FH_DRAFTS (object);

  g_clear_pointer (&self->queue, fh_work_queue_free);
  g_queue_clear_full (&self->closed, (GDestroyNotify) g_ptr_array_unref);
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  g_clear_pointer (&self->folder, g_free);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (fh_drafts_parent_class)->finalize (object);
}

static void
fh_drafts_class_init (FhDraftsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_drafts_finalize;
  closed_changed_signal = g_signal_new ("closed-changed",
                                        FH_TYPE_DRAFTS,
                                        G_SIGNAL_RUN_LAST,
                                        0,
                                        NULL,
                                        NULL,
                                        NULL,
                                        G_TYPE_NONE,
                                        0);
}

static void
fh_drafts_init (FhDrafts *self)
{
  g_mutex_init (&self->mutex);
  g_queue_init (&self->closed);
  self->waiting = g_hash_table_new (g_str_hash, g_str_equal);
  self->queue = fh_work_queue_new ();
}

FhDrafts *
fh_drafts_new (const char *folder)
{
  FhDrafts *self = g_object_new (FH_TYPE_DRAFTS, NULL);

  self->folder = folder ? g_strdup (folder)
                        : g_build_filename (g_get_user_state_dir (), "fumehood", "drafts", NULL);
  return self;
}

static char *
file_of (FhDrafts *self, const char *id)
{
  g_autofree char *name = g_strconcat (id, SUFFIX, NULL);

  return g_build_filename (self->folder, name, NULL);
}

static gboolean
fail (GError **error, int code, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error,
               G_IO_ERROR,
               (int) g_io_error_from_errno (code),
               /* Translators: a path, then the system's reason. */
               _ ("The draft “%s” could not be kept: %s."),
               name,
               g_strerror (code));
  return FALSE;
}

/* The id becomes a file name. */
static gboolean
check_id (const char *id, GError **error)
{
  if (id != NULL && g_uuid_string_is_valid (id))
    return TRUE;
  g_set_error_literal (error,
                       G_IO_ERROR,
                       G_IO_ERROR_INVALID_ARGUMENT,
                       _ ("This draft has no valid id."));
  return FALSE;
}

static gboolean
write_draft (FhDrafts *self, const FhDraft *draft, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *json = NULL;
  gsize size;

  if (!check_id (draft->id, error))
    return FALSE;
  path = file_of (self, draft->id);
  if (g_mkdir_with_parents (self->folder, 0700) != 0)
    return fail (error, errno, path);
  json = fh_draft_to_json (draft, &size);
  /* Writes a temporary file, syncs and renames it. */
  return g_file_set_contents_full (path,
                                   json,
                                   (gssize) size,
                                   G_FILE_SET_CONTENTS_CONSISTENT,
                                   0600,
                                   error);
}

static gboolean
is_wanted (GPtrArray *tasks)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      if (!g_cancellable_is_cancelled (g_task_get_cancellable (g_ptr_array_index (tasks, i))))
        return TRUE;
    }
  return FALSE;
}

static void
answer (GPtrArray *tasks, const GError *error)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      GTask *task = g_ptr_array_index (tasks, i);

      if (error)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_boolean (task, TRUE);
    }
}

static void
save_in_thread (GTask *piece)
{
  FhDrafts *self = g_task_get_source_object (piece);
  Save *save = g_task_get_task_data (piece);
  g_autoptr (GError) error = NULL;

  /* The draft cannot be replaced from now on. */
  g_mutex_lock (&self->mutex);
  if (g_hash_table_lookup (self->waiting, save->draft->id) == save)
    g_hash_table_remove (self->waiting, save->draft->id);
  g_mutex_unlock (&self->mutex);

  if (is_wanted (save->tasks))
    write_draft (self, save->draft, &error);
  else
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Saving was stopped."));
  answer (save->tasks, error);
  g_task_return_boolean (piece, TRUE);
}

static GTask *
new_task (FhDrafts *self,
          gpointer source_tag,
          GCancellable *cancellable,
          GAsyncReadyCallback callback,
          gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, source_tag);
  g_task_set_check_cancellable (task, FALSE);
  return task;
}

/* Must be called with the mutex held. */
static gboolean
join_waiting (FhDrafts *self, const FhDraft *draft, GTask *task)
{
  Save *save = g_hash_table_lookup (self->waiting, draft->id);

  if (save == NULL)
    return FALSE;
  /* The table's key is the id of the draft that is replaced. */
  g_hash_table_remove (self->waiting, draft->id);
  fh_draft_free (save->draft);
  save->draft = fh_draft_copy (draft);
  g_ptr_array_add (save->tasks, task);
  g_hash_table_insert (self->waiting, save->draft->id, save);
  return TRUE;
}

void
fh_drafts_save_async (FhDrafts *self,
                      const FhDraft *draft,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task;
  GTask *piece;
  Save *save;

  g_return_if_fail (FH_IS_DRAFTS (self));
  g_return_if_fail (draft != NULL);
  g_return_if_fail (draft->id != NULL);

  task = new_task (self, fh_drafts_save_async, cancellable, callback, user_data);
  g_mutex_lock (&self->mutex);
  if (!join_waiting (self, draft, task))
    {
      save = g_new (Save, 1);
      save->draft = fh_draft_copy (draft);
      save->tasks = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (save->tasks, task);
      g_hash_table_insert (self->waiting, save->draft->id, save);
      piece = new_task (self, fh_drafts_save_async, NULL, NULL, NULL);
      g_task_set_task_data (piece, save, save_free);
      fh_work_queue_push (self->queue, piece, save_in_thread);
    }
  g_mutex_unlock (&self->mutex);
}

gboolean
fh_drafts_save_finish (FhDrafts *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_drafts_save_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* An older one of that name is replaced: it was the same draft. FALSE if it stays as it is. */
static gboolean
set_aside (const char *path)
{
  g_autofree char *aside = g_strconcat (path, DAMAGED, NULL);

  return g_rename (path, aside) == 0;
}

/* NULL if the file is not a valid draft; counts those that were damaged and are renamed. */
static FhDraft *
read_draft (FhDrafts *self, const char *name, guint *n_damaged)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autofree char *id = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  FhDraft *draft = NULL;
  gsize size;

  if (!g_str_has_suffix (name, SUFFIX))
    return NULL;
  id = g_strndup (name, strlen (name) - strlen (SUFFIX));
  /* Opening a pipe would block. */
  if (!g_uuid_string_is_valid (id) || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return NULL;
  if (g_file_get_contents (path, &json, &size, &error))
    draft = fh_draft_from_json (id, json, size, &error);
  if (draft != NULL)
    return draft;
  g_debug ("A draft was passed over: %s", error->message);
  if (json != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    *n_damaged += set_aside (path);
  return NULL;
}

/* NULL if none was. */
static char *
describe_damaged (FhDrafts *self, guint n_damaged)
{
  g_autofree char *folder = g_filename_display_name (self->folder);

  if (n_damaged == 0)
    return NULL;
  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   /* Translators: a number, the path of a folder. */
                   "The draft of %u tab is damaged and was not opened. Its file in “%s” now ends "
                   "with “.damaged”.",
                   "The drafts of %u tabs are damaged and were not opened. Their files in “%s” now "
                   "end with “.damaged”.",
                   n_damaged),
      n_damaged,
      folder);
}

static int
compare_drafts (gconstpointer a, gconstpointer b)
{
  const FhDraft *first = *(const FhDraft *const *) a;
  const FhDraft *second = *(const FhDraft *const *) b;

  if (first->position != second->position)
    return first->position < second->position ? -1 : 1;
  return strcmp (first->id, second->id);
}

static void
load_in_thread (GTask *task)
{
  FhDrafts *self = g_task_get_source_object (task);
  g_autoptr (GPtrArray) drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_draft_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) folder = g_dir_open (self->folder, 0, &error);
  const char *name;
  guint n_damaged = 0;

  if (folder == NULL && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      FhDraft *draft = read_draft (self, name, &n_damaged);

      if (draft)
        g_ptr_array_add (drafts, draft);
    }
  g_ptr_array_sort (drafts, compare_drafts);
  g_object_set_data_full (G_OBJECT (task), NOTICE, describe_damaged (self, n_damaged), g_free);
  g_task_return_pointer (task, g_steal_pointer (&drafts), (GDestroyNotify) g_ptr_array_unref);
}

void
fh_drafts_load_async (FhDrafts *self,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_return_if_fail (FH_IS_DRAFTS (self));

  g_queue_clear_full (&self->closed, (GDestroyNotify) g_ptr_array_unref);
  g_signal_emit (self, closed_changed_signal, 0);
  fh_work_queue_push (self->queue,
                      new_task (self, fh_drafts_load_async, cancellable, callback, user_data),
                      load_in_thread);
}

GPtrArray *
fh_drafts_load_finish (FhDrafts *self, GAsyncResult *result, char **notice, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_drafts_load_async), NULL);

  if (notice != NULL)
    *notice = g_object_steal_data (G_OBJECT (result), NOTICE);
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
remove_in_thread (GTask *task)
{
  FhDrafts *self = g_task_get_source_object (task);
  const char *id = g_task_get_task_data (task);
  g_autofree char *path = NULL;
  GError *error = NULL;

  if (check_id (id, &error))
    {
      path = file_of (self, id);
      if (g_unlink (path) != 0 && errno != ENOENT)
        fail (&error, errno, path);
    }
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
fh_drafts_remove_async (FhDrafts *self,
                        const char *id,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GTask *task;

  g_return_if_fail (FH_IS_DRAFTS (self));
  g_return_if_fail (id != NULL);

  task = new_task (self, fh_drafts_remove_async, cancellable, callback, user_data);
  g_task_set_task_data (task, g_strdup (id), g_free);
  g_mutex_lock (&self->mutex);
  /* Later saves must not join one from before the removal. */
  g_hash_table_remove (self->waiting, id);
  fh_work_queue_push (self->queue, task, remove_in_thread);
  g_mutex_unlock (&self->mutex);
}

gboolean
fh_drafts_remove_finish (FhDrafts *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_drafts_remove_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
fh_drafts_push_closed (FhDrafts *self, GPtrArray *drafts)
{
  g_return_if_fail (FH_IS_DRAFTS (self));
  g_return_if_fail (drafts != NULL && drafts->len > 0);

  g_queue_push_head (&self->closed, g_ptr_array_ref (drafts));
  if (self->closed.length > MAX_CLOSED)
    g_ptr_array_unref (g_queue_pop_tail (&self->closed));
  g_signal_emit (self, closed_changed_signal, 0);
}

GPtrArray *
fh_drafts_pop_closed (FhDrafts *self)
{
  GPtrArray *drafts;

  g_return_val_if_fail (FH_IS_DRAFTS (self), NULL);

  drafts = g_queue_pop_head (&self->closed);
  g_signal_emit (self, closed_changed_signal, 0);
  return drafts;
}

gboolean
fh_drafts_has_closed (FhDrafts *self)
{
  g_return_val_if_fail (FH_IS_DRAFTS (self), FALSE);

  return !g_queue_is_empty (&self->closed);
}

void
fh_drafts_flush (FhDrafts *self)
{
  g_return_if_fail (FH_IS_DRAFTS (self));

  fh_work_queue_flush (self->queue);
}
