/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "answer-choices.h"
#include "parts/toasts.h"
#include "run-title.h"
#include "window/snippet-page-private.h"

/* After the last change, so that typing never waits for the disk. */
#define DRAFT_DELAY_MS 1500

/* The title that the run will have in the history. */
static char *
dup_title_of_text (FhSnippetPage *self)
{
  char *text = fh_editor_view_dup_text (self->editor);
  g_autoptr (GBytes) source = g_bytes_new_take (text, strlen (text));

  return fh_run_title_of_source (source);
}

void
fh_snippet_page_update_title (FhSnippetPage *self)
{
  g_autofree char *title = NULL;

  fh_snippet_page_look_for_answer (self);
  fh_snippet_page_offer_session (self);
  if (self->file != NULL)
    {
      g_autofree char *name = g_file_get_basename (self->file);

      title = g_filename_display_name (name);
    }
  else if (self->given_title != NULL)
    {
      title = g_strdup (self->given_title);
    }
  else
    {
      title = dup_title_of_text (self);
    }
  if (title == NULL)
    title = g_strdup (_ ("New Snippet"));
  if (g_strcmp0 (title, self->title) == 0)
    return;
  g_free (self->title);
  self->title = g_steal_pointer (&title);
  fh_snippet_page_notify (self, "title");
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSnippetPage) self = user_data;
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
  FhSnippetPage *self = FH_SNIPPET_PAGE (user_data);

  self->draft_timer = 0;
  fh_snippet_page_update_title (self);
  fh_snippet_page_save_draft (self);
  return G_SOURCE_REMOVE;
}

void
fh_snippet_page_schedule_draft (FhSnippetPage *self)
{
  g_clear_handle_id (&self->draft_timer, g_source_remove);
  if (!self->closed)
    self->draft_timer = g_timeout_add (DRAFT_DELAY_MS, timer_cb, self);
}

void
fh_snippet_page_set_position (FhSnippetPage *self, guint position)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (self->position == position)
    return;
  self->position = position;
  if (self->touched)
    fh_snippet_page_schedule_draft (self);
}

FhDraft *
fh_snippet_page_dup_draft (FhSnippetPage *self)
{
  FhDraft *draft;

  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  draft = fh_draft_new ();
  g_free (draft->id);
  g_free (draft->title);
  g_free (draft->path);
  g_free (draft->text);
  g_free (draft->arguments);
  g_free (draft->standard_input);
  fh_run_options_free (draft->options);
  draft->id = g_strdup (self->id);
  draft->position = self->position;
  draft->title = g_strdup (self->given_title);
  draft->path = self->file != NULL ? g_file_get_path (self->file) : NULL;
  draft->modified = fh_editor_view_get_modified (self->editor);
  draft->text = fh_editor_view_dup_text (self->editor);
  draft->session = self->in_session;
  draft->language = fh_options_get_language (self->options);
  draft->options = fh_options_dup_values (self->options);
  draft->typed = fh_options_dup_typed (self->options);
  draft->choices = fh_snippet_page_dup_choices (self);
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

void
fh_snippet_page_set_draft (FhSnippetPage *self, const FhDraft *draft)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));
  g_return_if_fail (draft != NULL);

  self->loading = TRUE;
  g_free (self->id);
  self->id = g_strdup (draft->id);
  self->position = draft->position;
  g_free (self->given_title);
  self->given_title = g_strdup (draft->title);
  g_clear_object (&self->file);
  if (draft->path != NULL)
    self->file = g_file_new_for_path (draft->path);
  fh_editor_view_set_text (self->editor, draft->text != NULL ? draft->text : "");
  fh_editor_view_set_cursor (self->editor, draft->cursor);
  fh_editor_view_set_modified (self->editor, draft->modified);
  fh_options_set_language (self->options, draft->language);
  fh_snippet_page_set_session (self, draft->session);
  fh_options_set_values (self->options, draft->options);
  fh_options_set_typed (self->options, draft->typed);
  g_hash_table_unref (self->choices);
  self->choices =
      draft->choices != NULL ? g_hash_table_ref (draft->choices) : fh_answer_choices_new ();
  fh_snippet_page_set_sample_files (self, draft->files);
  g_object_set (self->options,
                "arguments",
                draft->arguments,
                "standard-input",
                draft->standard_input,
                NULL);
  self->loading = FALSE;
  self->touched = TRUE;
  fh_snippet_page_update_title (self);
  fh_snippet_page_notify (self, "subtitle");
  fh_snippet_page_notify (self, "modified");
}

void
fh_snippet_page_save_draft (FhSnippetPage *self)
{
  g_autoptr (FhDraft) draft = NULL;

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  g_clear_handle_id (&self->draft_timer, g_source_remove);
  if (self->closed || !self->touched)
    return;
  draft = fh_snippet_page_dup_draft (self);
  fh_drafts_save_async (fh_services_get_drafts (self->services),
                        draft,
                        NULL,
                        saved_cb,
                        g_object_ref (self));
}
