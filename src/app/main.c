/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>

#include "application.h"

/* A prefix other than the system's is not in XDG_DATA_DIRS, and without its settings schema GLib
 * ends the program. It goes first, so that an older version elsewhere is not taken instead. Must
 * come before the first use of GLib, which reads the variable once. */
static void
add_own_prefix (void)
{
  const char *others = g_getenv ("XDG_DATA_DIRS");
  g_autofree char *all = NULL;

  if (others == NULL || *others == '\0')
    others = "/usr/local/share:/usr/share";
  all = g_strconcat (FH_DATADIR ":", others, NULL);
  g_setenv ("XDG_DATA_DIRS", all, TRUE);
}

/* A handler, because children would inherit SIG_IGN. */
static void
ignore_signal (int number)
{
}

/* A reader that goes away, such as a command that need not read, and a file that may not grow make
 * a write fail, which is told, instead of ending the window. */
static void
ignore_failed_writes (void)
{
  struct sigaction action = { .sa_handler = ignore_signal, .sa_flags = SA_RESTART };

  sigemptyset (&action.sa_mask);
  sigaction (SIGPIPE, &action, NULL);
  sigaction (SIGXFSZ, &action, NULL);
}

int
main (int argc, char *argv[])
{
  g_autoptr (FhApplication) application = NULL;

  /* A parent that ignores SIGCHLD hands that on, and the kernel then keeps no exit status of our
   * children to wait for. See wait (2). */
  signal (SIGCHLD, SIG_DFL);
  ignore_failed_writes ();
  add_own_prefix ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, FH_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_application_name (_ ("Fumehood"));

  application = fh_application_new (NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
