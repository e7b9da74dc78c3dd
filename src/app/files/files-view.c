/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "files/files-view.h"

#include <glib/gi18n.h>

#include "file-content.h"
#include "files/file-drag.h"
#include "files/file-preview.h"
#include "files/file-saving.h"
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
  GtkListBox *list;
  GtkLabel *left_out;
};

static GParamSpec *n_files_property;

G_DEFINE_FINAL_TYPE (FhFilesView, fh_files_view, ADW_TYPE_BIN)

static guint
count (FhFilesView *self)
{
  return self->files != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->files)) : 0;
}

static const char *
icon_name (const FhResultFileFacts *facts)
{
  if (facts->kind != FH_RESULT_FILE_REGULAR)
    return "action-unavailable-symbolic";
  if (facts->is_program)
    return "application-x-executable-symbolic";
  return facts->content != NULL &&
                 fh_file_content_kind (facts->path, facts->content) == FH_FILE_CONTENT_PICTURE
             ? "image-x-generic-symbolic"
             : "text-x-generic-symbolic";
}

/* The subtitle of a row: “12.0 KiB · changed”. */
static char *
describe (FhResultFile *file)
{
  const FhResultFileFacts *facts = fh_result_file_get_facts (file);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) parts = NULL;
  g_autofree char *size = NULL;

  if (facts->kind == FH_RESULT_FILE_LINK)
    return g_strdup (_ ("A symbolic link; it was not followed and cannot be saved"));
  if (facts->kind == FH_RESULT_FILE_SPECIAL)
    return g_strdup (_ ("A pipe, a socket or a device; it cannot be saved"));
  size = g_format_size_full (facts->size, G_FORMAT_SIZE_IEC_UNITS);
  g_strv_builder_add (builder, size);
  if (facts->is_changed)
    /* Translators: a file that was there before the program began */
    g_strv_builder_add (builder, C_ ("file", "changed"));
  if (facts->is_program)
    /* Translators: a file that could be executed */
    g_strv_builder_add (builder, C_ ("file", "program, saved as a plain file"));
  if (facts->content == NULL)
    g_strv_builder_add (builder, C_ ("file", "too large to keep"));
  parts = g_strv_builder_end (builder);
  return g_strjoinv (" · ", parts);
}

static GtkWidget *
create_save_button (FhFilesView *self, FhResultFile *file)
{
  /* Translators: what a button does; %s is the name of a file */
  g_autofree char *label = g_strdup_printf (_ ("Save “%s”"), fh_result_file_get_name (file));
  GtkWidget *button = gtk_button_new_from_icon_name ("document-save-symbolic");
  guint position = 0;

  while (fh_result_files_get (self->files, position) != file)
    position++;
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Save…"));
  fh_set_accessible_label (button, label);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "files.save");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "u", position);
  return button;
}

/* The program chooses the name: never markup. */
static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  FhFilesView *self = FH_FILES_VIEW (user_data);
  FhResultFile *file = FH_RESULT_FILE (item);
  g_autofree char *description = describe (file);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, NULL);
  const gboolean has_content = fh_file_saving_is_possible (file);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), fh_result_file_get_name (file));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), description);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  adw_action_row_add_prefix (
      ADW_ACTION_ROW (row),
      gtk_image_new_from_icon_name (icon_name (fh_result_file_get_facts (file))));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), has_content);
  if (!has_content)
    return row;
  fh_file_drag_set (row, file);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), create_save_button (self, file));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  return row;
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
  guint n = self->files != NULL ? fh_result_files_get_n_left_out (self->files) : 0;
  gboolean is_incomplete = self->files != NULL && fh_result_files_is_incomplete (self->files);
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
  g_object_notify_by_pspec (G_OBJECT (self), n_files_property);
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
  FhResultFile *shown = fh_file_preview_get_file (self->preview);
  GtkListBoxRow *row = NULL;

  if (!is_open (self))
    return;
  for (guint i = 0; shown != NULL && row == NULL && i < count (self); i++)
    if (fh_result_files_get (self->files, i) == shown)
      row = gtk_list_box_get_row_at_index (self->list, (int) i);
  gtk_stack_set_visible_child (self->stack, self->all);
  if (row != NULL && gtk_widget_get_focus_child (widget) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
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
row_activated_cb (FhFilesView *self, GtkListBoxRow *row)
{
  FhResultFile *file = fh_result_files_get (self->files, (guint) gtk_list_box_row_get_index (row));

  fh_files_view_open (self, file);
}

static void
set_files (FhFilesView *self, FhResultFiles *files)
{
  gtk_stack_set_visible_child (self->stack, self->all);
  fh_file_preview_show (self->preview, NULL, NULL);
  /* create_row() uses self->files. */
  gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  g_set_object (&self->files, files);
  g_signal_group_set_target (self->signals, files);
  if (files != NULL)
    gtk_list_box_bind_model (self->list, G_LIST_MODEL (files), create_row, self, NULL);
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

  /* So that the list creates no rows after this. */
  if (self->files != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->signals);
  g_clear_object (&self->files);
  g_clear_object (&self->decoder);
  g_clear_object (&self->tools);
  G_OBJECT_CLASS (fh_files_view_parent_class)->dispose (object);
}

static void
fh_files_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_uint (value, count (FH_FILES_VIEW (object)));
}

static void
fh_files_view_class_init (FhFilesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_files_view_dispose;
  object_class->get_property = fh_files_view_get_property;
  n_files_property = g_param_spec_uint ("n-files", NULL, NULL, 0, G_MAXUINT, 0, FH_PARAM_READ);
  g_object_class_install_property (object_class, 1, n_files_property);

  g_type_ensure (FH_TYPE_FILE_PREVIEW);
  fh_set_template (widget_class, "files/files-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, all);
  gtk_widget_class_bind_template_child (widget_class, FhFilesView, preview);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
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
  gtk_widget_init_template (GTK_WIDGET (self));
  /* The toolbar that they are moved to may be destroyed before this. */
  g_object_ref (self->tools);
  self->signals = g_signal_group_new (FH_TYPE_RESULT_FILES);
  fh_connect_group (self->signals, "items-changed", update, self);
  update (self);
}

FhFilesView *
fh_files_view_new (void)
{
  return g_object_new (FH_TYPE_FILES_VIEW, NULL);
}

void
fh_files_view_set_decoder (FhFilesView *self, FhPictureDecoder *decoder)
{
  g_return_if_fail (FH_IS_FILES_VIEW (self));

  g_set_object (&self->decoder, decoder);
}

void
fh_files_view_set_run (FhFilesView *self, FhRun *run)
{
  g_return_if_fail (FH_IS_FILES_VIEW (self));
  g_return_if_fail (run == NULL || FH_IS_RUN (run));

  set_files (self, run != NULL ? fh_run_get_files (run) : NULL);
}

void
fh_files_view_show_files (FhFilesView *self, FhResultFiles *files)
{
  g_return_if_fail (FH_IS_FILES_VIEW (self));

  fh_files_view_set_run (self, NULL);
  set_files (self, files);
}

void
fh_files_view_show_result (FhFilesView *self, FhRunResult *result)
{
  g_return_if_fail (FH_IS_FILES_VIEW (self));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  set_files (self, fh_run_result_get_files (result));
}

GtkWidget *
fh_files_view_get_tools (FhFilesView *self)
{
  g_return_val_if_fail (FH_IS_FILES_VIEW (self), NULL);

  return self->tools;
}
