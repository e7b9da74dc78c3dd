/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache-file.h"

#include "descriptor.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

char *
fh_cache_file_path (const char *name)
{
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");

  if (runtime != NULL && g_path_is_absolute (runtime) && g_file_test (runtime, G_FILE_TEST_IS_DIR))
    return g_build_filename (runtime, "fumehood", name, NULL);
  return g_build_filename (g_get_user_cache_dir (), "fumehood", name, NULL);
}

void
fh_cache_file_append_file (GString *text, const char *name, const char *path)
{
  g_autofree char *escaped = g_strescape (path, NULL);
  struct stat status;

  if (stat (path, &status) < 0)
    g_string_append_printf (text, "%s %s -\n", name, escaped);
  else
    g_string_append_printf (text,
                            "%s %s %" G_GINT64_FORMAT ".%09ld %" G_GINT64_FORMAT
                            " %" G_GUINT64_FORMAT "\n",
                            name,
                            escaped,
                            (gint64) status.st_mtim.tv_sec,
                            status.st_mtim.tv_nsec,
                            (gint64) status.st_size,
                            (guint64) status.st_ino);
}

gboolean
fh_cache_file_append_boot (GString *text)
{
  g_autofree char *boot = NULL;
  struct utsname kernel;

  if (uname (&kernel) < 0 || !g_file_get_contents (BOOT_ID, &boot, NULL, NULL))
    return FALSE;
  g_string_append_printf (text, "boot %s\nkernel %s\n", g_strstrip (boot), kernel.release);
  return TRUE;
}

/* Owned by the user and not writable by others. */
static gboolean
is_trustworthy (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_uid == geteuid () &&
         !(status.st_mode & (S_IWGRP | S_IWOTH)) && status.st_size < FH_CACHE_FILE_MAX;
}

char *
fh_cache_file_read (const char *path)
{
  fh_autofd int fd = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  g_autofree char *text = g_malloc (FH_CACHE_FILE_MAX);
  gssize size = -1;

  if (fd >= 0 && is_trustworthy (fd))
    size = read (fd, text, FH_CACHE_FILE_MAX - 1);
  if (size <= 0)
    return NULL;
  text[size] = '\0';
  return strlen (text) == (gsize) size ? g_steal_pointer (&text) : NULL;
}

void
fh_cache_file_write (const char *path, const char *text)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_mkdir_with_parents (folder, 0700);
  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL))
    g_debug ("could not write %s", path);
}
