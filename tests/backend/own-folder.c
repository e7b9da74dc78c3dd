/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "own-folder.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile-folder.h"

static char *base;

const char *
own_folder (void)
{
  return base;
}

void
own_folder_be_home (void)
{
  static const char *const names[] = { "XDG_CACHE_HOME",
                                       "XDG_CONFIG_HOME",
                                       "XDG_DATA_HOME",
                                       "XDG_STATE_HOME",
                                       "XDG_RUNTIME_DIR" };

  own_folder_begin ();
  g_setenv ("HOME", base, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = own_folder_path (names[i]);

      g_assert_no_errno (g_mkdir (path, 0700));
      g_setenv (names[i], path, TRUE);
    }
}

char *
own_folder_path (const char *path)
{
  return g_build_filename (base, path, NULL);
}

void
own_folder_put (const char *path, const char *content)
{
  g_autofree char *file = own_folder_path (path);
  g_autofree char *folder = g_path_get_dirname (file);

  g_assert_no_errno (g_mkdir_with_parents (folder, 0755));
  g_assert_true (g_file_set_contents (file, content, -1, NULL));
}

void
own_folder_assert_content (const char *path, const char *expected)
{
  g_autofree char *file = own_folder_path (path);
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (file, &content, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (content, ==, expected);
}

mode_t
own_folder_mode_of (const char *path)
{
  struct stat info;

  g_assert_no_errno (lstat (path, &info));
  return info.st_mode & 07777;
}

void
own_folder_begin (void)
{
  base = g_dir_make_tmp ("fh-folders-XXXXXX", NULL);
}

void
own_folder_end (void)
{
  g_autofree char *parent = g_path_get_dirname (base);
  g_autofree char *name = g_path_get_basename (base);
  int fd = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_true (fh_hostile_folder_remove (fd, name, 60000));
  g_assert_false (g_file_test (base, G_FILE_TEST_EXISTS));
  close (fd);
  g_clear_pointer (&base, g_free);
}
