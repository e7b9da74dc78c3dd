/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text-size.h"

#include "parts/calls.h"

static void
apply (GtkCssProvider *provider, GParamSpec *pspec, FhSettings *settings)
{
  g_autofree char *css = NULL;
  int points;
  int zoom;
  int hundredths;

  g_object_get (settings, "font-size", &points, "zoom", &zoom, NULL);
  /* printf's %f would use the locale's decimal comma, which CSS does not know. */
  hundredths = points * zoom;
  css = g_strdup_printf ("textview.monospace { font-size: %d.%02dpt; }",
                         hundredths / 100,
                         hundredths % 100);
  gtk_css_provider_load_from_data (provider, css, -1);
}

void
fh_text_size_follow (FhSettings *settings, GdkDisplay *display)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  const char *const watched[] = { "notify::font-size", "notify::zoom" };

  g_return_if_fail (FH_IS_SETTINGS (settings));
  g_return_if_fail (GDK_IS_DISPLAY (display));

  gtk_style_context_add_provider_for_display (display,
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  for (guint i = 0; i < G_N_ELEMENTS (watched); i++)
    fh_connect (settings, watched[i], apply, provider);
  apply (provider, NULL, settings);
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
