/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-gutter.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

#define WIDTH     10
#define BAR_X     3
#define BAR_WIDTH 3

struct _FhOutputGutter
{
  GtkWidget parent_instance;
  GtkTextView *view; /* the parent; NULL once it is gone */
  FhOutputStyles *styles;
  GSignalGroup *scrolling;
};

G_DEFINE_FINAL_TYPE (FhOutputGutter, fh_output_gutter, GTK_TYPE_WIDGET)

static gboolean
is_stderr (FhOutputGutter *self, const GtkTextIter *line)
{
  return gtk_text_iter_has_tag (line,
                                fh_output_styles_get_tag (self->styles, FH_OUTPUT_TAG_STDERR));
}

static void
draw_bars (FhOutputGutter *self, GtkSnapshot *snapshot, const GdkRectangle *visible)
{
  GdkRGBA color;
  GtkTextIter line;
  int y, height, bar_from = -1, bar_to = -1;

  fh_output_styles_get_stderr_color (self->styles, &color);
  gtk_text_view_get_line_at_y (self->view, &line, visible->y, NULL);
  do
    {
      gtk_text_view_get_line_yrange (self->view, &line, &y, &height);
      if (!is_stderr (self, &line))
        continue;
      if (bar_to != y && bar_from >= 0)
        gtk_snapshot_append_color (
            snapshot,
            &color,
            &GRAPHENE_RECT_INIT (BAR_X, bar_from - visible->y, BAR_WIDTH, bar_to - bar_from));
      if (bar_to != y)
        bar_from = y;
      bar_to = y + height;
    }
  while (y + height < visible->y + visible->height && gtk_text_iter_forward_line (&line));
  if (bar_from >= 0)
    gtk_snapshot_append_color (
        snapshot,
        &color,
        &GRAPHENE_RECT_INIT (BAR_X, bar_from - visible->y, BAR_WIDTH, bar_to - bar_from));
}

static void
fh_output_gutter_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FhOutputGutter *self = FH_OUTPUT_GUTTER (widget);
  GdkRectangle visible;

  if (self->view == NULL)
    return;
  gtk_text_view_get_visible_rect (self->view, &visible);
  draw_bars (self, snapshot, &visible);
}

static void
fh_output_gutter_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : 0;
}

static gboolean
fh_output_gutter_query_tooltip (GtkWidget *widget,
                                int x,
                                int y,
                                gboolean keyboard_mode,
                                GtkTooltip *tooltip)
{
  FhOutputGutter *self = FH_OUTPUT_GUTTER (widget);
  GdkRectangle visible;
  GtkTextIter line;

  if (self->view == NULL || keyboard_mode)
    return FALSE;
  gtk_text_view_get_visible_rect (self->view, &visible);
  gtk_text_view_get_line_at_y (self->view, &line, visible.y + y, NULL);
  if (!is_stderr (self, &line))
    return FALSE;
  gtk_tooltip_set_text (tooltip, _ ("Written to standard error"));
  return TRUE;
}

static void
fh_output_gutter_dispose (GObject *object)
{
  FhOutputGutter *self = FH_OUTPUT_GUTTER (object);

  g_clear_weak_pointer (&self->view);
  g_clear_object (&self->styles);
  g_clear_object (&self->scrolling);
  G_OBJECT_CLASS (fh_output_gutter_parent_class)->dispose (object);
}

static void
fh_output_gutter_class_init (FhOutputGutterClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_output_gutter_dispose;
  widget_class->snapshot = fh_output_gutter_snapshot;
  widget_class->measure = fh_output_gutter_measure;
  widget_class->query_tooltip = fh_output_gutter_query_tooltip;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
fh_output_gutter_init (FhOutputGutter *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

FhOutputGutter *
fh_output_gutter_attach (GtkTextView *view, FhOutputStyles *styles)
{
  FhOutputGutter *self;

  g_return_val_if_fail (GTK_IS_TEXT_VIEW (view), NULL);
  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (styles), NULL);

  self = g_object_new (FH_TYPE_OUTPUT_GUTTER, NULL);
  g_set_weak_pointer (&self->view, view);
  self->styles = g_object_ref (styles);
  gtk_text_view_set_gutter (view, GTK_TEXT_WINDOW_LEFT, GTK_WIDGET (self));
  fh_connect (gtk_text_view_get_buffer (view), "changed", gtk_widget_queue_draw, self);
  /* A view that scrolls does not draw its gutters again. */
  self->scrolling = g_signal_group_new (GTK_TYPE_ADJUSTMENT);
  fh_connect_group (self->scrolling, "value-changed", gtk_widget_queue_draw, self);
  fh_bind (view, "vadjustment", self->scrolling, "target");
  return self;
}
