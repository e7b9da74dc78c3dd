/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-locator.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "run-error.h"

#define RUNNER_NAME "fumehood-runner"

char *
fh_runner_locate (void)
{
  const char *named = g_getenv ("FH_RUNNER");

  if (named != NULL && *named != '\0')
    return g_canonicalize_filename (named, NULL);
  return g_build_filename (FH_RUNNER_DIR, RUNNER_NAME, NULL);
}

char *
fh_runner_locate_guest_folder (void)
{
  const char *data_dir = g_getenv ("FH_DATA_DIR");

  if (data_dir != NULL && *data_dir != '\0')
    {
      g_autofree char *folder = g_canonicalize_filename (data_dir, NULL);

      return g_build_filename (folder, "guest", NULL);
    }
  return g_build_filename (FH_PKGDATADIR, "guest", NULL);
}

gboolean
fh_runner_check_guest_folder (const char *folder, GError **error)
{
  g_autofree char *bootstrap = g_build_filename (folder, "bootstrap.py", NULL);

  if (access (bootstrap, R_OK) == 0)
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_UNAVAILABLE,
               _ ("“%s” is missing: install Fumehood anew."),
               bootstrap);
  return FALSE;
}
