/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shown-folders.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container-volume.h"
#include "descriptor.h"
#include "engine-sockets.h"
#include "path-error.h"
#include "run-error.h"
#include "work-folder.h"

gboolean
fh_shown_folders_are_roots (const FhContainerOptions *options, const FhEngineFacts *engine)
{
  g_return_val_if_fail (options != NULL && engine != NULL, FALSE);

  return options->is_root && !engine->is_rootless && geteuid () != 0;
}

/* By the descriptor, not by name. */
static gboolean
may_read (FhOpenedPath *opened)
{
  char path[64];
  fh_autofd int fd = -1;

  snprintf (path, sizeof path, "/proc/self/fd/%d", opened->fd);
  fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  return fd >= 0;
}

/* User 0 could read what the user cannot, and change root's files, now or later. A single read-only
 * file that the user can read is harmless. */
static gboolean
check_root (const FhContainerVolume *volume, FhOpenedPath *opened, GError **error)
{
  if (!volume->is_writable && opened != NULL && S_ISREG (opened->mode) && may_read (opened))
    return TRUE;
  return fh_path_refuse (error,
                         /* Translators: the path of a folder or file */
                         _ ("“%s” cannot be shown to a program that runs as user 0, because with "
                            "this engine it would have root’s rights there. Show only single files "
                            "that you can read, without “:rw”, or leave out “--root”."),
                         volume->host);
}

/* FALSE with a sentence; TRUE without `opened` when the path does not exist here. */
static gboolean
open_path (const char *path, const FhEngineFacts *engine, FhOpenedPath **opened, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autoptr (GError) reason = NULL;

  *opened = fh_opened_path_new (path, NULL, &reason);
  if (*opened != NULL)
    return fh_container_host_path_check ((*opened)->path, error) &&
           fh_engine_sockets_check (*opened, engine, error);
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return TRUE;
  if (reason->domain == FH_RUN_ERROR)
    g_propagate_error (error, g_steal_pointer (&reason));
  else
    g_set_error (error,
                 reason->domain,
                 reason->code,
                 /* Translators: the path of a folder or file, then the system's reason. */
                 _ ("“%s” cannot be shown to a container: %s."),
                 name,
                 reason->message);
  return FALSE;
}

gboolean
fh_shown_folders_open_bound (const char *path,
                             const FhEngineFacts *engine,
                             FhOpenedPath **opened,
                             GError **error)
{
  g_autoptr (FhOpenedPath) found = NULL;

  g_return_val_if_fail (path != NULL && engine != NULL && opened != NULL, FALSE);

  *opened = NULL;
  if (!fh_work_folder_check_path (path, error) || !open_path (path, engine, &found, error) ||
      (found != NULL && !fh_work_folder_check (found, error)))
    return FALSE;
  *opened = g_steal_pointer (&found);
  return TRUE;
}

/* A missing path could be anything by the time the engine looks it up. A remote engine has other
 * files. */
static gboolean
check_there (const char *path, FhOpenedPath *opened, const FhEngineFacts *engine, GError **error)
{
  return opened != NULL || engine->is_remote ||
         fh_path_refuse (
             error,
             /* Translators: the path of a folder or file */
             _ ("“%s” cannot be shown to a container, because it does not exist. Create "
                "it first, or choose another one."),
             path);
}

static FhOpenedPath *
open_volume (const char *text,
             const FhContainerOptions *options,
             const FhEngineFacts *engine,
             gboolean *ok,
             GError **error)
{
  g_auto (FhContainerVolume) volume = { 0 };
  g_autoptr (FhOpenedPath) opened = NULL;

  *ok = fh_container_volume_parse (text, &volume, error) &&
        open_path (volume.host, engine, &opened, error) &&
        check_there (volume.host, opened, engine, error) &&
        (opened == NULL || fh_work_folder_check_volume (opened, volume.is_writable, error)) &&
        (!fh_shown_folders_are_roots (options, engine) || check_root (&volume, opened, error));
  return *ok ? g_steal_pointer (&opened) : NULL;
}

static void
unref (gpointer data)
{
  if (data != NULL)
    fh_opened_path_unref (data);
}

GPtrArray *
fh_shown_folders_open (const FhContainerOptions *options,
                       const FhEngineFacts *engine,
                       GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (unref);
  gboolean ok = TRUE;

  g_return_val_if_fail (options != NULL && engine != NULL, NULL);

  for (guint i = 0; ok && options->volumes != NULL && options->volumes[i] != NULL; i++)
    g_ptr_array_add (all, open_volume (options->volumes[i], options, engine, &ok, error));
  return ok ? g_steal_pointer (&all) : NULL;
}
