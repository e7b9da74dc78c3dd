/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "output/output-export.h"
#include "output/output-view-private.h"
#include "parts/file-dialogs.h"
#include "parts/toasts.h"

void
fh_output_view_begin_search (FhOutputView *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter start, end;
  g_autofree char *selected = NULL;

  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));

  buffer = gtk_text_view_get_buffer (fh_output_text_get_view (fh_output_view_get_text (self)));
  if (gtk_text_buffer_get_selection_bounds (buffer, &start, &end) &&
      gtk_text_iter_get_line (&start) == gtk_text_iter_get_line (&end))
    selected = gtk_text_iter_get_text (&start, &end);
  g_object_set (self, "page", "output", NULL);
  fh_output_search_bar_open (self->search_bar, selected);
}

static void
find_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fh_output_view_begin_search (FH_OUTPUT_VIEW (widget));
}

static void
copy_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);
  g_autofree char *text = NULL;

  if (self->log == NULL)
    return;
  text = fh_output_export_text (self->log,
                                fh_output_text_get_streams (fh_output_view_get_text (self)));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  fh_toast_show (widget, _ ("Output copied"));
}

typedef struct
{
  FhOutputView *view;
  FhOutputLog *log;
  guint streams;
} Save;

static void
save_free (Save *save)
{
  g_object_unref (save->view);
  g_object_unref (save->log);
  g_free (save);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Save, save_free)

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhOutputView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (fh_output_export_save_finish (G_FILE (source), result, &error))
    message = g_strdup (_ ("Output saved"));
  else
    message = g_strdup_printf (_ ("The output could not be saved: %s"), error->message);
  fh_toast_show (GTK_WIDGET (self), message);
}

static void
file_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Save) save = user_data;
  g_autoptr (GFile) file = fh_file_dialogs_save_finish (result, NULL);

  if (file != NULL)
    fh_output_export_save_async (file,
                                 save->log,
                                 save->streams,
                                 NULL,
                                 saved_cb,
                                 g_object_ref (save->view));
}

static void
save_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);
  Save *save;

  if (self->log == NULL)
    return;
  save = g_new0 (Save, 1);
  save->view = g_object_ref (self);
  save->log = g_object_ref (self->log);
  save->streams = fh_output_text_get_streams (fh_output_view_get_text (self));
  fh_file_dialogs_save_async (widget,
                              _ ("Save Output"),
                              fh_output_export_file_name (save->streams),
                              NULL,
                              file_chosen_cb,
                              save);
}

static void
clear_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);

  for (guint i = 0; i < FH_N_OUTPUT_PANES; i++)
    fh_output_text_clear (self->texts[i]);
}

static void
jump_to_end_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fh_output_text_jump_to_end (fh_output_view_get_text (FH_OUTPUT_VIEW (widget)));
}

static void
place_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);

  fh_output_text_pause (fh_output_view_get_text (self));
  if (!fh_output_text_go_to_place (fh_output_view_get_text (self),
                                   g_str_equal (name, "output.next-place")))
    gtk_widget_error_bell (widget);
}

static void
add_keys (GtkWidgetClass *widget_class)
{
  const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, both, "output.find", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, both, "output.copy-all", NULL);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_k,
                                       GDK_CONTROL_MASK,
                                       "output.clear",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F8, 0, "output.next-place", NULL);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_F8,
                                       GDK_SHIFT_MASK,
                                       "output.previous-place",
                                       NULL);
}

void
fh_output_view_class_install_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    GtkWidgetActionActivateFunc func;
  } actions[] = {
    { "output.find", find_action },
    { "output.copy-all", copy_all_action },
    { "output.save", save_action },
    { "output.clear", clear_action },
    { "output.jump-to-end", jump_to_end_action },
    { "output.next-place", place_action },
    { "output.previous-place", place_action },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].func);
  gtk_widget_class_install_property_action (widget_class, "output.pane", "pane");
  gtk_widget_class_install_property_action (widget_class, "output.wrap", "wrap");
  gtk_widget_class_install_property_action (widget_class, "output.page", "page");
  add_keys (widget_class);
}
