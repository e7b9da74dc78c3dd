/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include <glib/gi18n.h>

#include "data-folder.h"
#include "parts/toasts.h"

/* The help browser only knows what is installed. */
static char *
dup_uri (const char *page)
{
  const char *folder = g_getenv ("FH_HELP_DIR");
  g_autoptr (GAppInfo) browser = g_app_info_get_default_for_uri_scheme ("help");
  g_autofree char *installed = fh_data_folder_locate ("help");
  g_autofree char *name = g_strconcat (page, ".html", NULL);
  g_autofree char *path = NULL;

  if (browser != NULL && folder == NULL)
    return g_strconcat ("help:fumehood/", page, NULL);
  path = g_build_filename (folder != NULL ? folder : installed,
                           /* Translators: the folder of data/help with the help in your language,
                            * such as “de”; “C”, which is English, if there is none. */
                           C_ ("folder of the help", "C"),
                           name,
                           NULL);
  return g_filename_to_uri (path, NULL, NULL);
}

static void
shown_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (gtk_show_uri_full_finish (GTK_WINDOW (source), result, &error))
    return;
  /* Translators: %s is the address of a page, or what the desktop says. */
  message = g_strdup_printf (_ ("Install a browser to read the help: %s"), error->message);
  fh_toast_show_problem (GTK_WIDGET (source), message);
}

void
fh_help_show (GtkWindow *parent, const char *page)
{
  g_autofree char *uri = NULL;

  g_return_if_fail (GTK_IS_WINDOW (parent));
  g_return_if_fail (page != NULL);

  uri = dup_uri (page);
  gtk_show_uri_full (parent, uri, GDK_CURRENT_TIME, NULL, shown_cb, NULL);
}
