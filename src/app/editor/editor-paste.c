/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/editor-view-private.h"
#include "editor/markdown-fence.h"

static void
paste_text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhEditorView) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  if (text != NULL && !g_cancellable_is_cancelled (self->cancellable))
    fh_editor_view_insert_foreign (self, text);
}

/* Into an empty editor people paste whole answers, so that case is ours; anything else is the
 * text view's. */
void
fh_editor_view_paste_cb (GtkTextView *view, FhEditorView *self)
{
  if (!fh_editor_view_is_empty (self))
    return;

  g_signal_stop_emission_by_name (view, "paste-clipboard");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (view)),
                                 self->cancellable,
                                 paste_text_cb,
                                 g_object_ref (self));
}

void
fh_editor_view_insert_foreign (FhEditorView *self, const char *text)
{
  g_autofree char *code = NULL;
  g_autofree char *info = NULL;
  const FhLanguage *language = NULL;

  g_return_if_fail (FH_IS_EDITOR_VIEW (self));
  g_return_if_fail (text != NULL);

  if (fh_editor_view_is_empty (self))
    {
      code = fh_markdown_fence_unwrap (text, &info);
      if (info != NULL && *info != '\0')
        language = fh_language_lookup (info);
      if (language == NULL)
        language = fh_language_guess (NULL, code != NULL ? code : text);
    }

  gtk_text_buffer_begin_user_action (GTK_TEXT_BUFFER (self->buffer));
  gtk_text_buffer_delete_selection (GTK_TEXT_BUFFER (self->buffer), TRUE, TRUE);
  gtk_text_buffer_insert_at_cursor (GTK_TEXT_BUFFER (self->buffer), code != NULL ? code : text, -1);
  gtk_text_buffer_end_user_action (GTK_TEXT_BUFFER (self->buffer));
  gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (self->view),
                                      gtk_text_buffer_get_insert (GTK_TEXT_BUFFER (self->buffer)));

  if (language != NULL)
    g_signal_emit_by_name (self, "language-found", language->id);
  if (code != NULL)
    g_signal_emit_by_name (self, "unwrapped");
}
