/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "changes/changes-row.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

struct _FhChangesRow
{
  AdwBin parent_instance;
  FhFolderChange *change; /* nullable */
  gboolean updating;

  GtkCheckButton *check;
  GtkLabel *letter;
  GtkLabel *name;
  GtkWidget *warning;
  GtkLabel *remark;
  GtkLabel *size;
};

G_DEFINE_FINAL_TYPE (FhChangesRow, fh_changes_row, ADW_TYPE_BIN)

static guint toggled_signal;

static void
toggled_cb (FhChangesRow *self)
{
  if (self->change != NULL && !self->updating)
    g_signal_emit (self,
                   toggled_signal,
                   0,
                   self->change,
                   gtk_check_button_get_active (self->check));
}

static char *
describe_size (const FhFolderChangeFacts *facts)
{
  g_autofree char *old_size = g_format_size_full (facts->old_size, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *new_size = g_format_size_full (facts->new_size, G_FORMAT_SIZE_IEC_UNITS);

  switch (facts->kind)
    {
    case FH_FOLDER_CHANGE_ADDED:
      return g_steal_pointer (&new_size);
    case FH_FOLDER_CHANGE_DELETED:
      return g_steal_pointer (&old_size);
    case FH_FOLDER_CHANGE_CHANGED:
    default:
      if (facts->old_size == facts->new_size)
        return g_steal_pointer (&new_size);
      /* Translators: the size of a file before and after */
      return g_strdup_printf (_ ("%s → %s"), old_size, new_size);
    }
}

static const char *
kind_title (FhFolderChangeKind kind)
{
  switch (kind)
    {
    case FH_FOLDER_CHANGE_ADDED:
      return C_ ("change", "Added");
    case FH_FOLDER_CHANGE_DELETED:
      return C_ ("change", "Deleted");
    case FH_FOLDER_CHANGE_CHANGED:
    default:
      return C_ ("change", "Changed");
    }
}

/* Names come from the program: never markup. */
static void
show_change (FhChangesRow *self, gboolean is_applied)
{
  const FhFolderChangeFacts *facts = fh_folder_change_get_facts (self->change);
  const char *const classes[] = { "success", "accent", "error" };
  const char *name = fh_folder_change_get_facts (self->change)->name;
  g_autofree char *size = describe_size (facts);
  g_autofree char *label = g_strdup_printf (_ ("%s: %s"), kind_title (facts->kind), name);

  gtk_label_set_text (self->letter, fh_folder_change_get_letter (self->change));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->letter), kind_title (facts->kind));
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    fh_set_css_class (self->letter, classes[i], i == facts->kind);
  gtk_label_set_text (self->name, name);
  gtk_label_set_text (self->size, size);
  fh_show_text (self->remark,
                is_applied ? _ ("Applied") : fh_folder_change_get_remark (self->change));
  gtk_widget_set_visible (self->warning,
                          !is_applied && fh_folder_change_get_remark (self->change) != NULL);
  fh_set_accessible_label (self->check, label);
}

void
fh_changes_row_set_change (FhChangesRow *self,
                           FhFolderChange *change,
                           gboolean is_chosen,
                           gboolean is_applied)
{
  g_return_if_fail (FH_IS_CHANGES_ROW (self));

  g_set_object (&self->change, change);
  if (change == NULL)
    return;
  self->updating = TRUE;
  gtk_check_button_set_active (self->check, is_chosen);
  gtk_widget_set_sensitive (GTK_WIDGET (self->check),
                            fh_folder_change_is_applicable (change) && !is_applied);
  self->updating = FALSE;
  show_change (self, is_applied);
}

static void
fh_changes_row_dispose (GObject *object)
{
  g_clear_object (&FH_CHANGES_ROW (object)->change);
  G_OBJECT_CLASS (fh_changes_row_parent_class)->dispose (object);
}

static void
fh_changes_row_class_init (FhChangesRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_changes_row_dispose;
  toggled_signal =
      fh_signal_new ("toggled", FH_TYPE_CHANGES_ROW, 2, FH_TYPE_FOLDER_CHANGE, G_TYPE_BOOLEAN);
  fh_set_template (widget_class, "changes/changes-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhChangesRow, check);
  gtk_widget_class_bind_template_child (widget_class, FhChangesRow, letter);
  gtk_widget_class_bind_template_child (widget_class, FhChangesRow, name);
  gtk_widget_class_bind_template_child (widget_class, FhChangesRow, warning);
  gtk_widget_class_bind_template_child (widget_class, FhChangesRow, remark);
  gtk_widget_class_bind_template_child (widget_class, FhChangesRow, size);
  gtk_widget_class_bind_template_callback (widget_class, toggled_cb);
}

static void
fh_changes_row_init (FhChangesRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
