/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "portal-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "flatpak-info.h"
#include "hostile-folder.h"
#include "leftover-folders.h"
#include "path-error.h"

#define PREFIX             "sandbox-"
#define NEW_PREFIX         FH_LEFTOVER_NEW PREFIX
#define REMOVAL_TIMEOUT_MS 10000

struct _FhPortalFolder
{
  char *path;
  int handle; /* O_PATH */
  int lock;   /* the folder, open for reading and locked */
};

/* (transfer full) */
static char *
cache_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fumehood", NULL);
}

static gpointer
remove_leftovers (gpointer unused)
{
  g_autofree char *path = cache_folder ();

  fh_leftover_folders_remove (path, PREFIX);
  return NULL;
}

FhPortalFolder *
fh_portal_folder_new (GError **error)
{
  g_autoptr (FhPortalFolder) self = g_new0 (FhPortalFolder, 1);
  g_autofree char *cache = cache_folder ();
  g_autofree char *made = NULL;

  g_thread_unref (g_thread_new ("leftovers", remove_leftovers, NULL));
  self->handle = self->lock = -1;
  made = g_build_filename (cache, NEW_PREFIX "XXXXXX", NULL);
  if (g_mkdir_with_parents (cache, 0700) == 0 && mkdtemp (made) != NULL &&
      (self->handle = open (made, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0 &&
      (self->lock = openat (self->handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0 &&
      flock (self->lock, LOCK_EX | LOCK_NB) == 0)
    {
      self->path = g_build_filename (cache, strstr (made, PREFIX), NULL);
      if (rename (made, self->path) == 0)
        return g_steal_pointer (&self);
    }
  fh_path_error (error,
                 errno,
                 /* Translators: the path of a folder, then the system's reason. */
                 _ ("Could not make the folder “%s” for the program’s files: %s."),
                 made);
  return NULL;
}

void
fh_portal_folder_leave (FhPortalFolder *self)
{
  if (self->path != NULL)
    rmdir (self->path);
}

void
fh_portal_folder_free (FhPortalFolder *self)
{
  if (self == NULL)
    return;
  fh_portal_folder_leave (self);
  fh_clear_fd (&self->handle);
  fh_clear_fd (&self->lock);
  g_free (self->path);
  g_free (self);
}

int
fh_portal_folder_get_fd (FhPortalFolder *self)
{
  return self->handle;
}

gboolean
fh_portal_folder_prepare (struct fh_policy *policy, FhPortalFolder **folder, GError **error)
{
  g_autoptr (FhPortalFolder) self = NULL;
  struct stat info;

  *folder = NULL;
  if (policy->tier != FH_WIRE_TIER_PORTAL)
    return TRUE;
  g_return_val_if_fail (policy->n_proofs == 0, FALSE);

  self = fh_portal_folder_new (error);
  if (self == NULL)
    return FALSE;
  if (fstat (self->handle, &info) != 0)
    return fh_errno_error (error, errno, NULL);
  policy->proofs = g_new0 (struct fh_proof, 1);
  policy->n_proofs = 1;
  policy->proofs[0] = (struct fh_proof){ g_strdup (self->path), info.st_dev, info.st_ino };
  if (fh_flatpak_is_old ())
    policy->flags |= FH_POLICY_OLD_PORTAL;
  *folder = g_steal_pointer (&self);
  return TRUE;
}
