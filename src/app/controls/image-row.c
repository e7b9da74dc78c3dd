/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/image-row.h"

#include <glib/gi18n.h>

#include "image-check.h"
#include "parts/calls.h"

/* `cancellable` belongs to the list being loaded. The pages of the stack are "wait", "message" and
 * "list". */
struct _FhImageRow
{
  AdwEntryRow parent_instance;

  FhEngineKind kind;
  GCancellable *cancellable;

  GtkMenuButton *button;
  GtkStack *stack;
  GtkSpinner *spinner;
  GtkLabel *message;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (FhImageRow, fh_image_row, ADW_TYPE_ENTRY_ROW)

static void
show_message (FhImageRow *self, const char *text)
{
  gtk_label_set_text (self->message, text);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

static void
clear_list (FhImageRow *self)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->list, 0)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
}

static void
add_image (FhImageRow *self, const char *name)
{
  GtkWidget *label = gtk_label_new (name);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_tooltip_text (label, name);
  gtk_widget_set_margin_top (label, 6);
  gtk_widget_set_margin_bottom (label, 6);
  gtk_widget_set_margin_start (label, 6);
  gtk_widget_set_margin_end (label, 6);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  fh_set_accessible_label (row, name);
  gtk_list_box_append (self->list, row);
}

/* Focuses the image that is typed, or the first. */
static void
focus_list (FhImageRow *self)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self));
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, 0);

  for (int i = 0; gtk_list_box_get_row_at_index (self->list, i) != NULL; i++)
    {
      GtkListBoxRow *other = gtk_list_box_get_row_at_index (self->list, i);
      GtkLabel *label = GTK_LABEL (gtk_list_box_row_get_child (other));

      if (g_str_equal (gtk_label_get_text (label), typed))
        row = other;
    }
  gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhImageRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = fh_image_names_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  gtk_spinner_stop (self->spinner);
  clear_list (self);
  if (names == NULL)
    {
      show_message (self, error->message);
      return;
    }
  if (names[0] == NULL)
    {
      show_message (self, _ ("The engine has no images yet. The image you enter will be pulled."));
      return;
    }
  for (guint i = 0; names[i] != NULL; i++)
    add_image (self, names[i]);
  gtk_stack_set_visible_child_name (self->stack, "list");
  focus_list (self);
}

static void
stop_asking (FhImageRow *self)
{
  fh_cancel (&self->cancellable);
}

static void
opened_cb (FhImageRow *self)
{
  stop_asking (self);
  self->cancellable = g_cancellable_new ();
  gtk_spinner_start (self->spinner);
  gtk_stack_set_visible_child_name (self->stack, "wait");
  fh_image_names_async (self->kind, self->cancellable, listed_cb, g_object_ref (self));
}

static void
taken_cb (FhImageRow *self, GtkListBoxRow *row)
{
  GtkLabel *label = GTK_LABEL (gtk_list_box_row_get_child (row));

  gtk_editable_set_text (GTK_EDITABLE (self), gtk_label_get_text (label));
  gtk_menu_button_popdown (self->button);
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static gboolean
open_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  gtk_menu_button_popup (FH_IMAGE_ROW (widget)->button);
  return TRUE;
}

static void
fh_image_row_dispose (GObject *object)
{
  FhImageRow *self = FH_IMAGE_ROW (object);

  stop_asking (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_IMAGE_ROW);

  G_OBJECT_CLASS (fh_image_row_parent_class)->dispose (object);
}

static void
fh_image_row_class_init (FhImageRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_image_row_dispose;

  fh_set_template (widget_class, "controls/image-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhImageRow, button);
  gtk_widget_class_bind_template_child (widget_class, FhImageRow, stack);
  gtk_widget_class_bind_template_child (widget_class, FhImageRow, spinner);
  gtk_widget_class_bind_template_child (widget_class, FhImageRow, message);
  gtk_widget_class_bind_template_child (widget_class, FhImageRow, list);
  gtk_widget_class_bind_template_callback (widget_class, opened_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_asking);
  gtk_widget_class_bind_template_callback (widget_class, taken_cb);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, 0, open_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Down, GDK_ALT_MASK, open_cb, NULL);
}

static void
fh_image_row_init (FhImageRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
fh_image_row_set_engine (FhImageRow *self, FhEngineKind engine)
{
  g_return_if_fail (FH_IS_IMAGE_ROW (self));

  self->kind = engine;
}
