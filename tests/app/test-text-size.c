/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text-size.h"

#include "widget-test.h"

static int
size_of (GtkWidget *view)
{
  const PangoFontDescription *font =
      pango_context_get_font_description (gtk_widget_get_pango_context (view));
  const double dpi = pango_cairo_context_get_resolution (gtk_widget_get_pango_context (view));
  const double size = pango_font_description_get_size (font);

  if (pango_font_description_get_size_is_absolute (font))
    return (int) (size / PANGO_SCALE * 72 / dpi * 100 + 0.5);
  return (int) (size / PANGO_SCALE * 100 + 0.5);
}

static void
test_follow (void)
{
  g_autoptr (FhSettings) settings = fh_settings_new ();
  GtkWidget *view = gtk_text_view_new ();
  GtkWindow *window;

  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  g_object_set (settings, "font-size", 12, "zoom", 100, NULL);
  fh_text_size_follow (settings, gdk_display_get_default ());
  window = widget_test_window (view, 200, 100);
  FH_AWAIT_TRUE (size_of (view) == 1200);
  fh_text_size_zoom (settings, 1);
  FH_AWAIT_TRUE (size_of (view) == 1320);
  g_object_set (settings, "font-size", 9, NULL);
  FH_AWAIT_TRUE (size_of (view) == 990);
  fh_text_size_zoom (settings, 0);
  FH_AWAIT_TRUE (size_of (view) == 900);
  gtk_window_destroy (window);
}

static void
test_range (void)
{
  g_autoptr (FhSettings) settings = fh_settings_new ();
  int zoom;

  g_object_set (settings, "zoom", 100, NULL);
  fh_text_size_zoom (settings, -2);
  g_object_get (settings, "zoom", &zoom, NULL);
  g_assert_cmpint (zoom, ==, 80);
  fh_text_size_zoom (settings, -100);
  g_object_get (settings, "zoom", &zoom, NULL);
  g_assert_cmpint (zoom, ==, 50);
  fh_text_size_zoom (settings, 100);
  g_object_get (settings, "zoom", &zoom, NULL);
  g_assert_cmpint (zoom, ==, 400);
}

static int
height_of (GtkWidget *widget)
{
  int height;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  return height;
}

/* All text gets larger, also that which has no size of its own, and goes back. */
static void
test_presenter (void)
{
  g_autoptr (FhSettings) settings = fh_settings_new ();
  GtkSettings *toolkit = gtk_settings_get_default ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = gtk_label_new ("Fumehood");
  GdkRGBA usual;
  GdkRGBA calm;
  GtkWindow *window;
  int height;
  int dpi;
  int dpi_then;

  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_add_css_class (label, "error");
  fh_text_size_follow (settings, gdk_display_get_default ());
  window = widget_test_window (box, 200, 100);
  height = height_of (label);
  gtk_style_context_get_color (gtk_widget_get_style_context (label), &usual);
  g_object_get (toolkit, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "presenter-view", TRUE, NULL);
  FH_AWAIT_TRUE (height_of (label) * 10 >= height * 14);
  gtk_style_context_get_color (gtk_widget_get_style_context (label), &calm);
  g_assert_cmpfloat (calm.red - calm.green, <, usual.red - usual.green);
  g_object_set (settings, "presenter-view", FALSE, NULL);
  FH_AWAIT_TRUE (height_of (label) == height);
  gtk_style_context_get_color (gtk_widget_get_style_context (label), &calm);
  g_assert_true (gdk_rgba_equal (&calm, &usual));
  g_object_get (toolkit, "gtk-xft-dpi", &dpi_then, NULL);
  g_assert_cmpint (dpi_then, ==, dpi);
  gtk_window_destroy (window);
}

WIDGET_TESTS ({ "/text-size/follow", test_follow },
              { "/text-size/range", test_range },
              { "/text-size/presenter", test_presenter });
