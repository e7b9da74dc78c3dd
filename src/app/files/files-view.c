/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/files-view.h"

#include <glib/gi18n.h>

#include "files/file-preview.h"
#include "files/file-saving.h"
#include "files/files-row.h"
#include "parts/calls.h"
#include "parts/file-dialogs.h"
#include "parts/toasts.h"
#include "result-file-name.h"

struct _FhFilesView
{
  AdwBin parent_instance;
  FhResultFiles *files; /* nullable */
  GSignalGroup *signals;
  FhPictureDecoder *decoder; /* nullable */

  GtkWidget *tools;
  GtkStack *stack;
  GtkWidget *all;
  FhFilePreview *preview;
  GtkListView *list;
  GtkNoSelection *model;
  GtkLabel *left_out;
};

static void init_page (FhResultPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhFilesView,
                               fh_files_view,
                               ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_RESULT_PAGE, init_page))

static guint
count (FhFilesView *self)
{
  return self->files != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->files)) : 0;
}

static gboolean
has_content (FhFilesView *self)
{
  for (guint i = 0; i < count (self); i++)
    {
      if (fh_file_saving_is_possible (fh_result_files_get (self->files, i)))
        return TRUE;
    }
  return FALSE;
}

static void
update (FhFilesView *self)
{
  guint n = self->files != NULL ? fh_result_files_get_facts (self->files)->n_left_out : 0;
  gboolean is_incomplete =
      self->files != NULL && fh_result_files_get_facts (self->files)->is_incomplete;
  g_autoptr (GString) text = g_string_new (NULL);

  if (n > 0)
    g_string_append_printf (
        text,
        ngettext ("%u more file is not listed.", "%u more files are not listed.", n),
        n);
  if (is_incomplete)
    g_string_append_printf (text,
                            "%s%s",
                            text->len > 0 ? " " : "",
                            _ ("Some files could not be read."));
  gtk_label_set_text (self->left_out, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->left_out), text->len > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "files.save-all", has_content (self));
  gtk_widget_set_sensitive (self->tools, has_content (self));
  fh_result_page_changed (FH_RESULT_PAGE (self));
}

static gboolean
is_open (FhFilesView *self)
{
  return gtk_stack_get_visible_child (self->stack) == GTK_WIDGET (self->preview);
}

/* The row that was opened keeps the focus. */
static void
back_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhFilesView *self = FH_FILES_VIEW (widget);
  const gboolean has_focus = gtk_widget_get_focus_child (widget) != NULL;

  if (!is_open (self))
    return;
  gtk_stack_set_visible_child (self->stack, self->all);
  if (has_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->list));
  fh_file_preview_show (self->preview, NULL, NULL);
}

gboolean
fh_files_view_open (FhFilesView *self, FhResultFile *file)
{
  g_return_val_if_fail (FH_IS_FILES_VIEW (self), FALSE);
  g_return_val_if_fail (FH_IS_RESULT_FILE (file), FALSE);

  if (!fh_file_saving_is_possible (file))
    return FALSE;
  fh_file_preview_show (self->preview, self->decoder, file);
  gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->preview));
  gtk_widget_grab_focus (GTK_WIDGET (self->preview));
  return TRUE;
}

static void
activate_cb (FhFilesView *self, guint position)
{
  fh_files_view_open (self, fh_result_files_get (self->files, position));
}

static void
setup_cb (FhFilesView *self, GtkListItem *item)
{
  gtk_list_item_set_child (item, g_object_new (FH_TYPE_FILES_ROW, NULL));
}

static void
bind_cb (FhFilesView *self, GtkListItem *item)
{
  FhResultFile *file = gtk_list_item_get_item (item);

  fh_files_row_set_file (FH_FILES_ROW (gtk_list_item_get_child (item)),
                         file,
                         gtk_list_item_get_position (item));
  gtk_list_item_set_activatable (item, fh_file_saving_is_possible (file));
}

static void
unbind_cb (FhFilesView *self, GtkListItem *item)
{
  fh_files_row_set_file (FH_FILES_ROW (gtk_list_item_get_child (item)), NULL, 0);
}

/* The files of a run appear at its end. */
static void
show (FhResultPage *page, const FhShownResult *shown)
{
  FhFilesView *self = FH_FILES_VIEW (page);
  FhResultFiles *files = shown->files;

  if (files != NULL && files == self->files)
    return;
  gtk_stack_set_visible_child (self->stack, self->all);
  fh_file_preview_show (self->preview, NULL, NULL);
  g_set_object (&self->files, files);
  g_signal_group_set_target (self->signals, files);
  gtk_no_selection_set_model (self->model, G_LIST_MODEL (files));
  update (self);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhFilesView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (fh_file_saving_save_finish (result, &error))
    {
      fh_toast_show (GTK_WIDGET (self), _ ("File saved"));
      return;
    }
  message = g_strdup_printf (_ ("Could not save the file: %s"), error->message);
  fh_toast_show_problem (GTK_WIDGET (self), message);
}

static void
place_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhResultFile) file = user_data;
  g_autoptr (GFile) place = fh_file_dialogs_finish (result, NULL);

  if (place != NULL)
    fh_file_saving_save_async (file, place, NULL, saved_cb, g_object_ref (source));
}

/* One of the list, or the one that is shown. */
static void
save_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhFilesView *self = FH_FILES_VIEW (widget);
  FhResultFile *file = fh_file_preview_get_file (self->preview);
  g_autofree char *suggestion = NULL;

  if (parameter != NULL)
    file = self->files != NULL ? fh_result_files_get (self->files, g_variant_get_uint32 (parameter))
                               : NULL;

  if (file == NULL || !fh_file_saving_is_possible (file))
    return;
  suggestion = fh_result_path_to_name (fh_result_file_get_facts (file)->path);
  fh_file_dialogs_show_async (widget,
                              GTK_FILE_CHOOSER_ACTION_SAVE,
                              _ ("Save File"),
                              suggestion,
                              NULL,
                              place_chosen_cb,
                              g_object_ref (file));
}

static void
all_saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhFilesView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;
  guint n = fh_file_saving_save_all_finish (result, &error);

  if (error != NULL)
    {
      fh_toast_show_problem (GTK_WIDGET (self), error->message);
      return;
    }
  message = g_strdup_printf (ngettext ("%u file saved", "%u files saved", n), n);
  fh_toast_show (GTK_WIDGET (self), message);
}

static void
folder_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhResultFiles) files = user_data;
  g_autoptr (GFile) folder = fh_file_dialogs_finish (result, NULL);

  if (folder != NULL)
    fh_file_saving_save_all_async (files, folder, NULL, all_saved_cb, g_object_ref (source));
}

static void
save_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhFilesView *self = FH_FILES_VIEW (widget);

  if (self->files != NULL)
    fh_file_dialogs_show_async (widget,
                                GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                _ ("Save All Files"),
                                NULL,
                                NULL,
                                folder_chosen_cb,
                                g_object_ref (self->files));
}

static void
tools_clicked_cb (FhFilesView *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "files.save-all", NULL);
}

static void
fh_files_view_dispose (GObject *object)
{
  FhFilesView *self = FH_FILES_VIEW (object);

  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  self->list = NULL;
  g_clear_object (&self->model);
  g_clear_object (&self->signals);
  g_clear_object (&self->files);
  g_clear_object (&self->decoder);
  G_OBJECT_CLASS (fh_files_view_parent_class)->dispose (object);
}

static void
fh_files_view_class_init (FhFilesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_files_view_dispose;

  g_type_ensure (FH_TYPE_FILE_PREVIEW);
  fh_set_template (widget_class, "files/files-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, all);
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, preview);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, tools);
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, list);
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, left_out);
  gtk_widget_class_bind_template_callback (widget_class, tools_clicked_cb);
  gtk_widget_class_install_action (widget_class, "files.save", "u", save_action);
  gtk_widget_class_install_action (widget_class, "files.save-shown", NULL, save_action);
  gtk_widget_class_install_action (widget_class, "files.back", NULL, back_action);
  gtk_widget_class_install_action (widget_class, "files.save-all", NULL, save_all_action);
}

static void
fh_files_view_init (FhFilesView *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
  fh_connect (factory, "setup", setup_cb, self);
  fh_connect (factory, "bind", bind_cb, self);
  fh_connect (factory, "unbind", unbind_cb, self);
  self->model = gtk_no_selection_new (NULL);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->model));
  self->signals = g_signal_group_new (FH_TYPE_RESULT_FILES);
  fh_connect_group (self->signals, "items-changed", update, self);
  update (self);
}

static gboolean
is_present (FhResultPage *page)
{
  return count (FH_FILES_VIEW (page)) > 0;
}

static gboolean
concerns (const FhShownResult *shown)
{
  return shown->files != NULL && g_list_model_get_n_items (G_LIST_MODEL (shown->files)) > 0;
}

static void
init_page (FhResultPageInterface *iface)
{
  iface->name = "files";
  iface->title = N_ ("Files");
  iface->icon_name = "folder-symbolic";
  iface->concerns = concerns;
  iface->show = show;
  iface->is_present = is_present;
}

void
fh_files_view_set_decoder (FhFilesView *self, FhPictureDecoder *decoder)
{
  g_return_if_fail (FH_IS_FILES_VIEW (self));

  g_set_object (&self->decoder, decoder);
}
