/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-file.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history.h"

static gboolean
fail_to_create (const char *path, int code, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);

  if (code == ENOSPC || code == EDQUOT)
    g_set_error (error,
                 FH_HISTORY_ERROR,
                 FH_HISTORY_ERROR_FULL,
                 _ ("The disk is full, so the history “%s” could not be created."),
                 name);
  else
    g_set_error (error,
                 FH_HISTORY_ERROR,
                 FH_HISTORY_ERROR_OPEN,
                 /* Translators: a path, then the system's reason. */
                 _ ("The history “%s” could not be created: %s."),
                 name,
                 g_strerror (code));
  return FALSE;
}

static gboolean
create (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return fail_to_create (folder, errno, error);
  /* O_EXCL: closing a descriptor of an existing file would drop the locks of other connections of
   * this process to it. */
  fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return errno == EEXIST || fail_to_create (path, errno, error);
  close (fd);
  return TRUE;
}

gboolean
fh_history_file_prepare (const char *path, GError **error)
{
  g_autofree char *name = NULL;
  struct stat info;

  g_return_val_if_fail (path != NULL, FALSE);

  if (stat (path, &info) != 0)
    return errno == ENOENT ? create (path, error) : fail_to_create (path, errno, error);
  if (S_ISREG (info.st_mode))
    {
      /* Fails for a file of another user or on a read-only disk. */
      if ((info.st_mode & 077) != 0 && chmod (path, info.st_mode & 0700) != 0)
        g_debug ("The mode of the history stays as it is: %s", g_strerror (errno));
      return TRUE;
    }
  name = g_filename_display_name (path);
  if (S_ISDIR (info.st_mode))
    g_set_error (error,
                 FH_HISTORY_ERROR,
                 FH_HISTORY_ERROR_OPEN,
                 _ ("“%s” is a folder, so no history can be kept there. Move it away."),
                 name);
  else
    g_set_error (error,
                 FH_HISTORY_ERROR,
                 FH_HISTORY_ERROR_OPEN,
                 _ ("“%s” is not a regular file, so no history can be kept there. Move it away."),
                 name);
  return FALSE;
}

int
fh_history_file_lock (const char *path, gboolean alone)
{
  g_autofree char *folder = NULL;
  int fd;

  g_return_val_if_fail (path != NULL, -1);

  folder = g_path_get_dirname (path);
  fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  while (flock (fd, alone ? LOCK_EX : LOCK_SH) != 0)
    {
      if (errno != EINTR)
        {
          close (fd);
          return -1;
        }
    }
  return fd;
}

/* A name that is not taken. */
static char *
choose_aside (const char *path)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *stamp = g_date_time_format (now, "%Y%m%d-%H%M%S");
  char *aside = g_strdup_printf ("%s.damaged-%s", path, stamp);

  for (guint i = 2; g_file_test (aside, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK); i++)
    {
      g_free (aside);
      aside = g_strdup_printf ("%s.damaged-%s-%u", path, stamp, i);
    }
  return aside;
}

static gboolean
move_part (const char *path, const char *aside, const char *suffix)
{
  g_autofree char *from = g_strconcat (path, suffix, NULL);
  g_autofree char *to = g_strconcat (aside, suffix, NULL);

  return g_rename (from, to) == 0 || errno == ENOENT;
}

gboolean
fh_history_file_set_aside (const char *path, char **aside, GError **error)
{
  g_autofree char *target = NULL;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (aside != NULL, FALSE);

  target = choose_aside (path);
  /* The journals first: a new database must never be opened with the journal of an old one. */
  if (!move_part (path, target, "-wal") || !move_part (path, target, "-shm") ||
      !move_part (path, target, ""))
    {
      int code = errno;
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error,
                   FH_HISTORY_ERROR,
                   FH_HISTORY_ERROR_DAMAGED,
                   /* Translators: a path, then the system's reason. */
                   _ ("The history “%s” is damaged and could not be moved out of the way: %s."),
                   name,
                   g_strerror (code));
      return FALSE;
    }
  *aside = g_steal_pointer (&target);
  return TRUE;
}
