/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/toasts.h"
#include "run-title.h"
#include "window/snippet-page-private.h"

/* As the run will be called in the history. */
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

void
fh_snippet_page_edited_cb (FhSnippetPage *self)
{
  if (self->loading)
    return;
  /* What comes after an emptied editor is something else. */
  if (self->given_title != NULL && fh_editor_view_is_empty (self->editor))
    g_clear_pointer (&self->given_title, g_free);
  self->touched = TRUE;
  fh_snippet_page_schedule_draft (self);
}

void
fh_snippet_page_options_changed_cb (FhSnippetPage *self, GParamSpec *pspec)
{
  if (self->loading || g_str_equal (pspec->name, "problem") || g_str_equal (pspec->name, "summary"))
    return;
  self->touched = TRUE;
  fh_snippet_page_schedule_draft (self);
  if (g_str_equal (pspec->name, "language"))
    g_object_set (fh_services_get_settings (self->services),
                  "language",
                  fh_run_options_get_language (self->options)->id,
                  NULL);
}

void
fh_snippet_page_language_found_cb (FhSnippetPage *self, const char *id)
{
  fh_run_options_set_language (self->options, fh_language_lookup (id));
}

void
fh_snippet_page_unwrapped_cb (FhSnippetPage *self)
{
  fh_toast_show (GTK_WIDGET (self), _ ("Only the code block was pasted"));
}

gboolean
fh_snippet_page_is_untouched (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), FALSE);

  return self->run == NULL && self->file == NULL &&
         (!self->touched || fh_editor_view_is_empty (self->editor));
}

char *
fh_snippet_page_dup_text (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  return fh_editor_view_dup_text (self->editor);
}

void
fh_snippet_page_set_example (FhSnippetPage *self,
                             const char *text,
                             const char *title,
                             const FhLanguage *language)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));
  g_return_if_fail (text != NULL);

  g_free (self->given_title);
  self->given_title = g_strdup (title);
  self->loading = TRUE;
  fh_editor_view_set_text (self->editor, text);
  fh_run_options_set_language (self->options, language);
  self->loading = FALSE;
  self->touched = FALSE;
  fh_snippet_page_update_title (self);
}

void
fh_snippet_page_set_text (FhSnippetPage *self,
                          const char *text,
                          const char *title,
                          const FhLanguage *language)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));
  g_return_if_fail (text != NULL);

  fh_snippet_page_set_example (self, text, title, language);
  self->touched = TRUE;
  fh_snippet_page_schedule_draft (self);
}
