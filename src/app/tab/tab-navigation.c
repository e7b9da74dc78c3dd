/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>
#include <string.h>

#include "parts/calls.h"
#include "parts/toasts.h"
#include "tab/tab-private.h"

/* The cursor: shown in short, and said in full. */
void
fh_tab_moved_cb (FhTab *self)
{
  g_autofree char *place = NULL;
  g_autofree char *name = NULL;
  guint line;
  guint column;

  /* While the template is built, or taken down. */
  if (self->position_button == NULL)
    return;
  g_object_get (self->editor, "cursor-line", &line, "cursor-column", &column, NULL);
  place = g_strdup_printf ("%u:%u", line, column);
  name = g_strdup_printf (_ ("Line %u, column %u"), line, column);
  gtk_label_set_text (self->position_label, place);
  fh_set_accessible_label (self->position_button, name);
}

void
fh_tab_line_entered_cb (FhTab *self)
{
  guint64 line;

  if (g_ascii_string_to_unsigned (gtk_editable_get_text (self->line_entry),
                                  10,
                                  1,
                                  G_MAXUINT,
                                  &line,
                                  NULL))
    {
      gtk_menu_button_popdown (self->position_button);
      fh_editor_view_go_to_line (self->editor, (guint) line, 0);
    }
  else
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
    }
}

/* Returns where this line of the code that was run is now: the nearest one of the same text; 0 if
 * there is none. */
static guint
find_line (FhTab *self, guint line)
{
  g_auto (GStrv) now = NULL;
  g_auto (GStrv) then = NULL;
  guint n_now;

  if (self->run_source == NULL)
    return line;
  now = g_strsplit (fh_document_get_text (self->document), "\n", -1);
  then = g_strsplit (g_bytes_get_data (self->run_source, NULL), "\n", -1);
  n_now = g_strv_length (now);
  if (line == 0 || line > g_strv_length (then))
    return line;
  for (guint distance = 0; distance < n_now + line; distance++)
    {
      if (distance < line && line - distance <= n_now &&
          g_str_equal (now[line - distance - 1], then[line - 1]))
        return line - distance;
      if (line + distance <= n_now && g_str_equal (now[line + distance - 1], then[line - 1]))
        return line + distance;
    }
  return 0;
}

/* In a session and an answer, which may be a past one, lines are counted from their cell or block.
 */
void
fh_tab_mark_run (FhTab *self, FhRunRequest *request, FhRunResult *result)
{
  const gboolean is_program = self->form == FH_RECORD_RUNS &&
                              (result != self->compared_results[1] || !self->compared_answer);

  if (result != NULL && is_program && self->run_source != NULL &&
      g_bytes_equal (fh_document_get_source (self->document), self->run_source))
    fh_editor_view_show_run (self->editor, request, result);
  else
    fh_editor_view_show_run (self->editor, NULL, NULL);
}

void
fh_tab_go_to_line_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhTab *self = FH_TAB (widget);
  guint line;
  guint column;
  guint found;

  g_variant_get (target, "(uu)", &line, &column);
  found = find_line (self, line);
  if (found != 0)
    fh_editor_view_go_to_line (self->editor, found, column);
  else if (self->compared_results[1] != NULL)
    fh_toast_show_action (widget,
                          _ ("The code has changed since this run"),
                          _ ("_Show That Version"),
                          "win.show-version",
                          g_variant_new ("(suu)", self->id, line, column));
  else
    fh_toast_show (widget, _ ("The code has changed since this run"));
}

GtkWidget *
fh_tab_copy_run (FhTab *self, guint line, guint column)
{
  GtkWidget *copy;

  g_return_val_if_fail (FH_IS_TAB (self), NULL);

  if (self->compared_results[1] == NULL)
    return NULL;
  copy = fh_tab_new (self->services);
  fh_tab_show_result (FH_TAB (copy), self->compared_requests[1], self->compared_results[1]);
  fh_editor_view_go_to_line (FH_TAB (copy)->editor, line, column);
  return copy;
}

void
fh_tab_begin_search (FhTab *self, gboolean replace)
{
  g_return_if_fail (FH_IS_TAB (self));

  if (!replace && gtk_widget_get_focus_child (self->output) != NULL)
    gtk_widget_activate_action (self->output, "output.find", NULL);
  else
    fh_editor_view_begin_search (self->editor, replace);
}

void
fh_tab_activate_in_output (FhTab *self, const char *action)
{
  g_return_if_fail (FH_IS_TAB (self));

  gtk_widget_activate_action (self->output, action, NULL);
}

void
fh_tab_move_search (FhTab *self, gboolean forward)
{
  g_return_if_fail (FH_IS_TAB (self));

  fh_editor_view_move_search (self->editor, forward);
}

void
fh_tab_begin_go_to_line (FhTab *self)
{
  guint line;
  g_autofree char *text = NULL;

  g_return_if_fail (FH_IS_TAB (self));

  g_object_get (self->editor, "cursor-line", &line, NULL);
  text = g_strdup_printf ("%u", line);
  gtk_menu_button_popup (self->position_button);
  gtk_editable_set_text (self->line_entry, text);
  gtk_widget_grab_focus (GTK_WIDGET (self->line_entry));
}

void
fh_tab_show_control (FhTab *self, const char *name)
{
  g_return_if_fail (FH_IS_TAB (self));

  fh_controls_bar_open (self->controls, name);
}

void
fh_tab_show_option_action (GtkWidget *widget, const char *name, GVariant *target)
{
  const char *key;
  const char *value;

  g_variant_get (target, "(&s&s)", &key, &value);
  fh_controls_bar_show_option (FH_TAB (widget)->controls, key, value);
}

gboolean
fh_tab_focus_next_pane (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  if (gtk_widget_get_focus_child (self->output) != NULL)
    return FALSE;
  if (gtk_widget_get_focus_child (GTK_WIDGET (self->editor)) != NULL)
    return fh_input_bar_focus (self->input_bar) ||
           gtk_widget_child_focus (self->output, GTK_DIR_TAB_FORWARD);
  if (gtk_widget_get_focus_child (GTK_WIDGET (self->input_bar)) != NULL)
    return gtk_widget_child_focus (self->output, GTK_DIR_TAB_FORWARD);
  return gtk_widget_grab_focus (GTK_WIDGET (self));
}
