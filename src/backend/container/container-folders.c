/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-folders.h"

#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container-volume.h"
#include "descriptor.h"
#include "engine-sockets.h"
#include "flatpak-info.h"
#include "kept-folder.h"
#include "path-error.h"
#include "run-error.h"
#include "run-lock.h"
#include "wire-container.h"
#include "wire-policy.h"
#include "work-folder.h"

void
fh_container_folders_free (FhContainerFolders *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->exchanged, fh_opened_path_unref);
  g_free (self->workspace);
  g_clear_pointer (&self->opened, fh_opened_path_unref);
  g_clear_pointer (&self->home, fh_opened_path_unref);
  g_clear_pointer (&self->volumes, g_ptr_array_unref);
  g_strfreev (self->sources);
  g_strfreev (self->places);
  g_clear_pointer (&self->lock, fh_run_lock_free);
  g_free (self->kernel);
  g_free (self);
}

/* Whether user 0 of the container has root's rights on the shown files, while the user here is not
 * root. */
static gboolean
is_root_there (const FhContainerOptions *options, const FhEngineFacts *engine)
{
  return options->is_root && !engine->is_rootless && geteuid () != 0;
}

/* Opens the file by its descriptor, because the name may belong to another one by now. */
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
  g_autoptr (GError) reason = NULL;

  *opened = fh_opened_path_new (path, NULL, &reason);
  if (*opened != NULL)
    return fh_container_host_path_check ((*opened)->path, error) &&
           fh_engine_sockets_check (*opened, engine, error);
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return TRUE;
  return fh_path_explain (error,
                          g_steal_pointer (&reason),
                          /* Translators: the path of a folder or file, then the system's reason. */
                          _ ("“%s” cannot be shown to a container: %s."),
                          path);
}

static gboolean
refuse_binding (GError **error)
{
  g_set_error_literal (
      error,
      FH_RUN_ERROR,
      FH_RUN_ERROR_INVALID,
      _ ("With this engine, a program that runs as user 0 has root’s rights in every bound folder, "
         "so none can be bound. Have the work folder copied, or leave out “--root”."));
  return FALSE;
}

static void
set_workspace (FhContainerFolders *self, FhOpenedPath *opened, const char *path)
{
  self->workspace = g_strdup (path != NULL ? path : opened->path);
  self->opened = opened != NULL ? fh_opened_path_ref (opened) : NULL;
}

/* The engine may know the work folder by another path; it must be the same folder. On another
 * computer only the path can be checked. */
static gboolean
decide_bound (FhContainerFolders *self,
              const char *path,
              const FhEngineFacts *engine,
              FhOpenedPath *work_dir,
              GError **error)
{
  g_autoptr (FhOpenedPath) opened = NULL;
  g_autofree char *plain = g_canonicalize_filename (path, "/");

  if (!fh_work_folder_check_path (path, error) || !open_path (path, engine, &opened, error) ||
      (opened != NULL && !fh_work_folder_check (opened, error)))
    return FALSE;
  if (opened != NULL)
    set_workspace (self, opened, NULL);
  else
    set_workspace (self, engine->is_remote ? NULL : work_dir, plain);
  return TRUE;
}

/* FALSE with the error. */
static gboolean
decide_workspace (FhContainerFolders *self,
                  const FhContainerOptions *options,
                  const FhEngineFacts *engine,
                  const char *container_name,
                  gboolean by_copy,
                  GError **error)
{
  g_autoptr (FhOpenedPath) work_dir = NULL;

  if (is_root_there (options, engine) && (options->bind_dir != NULL || !by_copy))
    return refuse_binding (error);
  if (options->work_dir != NULL)
    {
      work_dir = fh_work_folder_make (options->work_dir, error);
      if (work_dir == NULL || !fh_engine_sockets_check (work_dir, engine, error))
        return FALSE;
    }
  if (options->bind_dir != NULL)
    return decide_bound (self, options->bind_dir, engine, work_dir, error);
  if (by_copy)
    {
      self->exchanged = g_steal_pointer (&work_dir);
      return TRUE;
    }
  if (work_dir == NULL && options->is_kept)
    work_dir = fh_kept_folder_make (container_name, "workspace", error);
  if (work_dir != NULL)
    set_workspace (self, work_dir, NULL);
  return work_dir != NULL || !options->is_kept;
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

static void
unref (gpointer data)
{
  if (data != NULL)
    fh_opened_path_unref (data);
}

static gboolean
open_volume (FhContainerFolders *self,
             const FhContainerVolume *volume,
             const FhContainerOptions *options,
             const FhEngineFacts *engine,
             GError **error)
{
  g_autoptr (FhOpenedPath) opened = NULL;

  if (!open_path (volume->host, engine, &opened, error) ||
      !check_there (volume->host, opened, engine, error) ||
      (opened != NULL && !fh_work_folder_check_volume (opened, volume->is_writable, error)) ||
      (is_root_there (options, engine) && !check_root (volume, opened, error)))
    return FALSE;
  g_ptr_array_add (self->volumes, g_steal_pointer (&opened));
  return TRUE;
}

static gboolean
decide_volumes (FhContainerFolders *self,
                const FhContainerOptions *options,
                const FhEngineFacts *engine,
                GError **error)
{
  const char *const *volumes = options->volumes;
  const guint n = volumes != NULL ? g_strv_length ((GStrv) (gpointer) volumes) : 0;

  self->volumes = g_ptr_array_new_with_free_func (unref);
  self->sources = g_new0 (char *, n + 1);
  self->places = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };
      const FhOpenedPath *opened;

      if (!fh_container_volume_parse (volumes[i], &volume, error) ||
          !open_volume (self, &volume, options, engine, error))
        return FALSE;
      opened = g_ptr_array_index (self->volumes, i);
      self->sources[i] = g_strdup (opened != NULL ? opened->path : volume.host);
      self->places[i] = g_steal_pointer (&volume.inside);
    }
  return TRUE;
}

/* Inode numbers are the same under one kernel. An engine behind a port of this computer is asked
 * for its kernel. */
static char *
kernel_of_engine (const FhEngineFacts *engine)
{
  static const char *const own_ports[] = { "tcp://127.", "tcp://localhost:", "tcp://[::1]:" };
  g_autofree char *kernel = NULL;

  if (!engine->is_remote)
    return g_strdup ("");
  for (guint i = 0; engine->endpoint != NULL && i < G_N_ELEMENTS (own_ports); i++)
    {
      if (g_str_has_prefix (engine->endpoint, own_ports[i]) &&
          g_file_get_contents ("/proc/sys/kernel/random/boot_id", &kernel, NULL, NULL))
        return g_strdup (g_strstrip (kernel));
    }
  return NULL;
}

gboolean
fh_container_folders_must_copy (const FhContainerOptions *options, const FhEngineFacts *engine)
{
  g_return_val_if_fail (options != NULL, FALSE);
  g_return_val_if_fail (engine != NULL, FALSE);

  if (options->files != FH_CONTAINER_FILES_AUTO)
    return options->files == FH_CONTAINER_FILES_COPY;
  /* The engine does not know the app's folder by the name that it has in Flatpak. */
  return engine->is_remote || options->bind_dir != NULL || fh_flatpak_is_inside () ||
         is_root_there (options, engine);
}

/* No other run may change the files that this one uses. */
static gboolean
lock (FhContainerFolders *self,
      const FhContainerOptions *options,
      const char *container_name,
      GError **error)
{
  FhOpenedPath *work = self->exchanged != NULL ? self->exchanged : self->opened;

  if (!options->is_kept && work == NULL)
    return TRUE;
  self->lock = fh_run_lock_new (error);
  return self->lock != NULL &&
         (!options->is_kept || fh_run_lock_take_container (self->lock, container_name, error)) &&
         (work == NULL || fh_run_lock_take_folder (self->lock, work, error));
}

FhContainerFolders *
fh_container_folders_new (const FhContainerOptions *options,
                          const FhEngineFacts *engine,
                          const char *container_name,
                          gboolean by_copy,
                          GError **error)
{
  g_autoptr (FhContainerFolders) self = NULL;

  g_return_val_if_fail (options != NULL && engine != NULL, NULL);
  g_return_val_if_fail (container_name == NULL || fh_kept_folder_is_name (container_name), NULL);

  self = g_new0 (FhContainerFolders, 1);
  self->kernel = kernel_of_engine (engine);
  if (!decide_volumes (self, options, engine, error))
    return NULL;
  if (container_name == NULL)
    return g_steal_pointer (&self);
  if (!decide_workspace (self, options, engine, container_name, by_copy, error) ||
      !lock (self, options, container_name, error))
    return NULL;
  if (options->is_kept && !by_copy && options->bind_dir == NULL)
    {
      self->home = fh_kept_folder_make (container_name, "home", error);
      if (self->home == NULL)
        return NULL;
    }
  return g_steal_pointer (&self);
}

static void
add_proof (struct fh_policy *policy, const char *path, const FhOpenedPath *opened)
{
  struct fh_proof *proof = &policy->proofs[policy->n_proofs];

  if (opened == NULL)
    return;
  *proof = (struct fh_proof){ strdup (path), opened->device, opened->inode };
  policy->n_proofs++;
}

void
fh_container_folders_add_proofs (FhContainerFolders *self, struct fh_policy *policy)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (policy != NULL && policy->proofs == NULL);

  if (self->kernel == NULL)
    return;
  /* Allocated as the wire frees it, without GLib. */
  policy->proofs = calloc (self->volumes->len + 2, sizeof *policy->proofs);
  policy->proof_kernel = strdup (self->kernel);
  if (policy->proofs == NULL || policy->proof_kernel == NULL)
    g_error ("out of memory");
  add_proof (policy, FH_CONTAINER_WORKSPACE, self->opened);
  add_proof (policy, FH_CONTAINER_HOME, self->home);
  for (guint i = 0; i < self->volumes->len; i++)
    add_proof (policy, self->places[i], g_ptr_array_index (self->volumes, i));
}

void
fh_container_folders_unlock (FhContainerFolders *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->lock, fh_run_lock_free);
}

GPtrArray *
fh_container_folders_read (FhContainerFolders *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->exchanged != NULL
             ? fh_exchange_read (self->exchanged, TRUE, NULL, cancellable, error)
             : g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
}

guint
fh_container_folders_write (FhContainerFolders *self, FhResultFiles *files, GError **error)
{
  g_return_val_if_fail (self != NULL && FH_IS_RESULT_FILES (files), 0);

  return self->exchanged != NULL ? fh_exchange_write (self->exchanged, files, error) : 0;
}
