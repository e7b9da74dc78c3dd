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
  widget_test_await (size_of (view) == 1200);
  fh_text_size_zoom (settings, 1);
  widget_test_await (size_of (view) == 1320);
  g_object_set (settings, "font-size", 9, NULL);
  widget_test_await (size_of (view) == 990);
  fh_text_size_zoom (settings, 0);
  widget_test_await (size_of (view) == 900);
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

int
main (int argc, char **argv)
{
  if (!widget_test_init (&argc, &argv))
    return 77;
  g_test_add_func ("/text-size/follow", test_follow);
  g_test_add_func ("/text-size/range", test_range);
  return g_test_run ();
}
