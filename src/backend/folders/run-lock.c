/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-lock.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "path-error.h"

/* Parent folders; a path cannot have more. */
#define MAX_DEPTH (PATH_MAX / 2)

struct _FhRunLock
{
  char *path;
  int fd; /* -1 before it is open */
};

static void
set_error (FhRunLock *self, int code, GError **error)
{
  fh_path_error (
      error,
      code,
      /* Translators: the path of a file, then the system's reason. */
      _ ("Could not use the lock file “%s”, which keeps runs from disturbing each other: %s."),
      self->path);
}

FhRunLock *
fh_run_lock_new (GError **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "fumehood", NULL);
  g_autoptr (FhRunLock) self = g_new0 (FhRunLock, 1);

  self->path = g_build_filename (folder, "run-locks", NULL);
  self->fd = -1;
  if (g_mkdir_with_parents (folder, 0700) == 0)
    self->fd = open (self->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (self->fd >= 0)
    return g_steal_pointer (&self);
  set_error (self, errno, error);
  return NULL;
}

/* Closing alone would leave the locks to a process that another thread has just forked, until that
 * executes its program. */
void
fh_run_lock_free (FhRunLock *self)
{
  struct flock all = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

  if (self == NULL)
    return;
  if (self->fd >= 0)
    fcntl (self->fd, F_OFD_SETLK, &all);
  fh_clear_fd (&self->fd);
  g_free (self->path);
  g_free (self);
}

/* Locks one byte, at the offset that the SHA-256 of the key begins with. Keys do not collide by
 * chance, and a deliberate collision only makes a run busy. 0 or an errno. */
static int
lock_key (FhRunLock *self, const char *key, short type)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_len = 1 };

  digest[15] = '\0';
  lock.l_start = (off_t) g_ascii_strtoull (digest, NULL, 16);
  return fcntl (self->fd, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

static gboolean
is_locked (int code)
{
  return code == EAGAIN || code == EACCES;
}

gboolean
fh_run_lock_take_container (FhRunLock *self, const char *name, GError **error)
{
  g_autofree char *key = g_strconcat ("container ", name, NULL);
  int code;

  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  code = lock_key (self, key, F_WRLCK);
  if (is_locked (code))
    g_set_error (error,
                 G_IO_ERROR,
                 G_IO_ERROR_BUSY,
                 /* Translators: the name of a container */
                 _ ("The container “%s” is busy with another run. Wait for it to end, stop it, or "
                    "use another container."),
                 name);
  else if (code != 0)
    set_error (self, code, error);
  return code == 0;
}

/* While a run uses a folder, no other run may use it, a folder in it, or a folder above it. So the
 * folder itself is locked exclusively, and those above it are locked for reading. */
static int
lock_folders (FhRunLock *self, int fd)
{
  struct stat last = { 0 };
  fh_autofd int at = fcntl (fd, F_DUPFD_CLOEXEC, 0);

  if (at < 0)
    return errno;
  for (int depth = 0; at >= 0 && depth < MAX_DEPTH; depth++)
    {
      fh_autofd int below = at;
      g_autofree char *key = NULL;
      struct stat info;
      int code;

      at = -1;
      if (fstat (below, &info) != 0)
        return errno;
      if (depth > 0 && info.st_dev == last.st_dev && info.st_ino == last.st_ino)
        return 0;
      key = g_strdup_printf ("folder %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                             (guint64) info.st_dev,
                             (guint64) info.st_ino);
      code = lock_key (self, key, depth == 0 ? F_WRLCK : F_RDLCK);
      if (code != 0)
        return code;
      last = info;
      /* A parent that cannot be entered cannot be another run's work folder either. */
      at = openat (below, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
  return 0;
}

gboolean
fh_run_lock_take_folder (FhRunLock *self, FhOpenedPath *folder, GError **error)
{
  g_autofree char *shown = NULL;
  int code;

  g_return_val_if_fail (self != NULL && folder != NULL, FALSE);

  code = lock_folders (self, folder->fd);
  shown = g_filename_display_name (folder->path);
  if (is_locked (code))
    g_set_error (error,
                 G_IO_ERROR,
                 G_IO_ERROR_BUSY,
                 /* Translators: the path of a folder */
                 _ ("Another run is working in the folder “%s”, or in one above or below it, and "
                    "could change this program before it starts. Wait for it to end, stop it, or "
                    "choose another folder."),
                 shown);
  else if (code != 0)
    set_error (self, code, error);
  return code == 0;
}
