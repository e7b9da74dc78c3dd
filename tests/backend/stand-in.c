/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stand-in.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <unistd.h>

#include "hostile-folder.h"

static char *folder;
static char *fake_runner;

void
stand_in_begin (void)
{
  /* Descriptors that the test inherited are not the backend's leaks. */
  close_range (3, ~0U, CLOSE_RANGE_CLOEXEC);
  fake_runner = g_canonicalize_filename (g_getenv ("FH_FAKE_RUNNER"), NULL);
  folder = g_dir_make_tmp ("fh-stand-in-XXXXXX", NULL);
  g_assert_nonnull (folder);
}

void
stand_in_end (void)
{
  g_autofree char *parent = g_path_get_dirname (folder);
  g_autofree char *name = g_path_get_basename (folder);
  int fd = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_true (fh_hostile_folder_remove (fd, name, 60000));
  close (fd);
  g_clear_pointer (&folder, g_free);
  g_clear_pointer (&fake_runner, g_free);
}

const char *
stand_in_folder (void)
{
  return folder;
}

void
stand_in_use (const char *act)
{
  g_autofree char *name = g_strconcat ("fake-runner-", act, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (symlink (fake_runner, path) != 0)
    g_assert_cmpint (errno, ==, EEXIST);
  g_setenv ("FH_RUNNER", path, TRUE);
}
