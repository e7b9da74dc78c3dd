/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/editor-view-private.h"

#include <string.h>

#include "answer.h"
#include "markdown-blocks.h"
#include "parts/calls.h"

/* Text that comes from elsewhere: by the clipboard, or dragged. */

/* Whether the whole text gives way to what is pasted: there is none, it is an example that was not
 * touched, or all of it is selected. */
static gboolean
is_replaced (FhEditorView *self)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->document);
  GtkTextIter start;
  GtkTextIter end;

  if (!gtk_text_buffer_get_selection_bounds (buffer, &start, &end))
    return fh_document_is_example (self->document) || fh_document_is_empty (self->document);
  return gtk_text_iter_is_start (&start) && gtk_text_iter_is_end (&end);
}

/* NULL if all of it may be code, and for what cannot run: its fence says what it is. `language` is
 * the code's, or that of the text; NULL if unknown. */
static char *
dup_only_code (const char *text, const FhLanguage **language)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  g_autoptr (GPtrArray) fences = fh_markdown_blocks_find (text);
  const FhMarkdownBlock *fence = blocks->len == 1 ? fences->pdata[0] : NULL;
  char *typed;

  *language = fence != NULL ? ((const FhAnswerBlock *) blocks->pdata[0])->language
                            : fh_language_guess (NULL, text);
  if (blocks->len > 1 || (fence != NULL && *language == NULL))
    return NULL;
  typed = fh_language_strip_prompts (fence != NULL ? fence->code : text, FALSE, language);
  return typed != NULL || fence == NULL ? typed : g_strdup (fence->code);
}

/* Replaces the text in one step that can be undone. */
static void
replace_text (FhEditorView *self, const char *text)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->document);
  GtkTextIter start;
  GtkTextIter end;

  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, text, -1);
  gtk_text_buffer_end_user_action (buffer);
}

static void
insert_text (FhEditorView *self, const char *text)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->document);

  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete_selection (buffer, TRUE, TRUE);
  gtk_text_buffer_insert_at_cursor (buffer, text, -1);
  gtk_text_buffer_end_user_action (buffer);
}

/* A piece of the example itself, which is copied within it, is inserted. */
static gboolean
is_replaced_by (FhEditorView *self, const char *text)
{
  return is_replaced (self) && (!fh_document_is_example (self->document) ||
                                strstr (fh_document_get_text (self->document), text) == NULL);
}

void
fh_editor_view_insert_foreign (FhEditorView *self, const char *text)
{
  const FhLanguage *language = NULL;
  g_autofree char *code = NULL;

  g_return_if_fail (FH_IS_EDITOR_VIEW (self));
  g_return_if_fail (text != NULL);

  if (is_replaced_by (self, text))
    {
      code = dup_only_code (text, &language);
      replace_text (self, text);
      if (code != NULL)
        replace_text (self, code);
    }
  else
    {
      insert_text (self, text);
    }
  gtk_text_view_scroll_mark_onscreen (
      GTK_TEXT_VIEW (self->view),
      gtk_text_buffer_get_insert (GTK_TEXT_BUFFER (self->document)));

  if (language != NULL)
    g_signal_emit_by_name (self, "language-found", language->id);
  if (code == NULL)
    return;
  self->pasted = g_strdup (text);
  g_signal_emit_by_name (self, "unwrapped");
}

gboolean
fh_editor_view_paste_all (FhEditorView *self)
{
  g_autofree char *pasted = NULL;

  g_return_val_if_fail (FH_IS_EDITOR_VIEW (self), FALSE);

  pasted = g_steal_pointer (&self->pasted);
  if (pasted != NULL)
    replace_text (self, pasted);
  return pasted != NULL;
}

static void
paste_text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhEditorView) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  if (text != NULL && !g_cancellable_is_cancelled (self->cancellable))
    fh_editor_view_insert_foreign (self, text);
}

void
fh_editor_view_paste (FhEditorView *self)
{
  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  g_signal_emit_by_name (self->view, "paste-clipboard");
}

/* Elsewhere the text view pastes. */
void
fh_editor_view_paste_cb (GtkTextView *view, FhEditorView *self)
{
  if (!is_replaced (self))
    return;

  g_signal_stop_emission_by_name (view, "paste-clipboard");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)),
                                 self->cancellable,
                                 paste_text_cb,
                                 g_object_ref (self));
}

static gboolean
accept_cb (FhEditorView *self, GdkDrop *drop)
{
  /* The text view moves what is dragged from here. */
  return gdk_drop_get_drag (drop) == NULL && is_replaced (self) &&
         gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), G_TYPE_STRING);
}

static gboolean
drop_cb (FhEditorView *self, const GValue *value)
{
  fh_editor_view_insert_foreign (self, g_value_get_string (value));
  return TRUE;
}

void
fh_editor_view_accept_drops (FhEditorView *self)
{
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_COPY);

  /* The target sees a drop before the text view, which would insert it. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  fh_connect (target, "accept", accept_cb, self);
  fh_connect (target, "drop", drop_cb, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
