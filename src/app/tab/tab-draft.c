/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "answer-choices.h"
#include "parts/calls.h"
#include "parts/toasts.h"
#include "tab/tab-private.h"

/* A draft is saved this long after the last change, so that typing never waits for the disk, and at
 * the latest this long after the first one. */
#define DRAFT_DELAY_MS     1500
#define MAX_DRAFT_DELAY_MS 5000

void
fh_tab_update_title (FhTab *self)
{
  fh_tab_look_for_answer (self);
  fh_tab_offer_session (self);
  fh_document_update_title (self->document);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTab) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (fh_drafts_save_finish (FH_DRAFTS (source), result, &error))
    {
      self->draft_failed = FALSE;
      return;
    }
  /* Reported once, not after every pause in typing. */
  if (self->draft_failed || self->closed)
    return;
  self->draft_failed = TRUE;
  message = g_strdup_printf (_ ("Your text isn’t being saved: %s"), error->message);
  fh_toast_show_problem (GTK_WIDGET (self), message);
}

static gboolean
timer_cb (gpointer user_data)
{
  FhTab *self = FH_TAB (user_data);

  self->draft_timer = 0;
  fh_tab_follow_first_line (self);
  fh_tab_update_title (self);
  fh_tab_save_draft (self);
  return G_SOURCE_REMOVE;
}

void
fh_tab_schedule_draft (FhTab *self)
{
  const gint64 now = g_get_monotonic_time ();
  gint64 left;

  if (self->draft_timer == 0)
    self->draft_begin = now;
  g_clear_handle_id (&self->draft_timer, g_source_remove);
  left = MAX_DRAFT_DELAY_MS - (now - self->draft_begin) / 1000;
  if (!self->closed)
    self->draft_timer = g_timeout_add ((guint) CLAMP (left, 0, DRAFT_DELAY_MS), timer_cb, self);
}

void
fh_tab_set_position (FhTab *self, guint position)
{
  g_return_if_fail (FH_IS_TAB (self));

  if (self->position == position)
    return;
  self->position = position;
  if (self->touched)
    fh_tab_schedule_draft (self);
}

FhDraft *
fh_tab_dup_draft (FhTab *self)
{
  FhDraft *draft;
  GFile *file;

  g_return_val_if_fail (FH_IS_TAB (self), NULL);

  file = fh_document_get_file (self->document);
  draft = g_new0 (FhDraft, 1);
  draft->id = g_strdup (self->id);
  draft->position = self->position;
  draft->title = g_strdup (fh_document_get_given_title (self->document));
  draft->path = file != NULL ? g_file_get_path (file) : NULL;
  draft->modified = gtk_text_buffer_get_modified (GTK_TEXT_BUFFER (self->document));
  draft->repaired = fh_document_is_repaired (self->document);
  draft->file_version = g_strdup (fh_document_get_version (self->document));
  draft->text = g_strdup (fh_document_get_text (self->document));
  draft->session = self->in_session;
  draft->language = fh_options_get_language (self->options);
  draft->options = fh_options_dup_values (self->options);
  draft->typed = fh_options_dup_typed (self->options);
  draft->choices = fh_tab_dup_choices (self);
  draft->run = self->record != NULL ? MAX (fh_series_record_get_id_so_far (self->record), 0)
                                    : self->past_run;
  draft->files = self->sample_files != NULL ? g_ptr_array_ref (self->sample_files) : NULL;
  g_object_get (self->options,
                "arguments",
                &draft->arguments,
                "standard-input",
                &draft->standard_input,
                NULL);
  draft->cursor = fh_editor_view_get_cursor (self->editor);
  return draft;
}

static void
past_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTab) self = user_data;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) run_result = NULL;

  /* The run may have been removed since, and another one may be shown by now. */
  if (!fh_history_load_finish (FH_HISTORY (source), result, &entry, &request, &run_result, NULL) ||
      self->closed || self->series != NULL || self->result != NULL)
    return;
  fh_tab_show_past (self, request, run_result);
  fh_tab_tell_session_ended (self);
  if (fh_history_entry_get_n_samples (entry) > 0)
    fh_tab_show_batch (self, entry, FALSE);
}

/* When the tab is first seen, so that many of them do not slow down the start. */
static void
map_cb (FhTab *self)
{
  g_signal_handlers_disconnect_by_func (self->output, map_cb, self);
  fh_history_load_async (fh_services_get_history (self->services),
                         self->past_run,
                         self->cancellable,
                         past_cb,
                         g_object_ref (self));
}

void
fh_tab_set_draft (FhTab *self, const FhDraft *draft)
{
  g_autoptr (GFile) file = NULL;

  g_return_if_fail (FH_IS_TAB (self));
  g_return_if_fail (draft != NULL);

  if (draft->path != NULL)
    file = g_file_new_for_path (draft->path);
  self->loading = TRUE;
  fh_set_str (&self->id, draft->id);
  self->position = draft->position;
  fh_document_set_file (self->document, file);
  fh_document_set_text (self->document, draft->text != NULL ? draft->text : "", draft->title);
  fh_document_set_version (self->document, draft->file_version);
  fh_document_set_repaired (self->document, draft->repaired);
  fh_tab_tell_repaired (self);
  fh_editor_view_set_cursor (self->editor, draft->cursor);
  gtk_text_buffer_set_modified (GTK_TEXT_BUFFER (self->document), draft->modified);
  fh_options_set_language (self->options, draft->language);
  self->language_is_chosen = fh_tab_is_against_first_line (self);
  fh_tab_set_session (self, draft->session);
  fh_options_set_values (self->options, draft->options);
  fh_options_set_typed (self->options, draft->typed);
  g_hash_table_unref (self->choices);
  self->choices =
      draft->choices != NULL ? g_hash_table_ref (draft->choices) : fh_answer_choices_new ();
  fh_document_set_as_written (self->document, fh_answer_choices_is_as_written (self->choices));
  fh_answer_choices_set_as_written (self->choices, FALSE);
  fh_tab_set_sample_files (self, draft->files);
  g_object_set (self->options,
                "arguments",
                draft->arguments,
                "standard-input",
                draft->standard_input,
                NULL);
  self->past_run = draft->run;
  if (draft->run > 0)
    fh_connect (self->output, "map", map_cb, self);
  self->loading = FALSE;
  self->touched = TRUE;
  fh_tab_update_title (self);
}

void
fh_tab_save_draft (FhTab *self)
{
  g_autoptr (FhDraft) draft = NULL;

  g_return_if_fail (FH_IS_TAB (self));

  g_clear_handle_id (&self->draft_timer, g_source_remove);
  if (self->closed || !self->touched)
    return;
  draft = fh_tab_dup_draft (self);
  fh_drafts_save_async (fh_services_get_drafts (self->services),
                        draft,
                        NULL,
                        saved_cb,
                        g_object_ref (self));
}
