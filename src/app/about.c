/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "about.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

/* The versions and guards that a bug report needs. (transfer full) */
static char *
dup_debug_info (FhProtection *here)
{
  g_autofree char *guards = fh_protection_dup_report (here);

  return g_strdup_printf ("Fumehood %s\n"
                          "GTK %u.%u.%u\n"
                          "libadwaita %u.%u.%u\n"
                          "GtkSourceView %u.%u.%u\n"
                          "GLib %u.%u.%u\n\n"
                          "Guards\n%s",
                          FH_VERSION,
                          gtk_get_major_version (),
                          gtk_get_minor_version (),
                          gtk_get_micro_version (),
                          adw_get_major_version (),
                          adw_get_minor_version (),
                          adw_get_micro_version (),
                          gtk_source_get_major_version (),
                          gtk_source_get_minor_version (),
                          gtk_source_get_micro_version (),
                          glib_major_version,
                          glib_minor_version,
                          glib_micro_version,
                          guards);
}

void
fh_about_show (GtkWindow *parent, FhProtection *here)
{
  g_autofree char *debug_info = NULL;
  GtkWidget *about;

  g_return_if_fail (parent == NULL || GTK_IS_WINDOW (parent));
  g_return_if_fail (FH_IS_PROTECTION (here));

  debug_info = dup_debug_info (here);
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
                        _ ("Run untrusted code behind kernel guards and see what it does."),
                        "license-type",
                        GTK_LICENSE_GPL_3_0,
                        "website",
                        "https://github.com/fumehood/fumehood",
                        "issue-url",
                        "https://github.com/fumehood/fumehood/issues",
                        "translator-credits",
                        /* Translators: your name and address, one per line. */
                        _ ("translator-credits"),
                        "debug-info",
                        debug_info,
                        NULL);
  gtk_window_present (GTK_WINDOW (about));
}
