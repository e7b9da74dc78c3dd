/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "parts/file-dialogs.h"
#include "parts/message-dialogs.h"
#include "parts/recent-files.h"
#include "parts/text-file.h"
#include "parts/toasts.h"
#include "window/snippet-page-private.h"

static void
set_file (FhSnippetPage *self, GFile *file)
{
  g_set_object (&self->file, file);
  fh_recent_files_add (file);
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
  /* Saving would write the repaired text. */
  fh_editor_view_set_modified (self->editor, repaired);
  if (repaired)
    fh_notice_bar_set_text (
        self->notice,
        _ ("This file contains bytes that are not text. They are replaced by � or ␀, also when "
           "you run the code."));
  set_file (self, file);
  g_task_return_boolean (task, TRUE);
}

static void
run_anyway (GtkWidget *widget)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (widget);

  self->language_is_chosen = TRUE;
  fh_snippet_page_run (self);
}

gboolean
fh_snippet_page_tell_foreign (FhSnippetPage *self)
{
  g_autofree char *text = fh_editor_view_dup_text (self->editor);
  g_autofree char *name = self->file != NULL ? g_file_get_basename (self->file) : NULL;
  const char *foreign = self->language_is_chosen ? NULL : fh_language_find_foreign (name, text);
  g_autofree char *message = NULL;

  if (foreign == NULL)
    return FALSE;
  /* Translators: %s is a programming language */
  message = g_strdup_printf (_ ("This looks like %s, which Fumehood cannot run. Nothing was run."),
                             foreign);
  fh_toast_show_button (GTK_WIDGET (self), message, _ ("_Run Anyway"), run_anyway);
  return TRUE;
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

/* The text may be edited while it is written. */
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
  set_file (self, saving->file);
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

static void
save_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!fh_snippet_page_save_finish (FH_SNIPPET_PAGE (source), result, &error))
    fh_toast_show_problem (GTK_WIDGET (source), error->message);
}

static void
file_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GFile) file = fh_file_dialogs_finish (result, NULL);

  if (file != NULL)
    fh_snippet_page_save_async (FH_SNIPPET_PAGE (source), file, NULL, save_done_cb, NULL);
}

void
fh_snippet_page_save (FhSnippetPage *self, gboolean as)
{
  g_autofree char *name = NULL;

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (self->file != NULL && !as)
    {
      fh_snippet_page_save_async (self, NULL, NULL, save_done_cb, NULL);
      return;
    }
  name = self->file != NULL ? g_file_get_basename (self->file)
                            : g_strdup (fh_options_get_language (self->options)->file_name);
  fh_file_dialogs_show_async (GTK_WIDGET (self),
                              GTK_FILE_CHOOSER_ACTION_SAVE,
                              _ ("Save File"),
                              name,
                              self->cancellable,
                              file_chosen_cb,
                              NULL);
}

/* The task returns whether the page may be closed. */
static void
closing_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  gboolean saved = fh_snippet_page_save_finish (FH_SNIPPET_PAGE (source), result, &error);

  if (!saved)
    fh_toast_show_problem (GTK_WIDGET (source), error->message);
  g_task_return_boolean (task, saved);
}

static void
save_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);
  FhSnippetPage *self = g_task_get_source_object (task);

  if (g_strcmp0 (answer, "save") == 0)
    fh_snippet_page_save_async (self, NULL, NULL, closing_saved_cb, g_steal_pointer (&task));
  else
    g_task_return_boolean (task, g_strcmp0 (answer, "discard") == 0);
}

/* Text without a file can be reopened with its tab. */
static void
ask_to_save (GTask *task)
{
  const FhMessageChoice choices[] = {
    { "discard", _ ("_Discard"), TRUE },
    { "save", _ ("_Save"), FALSE },
    { NULL },
  };
  FhSnippetPage *self = g_task_get_source_object (task);
  g_autofree char *body = NULL;

  if (!fh_snippet_page_get_modified (self))
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  body = g_strdup_printf (_ ("“%s” has unsaved changes."), self->title);
  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                _ ("Save Changes?"),
                                body,
                                choices,
                                NULL,
                                save_answer_cb,
                                task);
}

static void
stop_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "stop") == 0)
    ask_to_save (g_steal_pointer (&task));
  else
    g_task_return_boolean (task, FALSE);
}

gboolean
fh_snippet_page_may_close (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), TRUE);

  return fh_snippet_page_get_run_state (self) == FH_RUN_FINISHED &&
         !fh_snippet_page_get_modified (self);
}

void
fh_snippet_page_confirm_close_async (FhSnippetPage *self,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  const FhMessageChoice choices[] = {
    { "stop", _ ("_Stop and Close"), TRUE },
    { NULL },
  };
  g_autofree char *body = NULL;
  GTask *task;

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, fh_snippet_page_confirm_close_async);
  if (fh_snippet_page_get_run_state (self) == FH_RUN_FINISHED)
    {
      ask_to_save (task);
      return;
    }
  body = g_strdup_printf (_ ("“%s” is still running. Closing the tab stops it."), self->title);
  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                _ ("Stop the Program?"),
                                body,
                                choices,
                                NULL,
                                stop_answer_cb,
                                task);
}

gboolean
fh_snippet_page_confirm_close_finish (FhSnippetPage *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!fh_drafts_remove_finish (FH_DRAFTS (source), result, &error))
    g_debug ("A draft could not be removed: %s", error->message);
}

void
fh_snippet_page_close (FhSnippetPage *self)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  self->closed = TRUE;
  fh_snippet_page_end_session (self);
  fh_snippet_page_end_run (self);
  fh_executor_close (self->executor);
  g_clear_handle_id (&self->draft_timer, g_source_remove);
  fh_drafts_remove_async (fh_services_get_drafts (self->services),
                          self->id,
                          NULL,
                          removed_cb,
                          NULL);
}
