/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells/variable-details.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "cells/variable-columns.h"
#include "json-member.h"
#include "parts/calls.h"
#include "parts/program-text.h"
#include "parts/toasts.h"
#include "readable-text.h"

/* Characters of a text that are told at once: as in data/guest/values.py. */
#define TEXT_PAGE (1 << 14)

/* `path`: places (guint) in the variable, each in what the one before leads to. */
struct _FhVariableDetails
{
  AdwBin parent_instance;
  char *name;
  GArray *path;
  guint offset;
  guint page; /* items, or characters, of one */
  guint64 total;
  GListStore *rows; /* of FhVariable */

  GtkLabel *title;
  GtkStack *stack;
  GtkColumnView *table;
  GtkTextView *text;
  GtkWidget *pages;
  GtkWidget *previous;
  GtkWidget *next;
  GtkLabel *range;
};

G_DEFINE_FINAL_TYPE (FhVariableDetails, fh_variable_details, ADW_TYPE_BIN)

enum
{
  SIGNAL_LOOK,
  SIGNAL_BACK,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
look (FhVariableDetails *self, guint offset)
{
  g_autoptr (GVariant) path = g_variant_ref_sink (g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32,
                                                                             self->path->data,
                                                                             self->path->len,
                                                                             sizeof (guint32)));

  g_signal_emit (self, signals[SIGNAL_LOOK], 0, self->name, path, offset);
}

static void
back_cb (FhVariableDetails *self)
{
  if (self->path->len == 0)
    {
      g_signal_emit (self, signals[SIGNAL_BACK], 0);
      return;
    }
  g_array_set_size (self->path, self->path->len - 1);
  look (self, 0);
}

static void
activate_cb (FhVariableDetails *self, guint position)
{
  const guint place = self->offset + position;

  g_array_append_val (self->path, place);
  look (self, 0);
}

static void
previous_cb (FhVariableDetails *self)
{
  look (self, self->offset - MIN (self->offset, self->page));
}

static void
next_cb (FhVariableDetails *self)
{
  look (self, self->offset + self->page);
}

static gboolean
shows_text (FhVariableDetails *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "text") == 0;
}

static char *
dup_shown (FhVariableDetails *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GString *lines = g_string_new (NULL);
  GtkTextIter start, end;

  if (shows_text (self))
    {
      g_string_free (lines, TRUE);
      gtk_text_buffer_get_bounds (buffer, &start, &end);
      return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
    }
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i++)
    {
      g_autoptr (FhVariable) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);

      g_string_append_printf (lines,
                              "%s\t%s\t%s\n",
                              fh_variable_get_name (row),
                              fh_variable_get_type_name (row),
                              fh_variable_get_text (row));
    }
  return g_string_free (lines, FALSE);
}

static void
copy_cb (FhVariableDetails *self)
{
  g_autofree char *text = dup_shown (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  fh_toast_show (GTK_WIDGET (self), _ ("Contents copied"));
}

static void
fh_variable_details_dispose (GObject *object)
{
  g_clear_object (&FH_VARIABLE_DETAILS (object)->rows);
  G_OBJECT_CLASS (fh_variable_details_parent_class)->dispose (object);
}

static void
fh_variable_details_finalize (GObject *object)
{
  FhVariableDetails *self = FH_VARIABLE_DETAILS (object);

  g_free (self->name);
  g_array_unref (self->path);
  G_OBJECT_CLASS (fh_variable_details_parent_class)->finalize (object);
}

static void
fh_variable_details_class_init (FhVariableDetailsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = fh_variable_details_dispose;
  object_class->finalize = fh_variable_details_finalize;
  signals[SIGNAL_LOOK] =
      fh_signal_new ("look", type, 3, G_TYPE_STRING, G_TYPE_VARIANT, G_TYPE_UINT);
  signals[SIGNAL_BACK] = fh_signal_new ("back", type, 0);

  fh_set_template (widget_class, "cells/variable-details.ui");
  gtk_widget_class_bind_template_child (widget_class, FhVariableDetails, title);
  gtk_widget_class_bind_template_child (widget_class, FhVariableDetails, stack);
  gtk_widget_class_bind_template_child (widget_class, FhVariableDetails, table);
  gtk_widget_class_bind_template_child (widget_class, FhVariableDetails, text);
  gtk_widget_class_bind_template_child (widget_class, FhVariableDetails, pages);
  gtk_widget_class_bind_template_child (widget_class, FhVariableDetails, previous);
  gtk_widget_class_bind_template_child (widget_class, FhVariableDetails, next);
  gtk_widget_class_bind_template_child (widget_class, FhVariableDetails, range);
  gtk_widget_class_bind_template_callback (widget_class, back_cb);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, copy_cb);
}

static void
fh_variable_details_init (FhVariableDetails *self)
{
  GtkSelectionModel *selection;

  self->path = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->rows = g_list_store_new (FH_TYPE_VARIABLE);
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_show_program_text (self->text);
  fh_variable_columns_add (self->table);
  selection =
      GTK_SELECTION_MODEL (gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows))));
  gtk_column_view_set_model (self->table, selection);
  g_object_unref (selection);
}

void
fh_variable_details_begin (FhVariableDetails *self, const char *name)
{
  g_return_if_fail (FH_IS_VARIABLE_DETAILS (self));
  g_return_if_fail (name != NULL);

  g_free (self->name);
  self->name = g_strdup (name);
  g_array_set_size (self->path, 0);
  look (self, 0);
}

void
fh_variable_details_refresh (FhVariableDetails *self)
{
  g_return_if_fail (FH_IS_VARIABLE_DETAILS (self));

  look (self, self->offset);
}

static void
show_title (FhVariableDetails *self, JsonObject *answer)
{
  const char *name = "";
  const char *type = "";
  g_autofree char *size = fh_variable_format_size (answer);
  g_autofree char *title = NULL;

  fh_json_get_string (answer, "name", &name, NULL);
  fh_json_get_string (answer, "type", &type, NULL);
  title = g_strdup_printf ("%s · %s%s%s", name, type, *size != '\0' ? " · " : "", size);
  g_strdelimit (title, "\r\n\t", ' ');
  gtk_label_set_text (self->title, title);
}

static void
show_range (FhVariableDetails *self)
{
  const guint64 end = MIN (self->total, (guint64) self->offset + self->page);
  /* Translators: which of how many items are shown: “101–200 of 1500” */
  g_autofree char *range = g_strdup_printf (_ ("%u–%" PRIu64 " of %" PRIu64),
                                            self->total > 0 ? self->offset + 1 : 0,
                                            end,
                                            self->total);

  gtk_label_set_text (self->range, range);
  gtk_widget_set_sensitive (self->previous, self->offset > 0);
  gtk_widget_set_sensitive (self->next, end < self->total);
  gtk_widget_set_visible (self->pages, self->offset > 0 || end < self->total);
}

static void
show_rows (FhVariableDetails *self, JsonArray *array)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      FhVariable *row = fh_variable_new (json_array_get_element (array, i), "key");

      if (row != NULL)
        g_ptr_array_add (rows, row);
    }
  g_list_store_splice (self->rows,
                       0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       rows->pdata,
                       rows->len);
}

/* Its lines, without anything that could change how they are read. */
static void
show_text (FhVariableDetails *self, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *joined = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = fh_readable_text_new (lines[i], strlen (lines[i]));

      g_free (lines[i]);
      lines[i] = line;
    }
  joined = g_strjoinv ("\n", lines);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), joined, -1);
}

gboolean
fh_variable_details_show (FhVariableDetails *self, JsonObject *answer)
{
  const char *text = NULL;
  gboolean found = FALSE;
  JsonArray *rows;
  guint64 offset = 0;

  g_return_val_if_fail (FH_IS_VARIABLE_DETAILS (self), FALSE);
  g_return_val_if_fail (answer != NULL, FALSE);

  fh_json_get_bool (answer, "found", &found, NULL);
  fh_json_get_string (answer, "text", &text, NULL);
  rows = fh_json_get_array (answer, "rows", FH_VARIABLE_DETAILS_ROWS, NULL);
  self->total = 0;
  fh_json_get_number (answer, "total", G_MAXINT64, &self->total, NULL);
  fh_json_get_number (answer, "offset", G_MAXINT, &offset, NULL);
  self->offset = (guint) offset;
  if (!found || (text == NULL && rows == NULL))
    return FALSE;
  self->page = text != NULL ? TEXT_PAGE : FH_VARIABLE_DETAILS_ROWS;
  if (text != NULL)
    show_text (self, text);
  else
    show_rows (self, rows);
  gtk_stack_set_visible_child_name (self->stack, text != NULL ? "text" : "table");
  show_title (self, answer);
  show_range (self);
  return TRUE;
}
