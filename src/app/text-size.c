/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text-size.h"

#include <string.h>

struct _FhTextSize
{
  GObject parent_instance;

  GdkDisplay *display;
  GtkCssProvider *provider;
};

G_DEFINE_FINAL_TYPE (FhTextSize, fh_text_size, G_TYPE_OBJECT)

static void
apply (FhTextSize *self, FhSettings *settings)
{
  g_autofree char *css = NULL;
  int points;
  int zoom;
  int hundredths;

  g_object_get (settings, "font-size", &points, "zoom", &zoom, NULL);
  /* Written by hand: printf would put the locale's decimal comma into the style sheet. */
  hundredths = points * zoom;
  css = g_strdup_printf ("textview.monospace { font-size: %d.%02dpt; }",
                         hundredths / 100,
                         hundredths % 100);
  gtk_css_provider_load_from_data (self->provider, css, -1);
}

static void
changed_cb (FhTextSize *self, GParamSpec *pspec, FhSettings *settings)
{
  apply (self, settings);
}

static void
fh_text_size_dispose (GObject *object)
{
  FhTextSize *self = FH_TEXT_SIZE (object);

  if (self->display != NULL)
    gtk_style_context_remove_provider_for_display (self->display,
                                                   GTK_STYLE_PROVIDER (self->provider));
  g_clear_object (&self->display);
  g_clear_object (&self->provider);

  G_OBJECT_CLASS (fh_text_size_parent_class)->dispose (object);
}

static void
fh_text_size_class_init (FhTextSizeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_text_size_dispose;
}

static void
fh_text_size_init (FhTextSize *self)
{
  self->provider = gtk_css_provider_new ();
}

FhTextSize *
fh_text_size_new (FhSettings *settings, GdkDisplay *display)
{
  FhTextSize *self;

  g_return_val_if_fail (FH_IS_SETTINGS (settings), NULL);
  g_return_val_if_fail (GDK_IS_DISPLAY (display), NULL);

  self = g_object_new (FH_TYPE_TEXT_SIZE, NULL);
  self->display = g_object_ref (display);
  gtk_style_context_add_provider_for_display (display,
                                              GTK_STYLE_PROVIDER (self->provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_signal_connect_object (settings,
                           "notify::font-size",
                           G_CALLBACK (changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (settings,
                           "notify::zoom",
                           G_CALLBACK (changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  apply (self, settings);
  return self;
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
