/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/cell-gutter.h"

#include <glib/gi18n.h>
#include <string.h>

/* Characters, of most numbers. */
#define WIDEST "999 …"

struct _FhCellGutter
{
  GtkSourceGutterRendererText parent_instance;
};

G_DEFINE_FINAL_TYPE (FhCellGutter, fh_cell_gutter, GTK_SOURCE_TYPE_GUTTER_RENDERER_TEXT)

static guint64
number_of (GtkSourceMark *mark)
{
  const char *name = gtk_text_mark_get_name (GTK_TEXT_MARK (mark));

  return g_ascii_strtoull (name + strlen (FH_CELL_GUTTER_NAME), NULL, 10);
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

static void
fh_cell_gutter_query_data (GtkSourceGutterRenderer *renderer,
                           GtkSourceGutterLines *lines,
                           guint line)
{
  GtkSourceMark *mark = find_mark (gtk_source_gutter_renderer_get_buffer (renderer), line);
  g_autofree char *text = NULL;
  const char *category;

  if (mark != NULL)
    {
      category = gtk_source_mark_get_category (mark);
      text = g_strdup_printf ("%" G_GUINT64_FORMAT " %s",
                              number_of (mark),
                              g_str_equal (category, FH_CELL_GUTTER_DONE)     ? "✓"
                              : g_str_equal (category, FH_CELL_GUTTER_FAILED) ? "✗"
                                                                              : "…");
    }
  gtk_source_gutter_renderer_text_set_text (GTK_SOURCE_GUTTER_RENDERER_TEXT (renderer),
                                            text != NULL ? text : "",
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
                                             WIDEST,
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

GtkSourceGutterRenderer *
fh_cell_gutter_new (void)
{
  return g_object_new (FH_TYPE_CELL_GUTTER, NULL);
}
