/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/files-row.h"

#include <glib/gi18n.h>

#include "file-content.h"
#include "files/file-saving.h"
#include "parts/calls.h"

struct _FhFilesRow
{
  AdwBin parent_instance;

  GtkImage *icon;
  GtkLabel *name;
  GtkLabel *description;
  GtkWidget *save;
};

G_DEFINE_FINAL_TYPE (FhFilesRow, fh_files_row, ADW_TYPE_BIN)

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
  if (facts->is_from_answer)
    /* Translators: a file that holds the code of a block, and was not written by a program */
    g_strv_builder_add (builder, C_ ("file", "from the answer"));
  if (facts->is_program)
    /* Translators: a file that could be executed */
    g_strv_builder_add (builder, C_ ("file", "program, saved as a plain file"));
  if (facts->content == NULL)
    g_strv_builder_add (builder, C_ ("file", "too large to keep"));
  parts = g_strv_builder_end (builder);
  return g_strjoinv (" · ", parts);
}

/* The program chooses the name: never markup. */
static void
show (FhFilesRow *self, FhResultFile *file)
{
  const char *name = fh_result_file_get_facts (file)->name;
  g_autofree char *description = describe (file);
  /* Translators: what a button does; %s is the name of a file */
  g_autofree char *label = g_strdup_printf (_ ("Save “%s”"), name);

  gtk_image_set_from_icon_name (self->icon, icon_name (fh_result_file_get_facts (file)));
  gtk_label_set_text (self->name, name);
  gtk_label_set_text (self->description, description);
  fh_set_accessible_label (self->save, label);
}

void
fh_files_row_set_file (FhFilesRow *self, FhResultFile *file, guint position)
{
  const gboolean can_be_saved = file != NULL && fh_file_saving_is_possible (file);

  g_return_if_fail (FH_IS_FILES_ROW (self));

  gtk_widget_set_visible (self->save, can_be_saved);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->save), "u", position);
  /* The name is set after the target: GTK complains about a name that has no target yet. */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->save), "files.save");
  if (file != NULL)
    show (self, file);
}

static void
fh_files_row_class_init (FhFilesRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  fh_set_template (widget_class, "files/files-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhFilesRow, icon);
  gtk_widget_class_bind_template_child (widget_class, FhFilesRow, name);
  gtk_widget_class_bind_template_child (widget_class, FhFilesRow, description);
  gtk_widget_class_bind_template_child (widget_class, FhFilesRow, save);
}

static void
fh_files_row_init (FhFilesRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
