/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/window-private.h"

void
fh_window_restore_state (FhWindow *self)
{
  int width;
  int height;
  gboolean maximized;
  gboolean show_sidebar;

  g_object_get (fh_services_get_settings (self->services),
                "window-width",
                &width,
                "window-height",
                &height,
                "window-maximized",
                &maximized,
                "show-sidebar",
                &show_sidebar,
                NULL);
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (maximized)
    gtk_window_maximize (GTK_WINDOW (self));
  adw_flap_set_reveal_flap (self->flap, show_sidebar);
}

/* The default size is the one to come back to from a maximized window. A folded sidebar says
 * nothing about what the user wants where there is room. */
void
fh_window_save_state (FhWindow *self)
{
  FhSettings *settings = fh_services_get_settings (self->services);
  int width;
  int height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_object_set (settings,
                "window-width",
                width,
                "window-height",
                height,
                "window-maximized",
                gtk_window_is_maximized (GTK_WINDOW (self)),
                NULL);
  if (!adw_flap_get_folded (self->flap))
    g_object_set (settings, "show-sidebar", adw_flap_get_reveal_flap (self->flap), NULL);
}
