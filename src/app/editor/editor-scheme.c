/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/editor-scheme.h"

#include <adwaita.h>

static void
dark_cb (GtkSourceBuffer *buffer, GParamSpec *pspec, AdwStyleManager *style)
{
  const char *id = adw_style_manager_get_dark (style) ? "Adwaita-dark" : "Adwaita";
  GtkSourceStyleSchemeManager *schemes = gtk_source_style_scheme_manager_get_default ();

  gtk_source_buffer_set_style_scheme (buffer,
                                      gtk_source_style_scheme_manager_get_scheme (schemes, id));
}

void
fh_editor_scheme_follow (GtkSourceBuffer *buffer)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  g_return_if_fail (GTK_SOURCE_IS_BUFFER (buffer));

  g_signal_connect_object (style, "notify::dark", G_CALLBACK (dark_cb), buffer, G_CONNECT_SWAPPED);
  dark_cb (buffer, NULL, style);
}
