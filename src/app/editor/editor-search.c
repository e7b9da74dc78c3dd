/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/editor-search.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

/* The context, which marks all matches, exists only while the bar is open. */
struct _FhEditorSearch
{
  GtkWidget parent_instance;

  GtkSourceView *view; /* weak */
  GtkSourceSearchSettings *settings;
  GtkSourceSearchContext *context;
  GCancellable *cancellable;

  GtkRevealer *revealer;
  GtkEditable *search_entry;
  GtkEditable *replace_entry;
  GtkToggleButton *replace_toggle;
  GtkLabel *count;
};

G_DEFINE_FINAL_TYPE (FhEditorSearch, fh_editor_search, GTK_TYPE_WIDGET)

static GtkSourceBuffer *
get_buffer (FhEditorSearch *self)
{
  return GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view)));
}

static void
update_count (FhEditorSearch *self)
{
  g_autofree char *text = NULL;
  GtkTextIter start;
  GtkTextIter end;
  int position;
  int count;

  if (self->context == NULL || gtk_source_search_settings_get_search_text (self->settings) == NULL)
    {
      gtk_label_set_text (self->count, "");
      return;
    }
  if (gtk_source_search_context_get_regex_error (self->context) != NULL)
    {
      gtk_label_set_text (self->count, _ ("Invalid pattern"));
      return;
    }
  count = gtk_source_search_context_get_occurrences_count (self->context);
  if (count < 0)
    return; /* still counting */

  gtk_text_buffer_get_selection_bounds (GTK_TEXT_BUFFER (get_buffer (self)), &start, &end);
  position = gtk_source_search_context_get_occurrence_position (self->context, &start, &end);
  if (count == 0)
    text = g_strdup (_ ("No match"));
  else if (position > 0)
    /* Translators: the third of twelve matches. */
    text = g_strdup_printf (_ ("%d of %d"), position, count);
  else
    text = g_strdup_printf (ngettext ("%d match", "%d matches", (gulong) count), count);
  gtk_label_set_text (self->count, text);
}

static void
select_match (FhEditorSearch *self, const GtkTextIter *start, const GtkTextIter *end)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (get_buffer (self));

  gtk_text_buffer_select_range (buffer, start, end);
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->view),
                                gtk_text_buffer_get_insert (buffer),
                                0.2,
                                FALSE,
                                0.0,
                                0.5);
  update_count (self);
}

static void
moved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhEditorSearch) self = user_data;
  GtkSourceSearchContext *context = GTK_SOURCE_SEARCH_CONTEXT (source);
  GtkTextIter start;
  GtkTextIter end;

  if (!gtk_source_search_context_forward_finish (context, result, &start, &end, NULL, NULL))
    return;
  if (self->view != NULL && self->context == context)
    select_match (self, &start, &end);
}

static void
moved_back_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhEditorSearch) self = user_data;
  GtkSourceSearchContext *context = GTK_SOURCE_SEARCH_CONTEXT (source);
  GtkTextIter start;
  GtkTextIter end;

  if (!gtk_source_search_context_backward_finish (context, result, &start, &end, NULL, NULL))
    return;
  if (self->view != NULL && self->context == context)
    select_match (self, &start, &end);
}

/* `from_start`: a match at the cursor counts as the next one, for a search that is being typed. */
static void
move (FhEditorSearch *self, gboolean forward, gboolean from_start)
{
  GtkTextIter start;
  GtkTextIter end;

  if (self->context == NULL)
    return;

  fh_cancel (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  gtk_text_buffer_get_selection_bounds (GTK_TEXT_BUFFER (get_buffer (self)), &start, &end);
  if (forward)
    gtk_source_search_context_forward_async (self->context,
                                             from_start ? &start : &end,
                                             self->cancellable,
                                             moved_cb,
                                             g_object_ref (self));
  else
    gtk_source_search_context_backward_async (self->context,
                                              &start,
                                              self->cancellable,
                                              moved_back_cb,
                                              g_object_ref (self));
}

static void
search_changed_cb (FhEditorSearch *self)
{
  const char *text = gtk_editable_get_text (self->search_entry);

  gtk_source_search_settings_set_search_text (self->settings, *text != '\0' ? text : NULL);
  if (*text != '\0')
    move (self, TRUE, TRUE);
  update_count (self);
}

static void
next_cb (FhEditorSearch *self)
{
  move (self, TRUE, FALSE);
}

static void
previous_cb (FhEditorSearch *self)
{
  move (self, FALSE, FALSE);
}

static void
close_cb (FhEditorSearch *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->context);
  gtk_revealer_set_reveal_child (self->revealer, FALSE);
  if (self->view != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
replace_cb (FhEditorSearch *self)
{
  GtkTextIter start;
  GtkTextIter end;
  const char *text = gtk_editable_get_text (self->replace_entry);

  if (self->context == NULL)
    return;
  gtk_text_buffer_get_selection_bounds (GTK_TEXT_BUFFER (get_buffer (self)), &start, &end);
  /* Replaces nothing if the selection is no match; the next match is selected in any case. */
  gtk_source_search_context_replace (self->context, &start, &end, text, -1, NULL);
  move (self, TRUE, FALSE);
}

static void
replace_all_cb (FhEditorSearch *self)
{
  if (self->context == NULL)
    return;
  gtk_source_search_context_replace_all (self->context,
                                         gtk_editable_get_text (self->replace_entry),
                                         -1,
                                         NULL);
  update_count (self);
}

static gboolean
key_pressed_cb (FhEditorSearch *self, guint key)
{
  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  close_cb (self);
  return GDK_EVENT_STOP;
}

static void
fh_editor_search_dispose (GObject *object)
{
  FhEditorSearch *self = FH_EDITOR_SEARCH (object);

  fh_cancel (&self->cancellable);
  g_clear_object (&self->context);
  g_clear_object (&self->settings);
  g_clear_weak_pointer (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_EDITOR_SEARCH);

  G_OBJECT_CLASS (fh_editor_search_parent_class)->dispose (object);
}

static void
fh_editor_search_class_init (FhEditorSearchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_editor_search_dispose;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  fh_set_template (widget_class, "editor/editor-search.ui");
  gtk_widget_class_bind_template_child (widget_class, FhEditorSearch, revealer);
  gtk_widget_class_bind_template_child (widget_class, FhEditorSearch, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FhEditorSearch, replace_entry);
  gtk_widget_class_bind_template_child (widget_class, FhEditorSearch, replace_toggle);
  gtk_widget_class_bind_template_child (widget_class, FhEditorSearch, count);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_cb);
  gtk_widget_class_bind_template_callback (widget_class, replace_cb);
  gtk_widget_class_bind_template_callback (widget_class, replace_all_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
}

static void
install_options (FhEditorSearch *self)
{
  const char *const names[] = { "case-sensitive", "at-word-boundaries", "regex-enabled" };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GPropertyAction) action =
          g_property_action_new (names[i], self->settings, names[i]);

      g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
    }
  gtk_widget_insert_action_group (GTK_WIDGET (self), "search", G_ACTION_GROUP (group));
}

static void
fh_editor_search_init (FhEditorSearch *self)
{
  self->settings = gtk_source_search_settings_new ();
  gtk_source_search_settings_set_wrap_around (self->settings, TRUE);
  install_options (self);
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
fh_editor_search_set_view (FhEditorSearch *self, GtkSourceView *view)
{
  g_return_if_fail (FH_IS_EDITOR_SEARCH (self));
  g_return_if_fail (self->view == NULL);

  g_set_weak_pointer (&self->view, view);
}

void
fh_editor_search_begin (FhEditorSearch *self, gboolean replace)
{
  GtkTextIter start;
  GtkTextIter end;

  g_return_if_fail (FH_IS_EDITOR_SEARCH (self));
  g_return_if_fail (self->view != NULL);

  /* Without a context the word is taken over, but not looked for: a match that is selected in the
   * text takes the selection away from the entry. */
  g_clear_object (&self->context);
  if (replace)
    gtk_toggle_button_set_active (self->replace_toggle, TRUE);
  if (gtk_text_buffer_get_selection_bounds (GTK_TEXT_BUFFER (get_buffer (self)), &start, &end) &&
      gtk_text_iter_get_line (&start) == gtk_text_iter_get_line (&end))
    {
      g_autofree char *selected = gtk_text_iter_get_text (&start, &end);

      gtk_editable_set_text (self->search_entry, selected);
    }
  self->context = gtk_source_search_context_new (get_buffer (self), self->settings);
  fh_connect (self->context, "notify::occurrences-count", update_count, self);
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  gtk_editable_select_region (self->search_entry, 0, -1);
  update_count (self);
}

void
fh_editor_search_move (FhEditorSearch *self, gboolean forward)
{
  g_return_if_fail (FH_IS_EDITOR_SEARCH (self));

  if (self->context == NULL)
    fh_editor_search_begin (self, FALSE);
  else
    move (self, forward, FALSE);
}
