/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "parts/toasts.h"
#include "window/snippet-page-private.h"

/* After the last change, so that nobody waits for the disk while typing. */
#define DRAFT_DELAY_MS 1500

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
  /* Said once, not after every pause in typing. */
  if (self->draft_failed || self->closed)
    return;
  self->draft_failed = TRUE;
  message = g_strdup_printf (_ ("What you type is not kept safe: %s"), error->message);
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

/* A choice that cannot be used as it stands is kept as far as it can be: the text must not come to
 * run elsewhere than it was meant to. */
static void
keep_place (FhSnippetPage *self, FhDraft *draft)
{
  FhContainerChoice *choice = fh_run_options_get_container (self->options);
  FhContainerOptions options;

  if (!fh_container_choice_is_in_container (choice))
    {
      draft->interpreter = g_strdup (fh_run_options_get_interpreter (self->options));
      return;
    }
  fh_container_choice_get (choice, &options, NULL);
  draft->container = fh_container_options_copy (&options);
  draft->interpreter = g_strdup (fh_container_choice_get_interpreter (choice));
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
  g_free (draft->interpreter);
  g_free (draft->arguments);
  g_free (draft->standard_input);
  draft->id = g_strdup (self->id);
  draft->position = self->position;
  draft->title = g_strdup (self->given_title);
  draft->path = self->file != NULL ? g_file_get_path (self->file) : NULL;
  draft->modified = fh_editor_view_get_modified (self->editor);
  draft->text = fh_editor_view_dup_text (self->editor);
  draft->language = fh_run_options_get_language (self->options);
  keep_place (self, draft);
  draft->arguments = g_strdup (fh_run_options_get_arguments (self->options));
  draft->standard_input = g_strdup (fh_run_options_get_standard_input (self->options));
  draft->limits = fh_run_options_get_limits (self->options);
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
  if (draft->language != NULL)
    fh_run_options_set_language (self->options, draft->language);
  fh_run_options_set_limits (self->options, &draft->limits);
  fh_container_choice_set_from (fh_run_options_get_container (self->options),
                                draft->container,
                                draft->interpreter);
  g_object_set (self->options,
                "interpreter",
                draft->container == NULL ? draft->interpreter : NULL,
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
  fh_snippet_page_end_run (self);
  fh_snippet_page_let_go_of_container (self);
  g_clear_handle_id (&self->draft_timer, g_source_remove);
  fh_drafts_remove_async (fh_services_get_drafts (self->services),
                          self->id,
                          NULL,
                          removed_cb,
                          NULL);
}
