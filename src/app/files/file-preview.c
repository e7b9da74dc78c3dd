/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/file-preview.h"

#include <glib/gi18n.h>

#include "file-content.h"
#include "parts/calls.h"
#include "parts/picture-view.h"
#include "parts/program-text.h"
#include "parts/toasts.h"

/* Characters; longer cells are cut, and shown whole by their tooltip. */
#define MAX_WIDTH 40

/* A row of the view is no more than its number. */
static const char table_key[] = "fh-file-table";

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_WIDTH);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

/* Plain text: the program has written it. */
static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  const FhFileTable *table = g_object_get_data (G_OBJECT (factory), table_key);
  GtkWidget *label = gtk_list_item_get_child (item);
  const char *text =
      fh_file_table_get (table, gtk_list_item_get_position (item) + 1, GPOINTER_TO_UINT (column));

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, g_utf8_strlen (text, -1) > MAX_WIDTH ? text : NULL);
}

static void
add_column (GtkColumnView *view, const FhFileTable *table, guint number)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column =
      gtk_column_view_column_new (fh_file_table_get (table, 0, number), factory);

  /* The view keeps the table longer than its columns. */
  g_object_set_data (G_OBJECT (factory), table_key, (gpointer) table);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (number));
  gtk_column_view_column_set_resizable (column, TRUE);
  /* GTK 4.8 draws a table that is narrower than its view as one that was pulled beyond its end. */
  gtk_column_view_column_set_expand (column, number + 1 == table->n_columns);
  gtk_column_view_append_column (view, column);
}

static void
clear_table (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  gtk_column_view_set_model (view, NULL);
  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (view, column);
    }
  g_object_set_data (G_OBJECT (view), table_key, NULL);
}

/* Shows a table of texts; its first row is the titles. NULL empties it. Takes the table. */
static void
fill_table (GtkColumnView *view, FhFileTable *table)
{
  GtkStringList *rows;
  GtkSelectionModel *selection;

  clear_table (view);
  if (table == NULL)
    return;
  g_object_set_data_full (G_OBJECT (view), table_key, table, (GDestroyNotify) fh_file_table_free);
  for (guint i = 0; i < table->n_columns; i++)
    add_column (view, table, i);
  rows = gtk_string_list_new (NULL);
  for (guint i = 1; i < table->rows->len; i++)
    gtk_string_list_append (rows, "");
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (rows)));
  gtk_column_view_set_model (view, selection);
  g_object_unref (selection);
}

struct _FhFilePreview
{
  AdwBin parent_instance;
  FhResultFile *file; /* nullable */

  GtkWidget *back;
  GtkLabel *title;
  GtkLabel *subtitle;
  GtkWidget *zoom_box;
  GtkStack *stack;
  FhPictureView *picture;
  GtkTextView *text;
  GtkColumnView *table;
};

G_DEFINE_FINAL_TYPE (FhFilePreview, fh_file_preview, ADW_TYPE_BIN)

/* `remark`: nullable. */
static void
show_subtitle (FhFilePreview *self, const char *remark)
{
  g_autofree char *size =
      g_format_size_full (fh_result_file_get_facts (self->file)->size, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *text = remark != NULL ? g_strdup_printf ("%s · %s", size, remark) : NULL;

  gtk_label_set_text (self->subtitle, text != NULL ? text : size);
}

static void
update_actions (FhFilePreview *self)
{
  static const char *const zooms[] = { "zoom-in", "zoom-out", "fit", "own-size" };
  const char *page = gtk_stack_get_visible_child_name (self->stack);
  const gboolean is_picture = g_str_equal (page, "picture");
  const gboolean is_decoded = is_picture && fh_picture_view_get_texture (self->picture) != NULL;

  gtk_widget_set_visible (self->zoom_box, is_picture);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      g_autofree char *name = g_strconcat ("preview.", zooms[i], NULL);

      gtk_widget_action_set_enabled (GTK_WIDGET (self), name, is_decoded);
    }
  gtk_widget_action_set_enabled (GTK_WIDGET (self),
                                 "preview.copy",
                                 is_decoded || (!is_picture && !g_str_equal (page, "none")));
}

static void
picture_cb (FhFilePreview *self)
{
  g_autofree char *remark = fh_picture_view_describe (self->picture);

  if (self->file == NULL)
    return;
  show_subtitle (self, remark);
  update_actions (self);
}

static void
show_text (FhFilePreview *self, GBytes *content)
{
  gboolean is_cut;
  g_autofree char *text = fh_file_content_text (content, &is_cut);

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), text, -1);
  show_subtitle (self, is_cut ? _ ("not all is shown") : NULL);
  gtk_stack_set_visible_child_name (self->stack, "text");
}

static void
show_table (FhFilePreview *self, GBytes *content)
{
  FhFileTable *table = fh_file_content_table (content);
  const guint n_rows = table->rows->len > 0 ? table->rows->len - 1 : 0;
  g_autofree char *rows =
      g_strdup_printf (ngettext ("%u row below the titles", "%u rows below the titles", n_rows),
                       n_rows);
  g_autofree char *cut = g_strdup_printf ("%s, %s", rows, _ ("not all is shown"));

  show_subtitle (self, table->is_cut ? cut : rows);
  fill_table (self->table, table);
  gtk_stack_set_visible_child_name (self->stack, "table");
}

/* Frees what was shown before, which may be large. */
static void
empty (FhFilePreview *self)
{
  fh_picture_view_show (self->picture, NULL, NULL, NULL, FALSE);
  fill_table (self->table, NULL);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), "", 0);
  g_clear_object (&self->file);
}

void
fh_file_preview_show (FhFilePreview *self, FhPictureDecoder *decoder, FhResultFile *file)
{
  const FhResultFileFacts *facts;
  FhFileContentKind kind;

  g_return_if_fail (FH_IS_FILE_PREVIEW (self));

  empty (self);
  if (file == NULL)
    return;
  self->file = g_object_ref (file);
  facts = fh_result_file_get_facts (file);
  gtk_label_set_text (self->title, fh_result_file_get_facts (file)->name);
  kind = fh_file_content_kind (facts->path, facts->content);
  if (kind == FH_FILE_CONTENT_TEXT)
    show_text (self, facts->content);
  else if (kind == FH_FILE_CONTENT_TABLE)
    show_table (self, facts->content);
  else if (kind == FH_FILE_CONTENT_PICTURE && decoder != NULL)
    {
      gtk_stack_set_visible_child_name (self->stack, "picture");
      show_subtitle (self, NULL);
      fh_picture_view_show (self->picture,
                            decoder,
                            fh_result_file_get_facts (file)->name,
                            facts->content,
                            TRUE);
    }
  else
    {
      show_subtitle (self, NULL);
      gtk_stack_set_visible_child_name (self->stack, "none");
    }
  update_actions (self);
}

FhResultFile *
fh_file_preview_get_file (FhFilePreview *self)
{
  g_return_val_if_fail (FH_IS_FILE_PREVIEW (self), NULL);

  return self->file;
}

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhFilePreview *self = FH_FILE_PREVIEW (widget);

  if (g_str_equal (name, "preview.fit"))
    fh_picture_view_set_zoom (self->picture, 0);
  else if (g_str_equal (name, "preview.own-size"))
    fh_picture_view_set_zoom (self->picture, 1);
  else
    fh_picture_view_zoom (self->picture, g_str_equal (name, "preview.zoom-in"));
}

/* A picture as one; of all else the text, which of a table is the file's own. */
static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhFilePreview *self = FH_FILE_PREVIEW (widget);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (widget);
  GdkTexture *texture = fh_picture_view_get_texture (self->picture);
  g_autofree char *text = NULL;
  gboolean is_cut;

  if (self->file == NULL)
    return;
  if (texture != NULL)
    {
      gdk_clipboard_set_texture (clipboard, texture);
      fh_toast_show (widget, _ ("Picture copied"));
      return;
    }
  text = fh_file_content_text (fh_result_file_get_facts (self->file)->content, &is_cut);
  gdk_clipboard_set_text (clipboard, text);
  fh_toast_show (widget, _ ("Text copied"));
}

static gboolean
fh_file_preview_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (FH_FILE_PREVIEW (widget)->back);
}

static void
fh_file_preview_dispose (GObject *object)
{
  FhFilePreview *self = FH_FILE_PREVIEW (object);

  g_clear_object (&self->file);
  G_OBJECT_CLASS (fh_file_preview_parent_class)->dispose (object);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    guint keys[3];
  } zooms[] = {
    { "preview.zoom-in", { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add } },
    { "preview.zoom-out", { GDK_KEY_minus, GDK_KEY_KP_Subtract } },
    { "preview.fit", { GDK_KEY_0, GDK_KEY_KP_0 } },
    { "preview.own-size", { GDK_KEY_1, GDK_KEY_KP_1 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    {
      gtk_widget_class_install_action (widget_class, zooms[i].name, NULL, zoom_action);
      for (guint j = 0; j < 3 && zooms[i].keys[j] != 0; j++)
        gtk_widget_class_add_binding_action (widget_class,
                                             zooms[i].keys[j],
                                             0,
                                             zooms[i].name,
                                             NULL);
    }
  gtk_widget_class_install_action (widget_class, "preview.copy", NULL, copy_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "files.back", NULL);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_Left,
                                       GDK_ALT_MASK,
                                       "files.back",
                                       NULL);
}

static void
fh_file_preview_class_init (FhFilePreviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_file_preview_dispose;
  widget_class->grab_focus = fh_file_preview_grab_focus;
  g_type_ensure (FH_TYPE_PICTURE_VIEW);
  fh_set_template (widget_class, "files/file-preview.ui");
  gtk_widget_class_bind_template_child (widget_class, FhFilePreview, back);
  gtk_widget_class_bind_template_child (widget_class, FhFilePreview, title);
  gtk_widget_class_bind_template_child (widget_class, FhFilePreview, subtitle);
  gtk_widget_class_bind_template_child (widget_class, FhFilePreview, zoom_box);
  gtk_widget_class_bind_template_child (widget_class, FhFilePreview, stack);
  gtk_widget_class_bind_template_child (widget_class, FhFilePreview, picture);
  gtk_widget_class_bind_template_child (widget_class, FhFilePreview, text);
  gtk_widget_class_bind_template_child (widget_class, FhFilePreview, table);
  gtk_widget_class_bind_template_callback (widget_class, picture_cb);
  install_actions (widget_class);
}

static void
fh_file_preview_init (FhFilePreview *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_show_program_text (self->text);
}
