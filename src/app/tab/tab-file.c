/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "parts/file-dialogs.h"
#include "parts/message-dialogs.h"
#include "parts/toasts.h"
#include "result-file-name.h"
#include "tab/tab-private.h"

void
fh_tab_tell_repaired (FhTab *self)
{
  if (fh_document_is_repaired (self->document))
    fh_notice_bar_set_text (
        self->notice,
        _ ("This file contains bytes that are not text. They are replaced by � or ␀, also when "
           "you run the code. Saving replaces them in the file, too."));
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  FhTab *self = g_task_get_source_object (task);
  g_autofree char *name = NULL;
  const FhLanguage *language;
  gboolean is_reduced;
  gboolean is_notebook;

  if (!fh_document_load_finish (self->document, result, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  name = fh_document_dup_file_name (self->document);
  is_notebook = fh_document_is_notebook (self->document, &is_reduced);
  language = is_notebook ? fh_language_lookup ("python")
                         : fh_language_guess (name, fh_document_get_text (self->document));
  fh_tab_follow_content (self, language);
  fh_tab_keep_content (self, language);
  if (is_notebook)
    fh_tab_set_session (self, TRUE);
  fh_notice_bar_set_text (
      self->notice,
      is_notebook && is_reduced
          ? _ ("Only the code and the text of this notebook are shown. Saving it here "
               "removes the rest from the file, such as outputs.")
          : NULL);
  fh_tab_tell_repaired (self);
  g_task_return_boolean (task, TRUE);
}

/* The language of an interpreter that the first line names. NULL if it names none that is known. */
static const FhLanguage *
find_named (FhTab *self)
{
  const char *text = fh_document_get_text (self->document);
  g_autofree char *line = NULL;

  if (!g_str_has_prefix (text, "#!"))
    return NULL;
  line = g_strndup (text, strcspn (text, "\n"));
  return fh_language_guess (NULL, line);
}

gboolean
fh_tab_is_against_first_line (FhTab *self)
{
  const FhLanguage *named = find_named (self);

  return named != NULL && named != fh_options_get_language (self->options);
}

void
fh_tab_follow_first_line (FhTab *self)
{
  const FhLanguage *named = find_named (self);

  if (named == NULL || self->language_is_chosen || self->in_session)
    return;
  self->loading = TRUE;
  fh_options_set_language (self->options, named);
  self->loading = FALSE;
}

static void
run_anyway (GtkWidget *widget)
{
  FhTab *self = FH_TAB (widget);

  self->language_is_chosen = TRUE;
  fh_tab_run (self);
}

void
fh_tab_drop_advice (FhTab *self)
{
  fh_toast_replace (&self->advice, NULL);
}

gboolean
fh_tab_tell_foreign (FhTab *self)
{
  const char *text = fh_document_get_text (self->document);
  g_autofree char *name = fh_document_dup_file_name (self->document);
  const char *foreign = self->language_is_chosen ? NULL : fh_language_find_foreign (name, text);
  g_autofree char *message = NULL;

  if (foreign == NULL)
    return FALSE;
  /* Translators: %s is a programming language */
  message = g_strdup_printf (_ ("This looks like %s, which Fumehood cannot run. Nothing was run."),
                             foreign);
  fh_toast_replace (
      &self->advice,
      fh_toast_show_button (GTK_WIDGET (self), message, _ ("_Run Anyway"), run_anyway));
  return TRUE;
}

void
fh_tab_load_async (FhTab *self,
                   GFile *file,
                   GCancellable *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer user_data)
{
  GTask *task;

  g_return_if_fail (FH_IS_TAB (self));
  g_return_if_fail (G_IS_FILE (file));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_tab_load_async);
  fh_document_load_async (self->document, file, cancellable, loaded_cb, task);
}

gboolean
fh_tab_load_finish (FhTab *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
fh_tab_saved_cb (FhTab *self)
{
  gboolean is_reduced;

  if (fh_document_is_notebook (self->document, &is_reduced) && self->result != NULL)
    fh_toast_show (GTK_WIDGET (self),
                   _ ("Saved without the outputs: the notebook gets the code and the text"));
  fh_notice_bar_set_text (self->notice, NULL);
  self->touched = TRUE;
  fh_tab_schedule_draft (self);
}

static void
reloaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhTab *self = FH_TAB (source);
  g_autoptr (GError) error = NULL;

  if (!fh_tab_load_finish (self, result, &error) && !self->closed)
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
}

static void save_done_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
replace_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTab) self = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "save-as") == 0)
    fh_tab_save (self, TRUE);
  else if (g_strcmp0 (answer, "reload") == 0)
    fh_tab_load_async (self,
                       fh_document_get_file (self->document),
                       self->cancellable,
                       reloaded_cb,
                       NULL);
  if (g_strcmp0 (answer, "replace") != 0)
    return;
  /* The next attempt to save asks about the other reason, if there is one. */
  if (fh_document_is_repaired (self->document))
    fh_document_set_repaired (self->document, FALSE);
  else
    fh_document_set_version (self->document, NULL);
  fh_document_save_async (self->document, NULL, NULL, save_done_cb, g_object_ref (self));
}

/* The file has something else than what was opened here. */
static void
ask_to_replace (FhTab *self)
{
  const gboolean repaired = fh_document_is_repaired (self->document);
  const FhMessageChoice choices[] = {
    { "reload", _ ("Re_load"), TRUE },
    { "save-as", _ ("Save _As…"), FALSE },
    { "replace", _ ("_Replace"), TRUE },
    { NULL },
  };
  g_autofree char *name = fh_document_dup_file_name (self->document);
  g_autofree char *body = g_strdup_printf (
      repaired
          /* Translators: %s is the name of a file */
          ? _ ("“%s” contains bytes that are not text. Here they are shown as � or ␀. If you "
               "replace the file, these bytes are lost.")
          /* Translators: %s is the name of a file */
          : _ ("Another program has changed “%s” since it was opened or saved here. If you replace "
               "the file, those changes are lost. If you reload it, yours are."),
      name);

  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                repaired ? _ ("Replace Bytes That Are Not Text?")
                                         : _ ("Replace the Changed File?"),
                                body,
                                repaired ? choices + 1 : choices,
                                NULL,
                                replace_answer_cb,
                                g_object_ref (self));
}

static void
tell_not_saved (FhTab *self, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA))
    ask_to_replace (self);
  else
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
}

static void
save_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTab) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_document_save_finish (FH_DOCUMENT (source), result, &error))
    tell_not_saved (self, error);
}

static void
file_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GFile) file = fh_file_dialogs_finish (result, NULL);

  if (file != NULL)
    fh_document_save_async (FH_TAB (source)->document,
                            file,
                            NULL,
                            save_done_cb,
                            g_object_ref (source));
}

/* Returns the path of the file, or a name for a new one. (transfer full) */
static char *
dup_proposed (FhTab *self)
{
  const FhLanguage *language = fh_options_get_language (self->options);
  const char *title = fh_document_get_given_title (self->document);
  GFile *file = fh_document_get_file (self->document);
  g_autofree char *flat = g_strdelimit (g_strdup (title != NULL ? title : ""), "/", '_');
  g_autofree char *name = fh_result_path_to_name (flat);

  if (file != NULL)
    return g_file_is_native (file) ? g_file_get_path (file) : g_file_get_basename (file);
  if (title == NULL)
    return g_strdup (language->file_name);
  return g_strconcat (name,
                      fh_language_guess (name, NULL) == language ? "" : language->suffixes[0],
                      NULL);
}

void
fh_tab_save (FhTab *self, gboolean as)
{
  g_autofree char *name = NULL;

  g_return_if_fail (FH_IS_TAB (self));

  if (fh_document_get_file (self->document) != NULL && !as)
    {
      fh_document_save_async (self->document, NULL, NULL, save_done_cb, g_object_ref (self));
      return;
    }
  name = dup_proposed (self);
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
  gboolean saved = fh_document_save_finish (FH_DOCUMENT (source), result, &error);

  if (!saved)
    tell_not_saved (g_task_get_source_object (task), error);
  g_task_return_boolean (task, saved);
}

static void
save_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);
  FhTab *self = g_task_get_source_object (task);

  if (g_strcmp0 (answer, "save") == 0)
    fh_document_save_async (self->document, NULL, NULL, closing_saved_cb, g_steal_pointer (&task));
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
  FhTab *self = g_task_get_source_object (task);
  g_autofree char *body = NULL;

  if (!fh_document_is_unsaved (self->document))
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  body = g_strdup_printf (_ ("“%s” has unsaved changes."), fh_tab_get_name (self));
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
fh_tab_may_close (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), TRUE);

  return fh_tab_get_run_state (self) == FH_RUN_FINISHED && !self->has_variables &&
         !fh_document_is_unsaved (self->document);
}

void
fh_tab_confirm_close_async (FhTab *self, GAsyncReadyCallback callback, gpointer user_data)
{
  const gboolean runs = fh_tab_get_run_state (self) != FH_RUN_FINISHED;
  const FhMessageChoice choices[] = {
    { "stop", runs ? _ ("_Stop and Close") : _ ("_End and Close"), TRUE },
    { NULL },
  };
  g_autofree char *body = NULL;
  GTask *task;

  g_return_if_fail (FH_IS_TAB (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, fh_tab_confirm_close_async);
  if (!runs && !self->has_variables)
    {
      ask_to_save (task);
      return;
    }
  body = g_strdup_printf (
      runs ? _ ("“%s” is still running. Closing the tab stops it.")
           : _ ("“%s” is a session. Closing the tab ends it, and its variables are lost."),
      fh_tab_get_name (self));
  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                runs ? _ ("Stop the Program?") : _ ("End the Session?"),
                                body,
                                choices,
                                NULL,
                                stop_answer_cb,
                                task);
}

gboolean
fh_tab_confirm_close_finish (FhTab *self, GAsyncResult *result, GError **error)
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
fh_tab_close (FhTab *self)
{
  g_return_if_fail (FH_IS_TAB (self));

  fh_tab_end (self);
  g_clear_handle_id (&self->draft_timer, g_source_remove);
  fh_drafts_remove_async (fh_services_get_drafts (self->services),
                          self->id,
                          NULL,
                          removed_cb,
                          NULL);
}
