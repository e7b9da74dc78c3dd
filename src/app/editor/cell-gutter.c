/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/cell-gutter.h"

#include <string.h>

#include "editor/look-gutter.h"

/* Characters, of most numbers. */
#define WIDEST          "999 …"
#define WIDEST_NUMBERED "99999 999 …"

struct _FhCellGutter
{
  GtkSourceGutterRendererText parent_instance;

  gboolean numbered;
};

G_DEFINE_FINAL_TYPE (FhCellGutter, fh_cell_gutter, GTK_SOURCE_TYPE_GUTTER_RENDERER_TEXT)

static const struct
{
  const char *category;
  const char *symbol;
} symbols[] = {
  { FH_CELL_GUTTER_IDLE, "" },    { FH_CELL_GUTTER_RUNS, "…" },  { FH_CELL_GUTTER_DONE, "✓" },
  { FH_CELL_GUTTER_FAILED, "✗" }, { FH_CELL_GUTTER_SAVED, "↓" }, { FH_CELL_GUTTER_REFUSED, "–" },
  { FH_LINE_MARK_BLOCK, "✗" },
};

static const char *
symbol_of (GtkSourceMark *mark)
{
  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    {
      if (g_str_equal (gtk_source_mark_get_category (mark), symbols[i].category))
        return symbols[i].symbol;
    }
  return "";
}

static guint64
number_of (GtkSourceMark *mark)
{
  const char *name = gtk_text_mark_get_name (GTK_TEXT_MARK (mark));

  return g_ascii_strtoull (strrchr (name, '-') + 1, NULL, 10);
}

/* The last one on the line; NULL if there is none. */
static GtkSourceMark *
find_mark (GtkSourceBuffer *buffer, guint line)
{
  g_autoptr (GSList) marks = gtk_source_buffer_get_source_marks_at_line (buffer, (int) line, NULL);
  GtkSourceMark *last = NULL;

  for (GSList *at = marks; at != NULL; at = at->next)
    {
      if (g_str_has_prefix (gtk_source_mark_get_category (at->data), FH_CELL_GUTTER_NAME) &&
          (last == NULL || number_of (at->data) > number_of (last)))
        last = at->data;
    }
  return last;
}

static gboolean
is_visible (GtkSourceBuffer *buffer, guint line)
{
  g_autoptr (GSList) tags = NULL;
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_line (GTK_TEXT_BUFFER (buffer), &at, (int) line);
  tags = gtk_text_iter_get_tags (&at);
  for (GSList *tag = tags; tag != NULL; tag = tag->next)
    {
      gboolean invisible;

      g_object_get (tag->data, "invisible", &invisible, NULL);
      if (invisible)
        return FALSE;
    }
  return TRUE;
}

static void
fh_cell_gutter_query_data (GtkSourceGutterRenderer *renderer,
                           GtkSourceGutterLines *lines,
                           guint line)
{
  GtkSourceBuffer *buffer = gtk_source_gutter_renderer_get_buffer (renderer);
  const gboolean numbered = FH_CELL_GUTTER (renderer)->numbered;
  GtkSourceMark *mark = find_mark (buffer, line);
  g_autoptr (GString) text = g_string_new (NULL);

  if (numbered && is_visible (buffer, line))
    g_string_append_printf (text, "%u ", line + 1);
  if (mark != NULL)
    g_string_append_printf (text, "%3" G_GUINT64_FORMAT " %s", number_of (mark), symbol_of (mark));
  else if (numbered)
    g_string_append (text, "     ");
  gtk_source_gutter_renderer_text_set_text (GTK_SOURCE_GUTTER_RENDERER_TEXT (renderer),
                                            text->str,
                                            -1);
}

static void
fh_cell_gutter_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  int width = 0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    gtk_source_gutter_renderer_text_measure (GTK_SOURCE_GUTTER_RENDERER_TEXT (widget),
                                             FH_CELL_GUTTER (widget)->numbered ? WIDEST_NUMBERED
                                                                               : WIDEST,
                                             &width,
                                             NULL);
  *minimum = *natural = width;
}

static void
fh_cell_gutter_class_init (FhCellGutterClass *klass)
{
  GTK_WIDGET_CLASS (klass)->measure = fh_cell_gutter_measure;
  GTK_SOURCE_GUTTER_RENDERER_CLASS (klass)->query_data = fh_cell_gutter_query_data;
}

static void
fh_cell_gutter_init (FhCellGutter *self)
{
  gtk_source_gutter_renderer_set_xpad (GTK_SOURCE_GUTTER_RENDERER (self), 3);
  gtk_source_gutter_renderer_set_xalign (GTK_SOURCE_GUTTER_RENDERER (self), 1);
}

void
fh_cell_gutter_set_numbered (FhCellGutter *self, gboolean numbered)
{
  g_return_if_fail (FH_IS_CELL_GUTTER (self));

  self->numbered = numbered;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
