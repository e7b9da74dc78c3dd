/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/about.h"

#include <adwaita.h>
#include <glib/gi18n.h>

void
fh_about_present (GtkWindow *parent, const char *debug_info)
{
  GtkWidget *about;

  g_return_if_fail (parent == NULL || GTK_IS_WINDOW (parent));

  about = g_object_new (ADW_TYPE_ABOUT_WINDOW,
                        "transient-for",
                        parent,
                        "modal",
                        TRUE,
                        "application-name",
                        _ ("Fumehood"),
                        "application-icon",
                        FH_APP_ID,
                        "version",
                        FH_VERSION,
                        "developer-name",
                        _ ("The Fumehood contributors"),
                        "comments",
                        _ ("See what a piece of code does, behind guards of the kernel."),
                        "license-type",
                        GTK_LICENSE_GPL_3_0,
                        "website",
                        "https://github.com/fumehood/fumehood",
                        "issue-url",
                        "https://github.com/fumehood/fumehood/issues",
                        "translator-credits",
                        /* Translators: your name and address, one per line. */
                        _ ("translator-credits"),
                        NULL);
  if (debug_info != NULL)
    adw_about_window_set_debug_info (ADW_ABOUT_WINDOW (about), debug_info);
  gtk_window_present (GTK_WINDOW (about));
}
