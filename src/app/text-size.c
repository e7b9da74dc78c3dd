/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text-size.h"

#include "parts/calls.h"

/* Calm: closer to the color of text, in light and dark alike. */
static const char presenter_colors[] =
    "@define-color error_color mix(@window_fg_color, #e01b24, 0.4);"
    "@define-color warning_color mix(@window_fg_color, #e5a50a, 0.4);"
    "@define-color success_color mix(@window_fg_color, #33d17a, 0.4);"
    "@define-color error_bg_color mix(@window_bg_color, #c01c28, 0.5);"
    "@define-color destructive_bg_color mix(@window_bg_color, #c01c28, 0.5);"
    "@define-color error_fg_color @window_fg_color;"
    "@define-color destructive_fg_color @window_fg_color;";

static void
apply (GtkCssProvider *provider, GParamSpec *pspec, FhSettings *settings)
{
  g_autofree char *css = NULL;
  int points;
  int zoom;
  int hundredths;
  gboolean presents;

  g_object_get (settings, "font-size", &points, "zoom", &zoom, "presenter-view", &presents, NULL);
  /* printf's %f would use the locale's decimal comma, which CSS does not know. */
  hundredths = points * zoom;
  css = g_strdup_printf ("textview.monospace { font-size: %d.%02dpt; }%s",
                         hundredths / 100,
                         hundredths % 100,
                         presents ? presenter_colors : "");
  gtk_css_provider_load_from_data (provider, css, -1);
}

/* The resolution for text is what makes all of it larger; pictures and margins stay as they are. */
static void
present (GtkSettings *toolkit, GParamSpec *pspec, FhSettings *settings)
{
  gboolean presents;
  int dpi;

  g_object_get (settings, "presenter-view", &presents, NULL);
  gtk_settings_reset_property (toolkit, "gtk-xft-dpi");
  if (!presents)
    return;
  g_object_get (toolkit, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (toolkit, "gtk-xft-dpi", (dpi > 0 ? dpi : 96 * PANGO_SCALE) * 3 / 2, NULL);
}

void
fh_text_size_follow (FhSettings *settings, GdkDisplay *display)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  const char *const watched[] = { "notify::font-size", "notify::zoom", "notify::presenter-view" };
  GtkSettings *toolkit = gtk_settings_get_for_display (display);

  g_return_if_fail (FH_IS_SETTINGS (settings));
  g_return_if_fail (GDK_IS_DISPLAY (display));

  gtk_style_context_add_provider_for_display (display,
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  for (guint i = 0; i < G_N_ELEMENTS (watched); i++)
    fh_connect (settings, watched[i], apply, provider);
  apply (provider, NULL, settings);
  fh_connect (settings, "notify::presenter-view", present, toolkit);
  present (toolkit, NULL, settings);
}

void
fh_text_size_zoom (FhSettings *settings, int steps)
{
  int zoom = 100;

  g_return_if_fail (FH_IS_SETTINGS (settings));

  if (steps != 0)
    {
      g_object_get (settings, "zoom", &zoom, NULL);
      zoom = CLAMP (zoom + steps * 10, 50, 400);
    }
  g_object_set (settings, "zoom", zoom, NULL);
}
