/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-locator.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "data-folder.h"
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
  const char *named = g_getenv ("FH_GUEST_DIR");

  return named != NULL && *named != '\0' ? g_canonicalize_filename (named, NULL)
                                         : fh_data_folder_locate ("guest");
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
               _ ("“%s” is missing. Reinstall Fumehood."),
               bootstrap);
  return FALSE;
}

/* Consumes the path; NULL unless it is a regular file. */
static char *
existing (char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return path;
  g_free (path);
  return NULL;
}

char *
fh_runner_locate_container_profile (gboolean is_watched)
{
  const char *name = is_watched ? "container-seccomp-watched.json" : "container-seccomp.json";
  const char *data_dir = g_getenv ("FH_DATA_DIR");
  const char *runner = g_getenv ("FH_RUNNER");
  char *path = NULL;

  if (data_dir != NULL && *data_dir != '\0')
    {
      g_autofree char *folder = g_canonicalize_filename (data_dir, NULL);

      path = existing (g_build_filename (folder, "container", name, NULL));
    }
  if (path == NULL && runner != NULL && *runner != '\0')
    {
      g_autofree char *program = fh_runner_locate ();
      g_autofree char *folder = g_path_get_dirname (program);

      path = existing (g_build_filename (folder, name, NULL));
    }
  return path != NULL ? path : g_build_filename (FH_PKGDATADIR, "container", name, NULL);
}
