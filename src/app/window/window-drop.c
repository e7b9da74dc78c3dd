/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/window-private.h"

/* Files open in tabs wherever they are dropped; they never run by that. Text goes to the editor,
 * which takes it by itself. */
static gboolean
drop_cb (FhWindow *self, const GValue *value)
{
  GSList *files;

  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    return FALSE;
  files = g_value_get_boxed (value);
  for (GSList *link = files; link != NULL; link = link->next)
    fh_window_open_file (self, G_FILE (link->data), FALSE);
  return files != NULL;
}

void
fh_window_init_drop (FhWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  /* Before the editor, which would take the files' names as text. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
