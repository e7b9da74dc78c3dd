/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of options that are files or folders, outside and inside. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "container-volume.h"
#include "run-error.h"
#include "run-options-private.h"

/* The runner takes as much, with the workspace before it. */
#define MAX_FILE_NAME 255
#define MAX_FOLDERS   30
#define MAX_FOLDER    900

#define refuse fh_run_error_refuse

gboolean
fh_run_option_check_interpreter (const FhRunOptions *options, GError **error)
{
  const char *interpreter = options->interpreter;

  if (interpreter == NULL || g_path_is_absolute (interpreter) ||
      (options->in_container && strchr (interpreter, '/') == NULL))
    return TRUE;
  g_set_error_literal (error,
                       FH_RUN_ERROR,
                       FH_RUN_ERROR_INTERPRETER,
                       _ ("The interpreter must be an absolute path."));
  return FALSE;
}

gboolean
fh_run_option_check_cwd (const FhRunOptions *options, GError **error)
{
  g_auto (GStrv) names = NULL;
  guint n = 0;

  if (options->cwd == NULL)
    return TRUE;
  names = g_strsplit (options->cwd, "/", -1);
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (g_str_equal (names[i], "..") || strlen (names[i]) > MAX_FILE_NAME)
        return refuse (
            error,
            _ ("The program cannot start in “%s”: it has to be a path inside the sandbox, "
               "without “..”."),
            options->cwd);
      n += *names[i] != '\0' ? 1 : 0;
    }
  if (n == 0 || n > MAX_FOLDERS || strlen (options->cwd) > MAX_FOLDER)
    return refuse (
        error,
        _ ("The program cannot start in “%s”: name a folder below /workspace, or another "
           "one of the sandbox."),
        options->cwd);
  return TRUE;
}

gboolean
fh_run_option_check_work_dir (const FhRunOptions *options, GError **error)
{
  return options->work_dir == NULL || fh_container_host_path_check (options->work_dir, error);
}

gboolean
fh_run_option_check_project (const FhRunOptions *options, GError **error)
{
  return options->project == NULL || fh_container_host_path_check (options->project, error);
}

const char *
fh_run_options_get_project (const FhRunOptions *options)
{
  g_return_val_if_fail (options != NULL, NULL);

  return options->in_container ? NULL : options->project;
}

const char *
fh_run_options_get_work_dir (const FhRunOptions *options)
{
  g_return_val_if_fail (options != NULL, NULL);

  return options->in_container ? options->container.work_dir : options->work_dir;
}

void
fh_run_options_take_work_dir (FhRunOptions *options)
{
  g_return_if_fail (options != NULL);

  g_free ((char *) options->container.work_dir);
  options->container.work_dir = g_steal_pointer (&options->work_dir);
}

gboolean
fh_run_option_check_container_work_dir (const FhRunOptions *options, GError **error)
{
  return options->container.work_dir == NULL ||
         fh_container_host_path_check (options->container.work_dir, error);
}

gboolean
fh_run_option_check_bind_dir (const FhRunOptions *options, GError **error)
{
  return options->container.bind_dir == NULL ||
         fh_container_host_path_check (options->container.bind_dir, error);
}

/* No address, no other container's network ("container:…"), no options behind a colon. */
