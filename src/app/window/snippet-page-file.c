/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "parts/text-file.h"
#include "window/snippet-page-private.h"

static void
take_file (FhSnippetPage *self, GFile *file)
{
  g_set_object (&self->file, file);
  fh_snippet_page_update_title (self);
  fh_snippet_page_notify (self, "subtitle");
  fh_snippet_page_notify (self, "modified");
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  FhSnippetPage *self = g_task_get_source_object (task);
  GFile *file = g_task_get_task_data (task);
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  const FhLanguage *language;
  gboolean repaired;

  text = fh_text_file_load_finish (result, &repaired, &error);
  if (text == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  name = g_file_get_basename (file);
  language = fh_language_guess (name, text);
  fh_snippet_page_set_text (self, text, NULL, language);
  /* Saving would write what was repaired, so the file counts as changed. */
  fh_editor_view_set_modified (self->editor, repaired);
  if (repaired)
    fh_notice_bar_set_text (
        self->notice,
        _ ("This file holds bytes that are not text. They are shown as � or ␀, and a run gets "
           "these characters in their place."));
  take_file (self, file);
  g_task_return_boolean (task, TRUE);
}

void
fh_snippet_page_load_async (FhSnippetPage *self,
                            GFile *file,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));
  g_return_if_fail (G_IS_FILE (file));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_snippet_page_load_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  fh_text_file_load_async (file, cancellable, loaded_cb, task);
}

gboolean
fh_snippet_page_load_finish (FhSnippetPage *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The text may have been edited further while it was written. */
typedef struct
{
  GFile *file;
  char *text;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_object_unref (saving->file);
  g_free (saving->text);
  g_free (saving);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  FhSnippetPage *self = g_task_get_source_object (task);
  Saving *saving = g_task_get_task_data (task);
  g_autofree char *text = NULL;

  if (!fh_text_file_save_finish (result, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  text = fh_editor_view_dup_text (self->editor);
  fh_editor_view_set_modified (self->editor, g_strcmp0 (text, saving->text) != 0);
  fh_notice_bar_set_text (self->notice, NULL);
  take_file (self, saving->file);
  self->touched = TRUE;
  fh_snippet_page_schedule_draft (self);
  g_task_return_boolean (task, TRUE);
}

void
fh_snippet_page_save_async (FhSnippetPage *self,
                            GFile *file,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;
  Saving *saving;

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));
  g_return_if_fail (file != NULL || self->file != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_snippet_page_save_async);
  saving = g_new0 (Saving, 1);
  saving->file = g_object_ref (file != NULL ? file : self->file);
  saving->text = fh_editor_view_dup_text (self->editor);
  g_task_set_task_data (task, saving, saving_free);
  fh_text_file_save_async (saving->file, saving->text, cancellable, saved_cb, task);
}

gboolean
fh_snippet_page_save_finish (FhSnippetPage *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

char *
fh_snippet_page_dup_file_name (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  if (self->file != NULL)
    return g_file_get_basename (self->file);
  return g_strdup (fh_run_options_get_language (self->options)->file_name);
}
