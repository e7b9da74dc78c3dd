/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tier-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "runner-locator.h"

#define BOOT_ID    "/proc/sys/kernel/random/boot_id"
#define BUBBLEWRAP "/usr/bin/bwrap"
#define MAX_SIZE   8192

/* Owned by the caller. */
static char *
cache_path (void)
{
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");

  if (runtime != NULL && g_path_is_absolute (runtime) && g_file_test (runtime, G_FILE_TEST_IS_DIR))
    return g_build_filename (runtime, "fumehood", "tier", NULL);
  return g_build_filename (g_get_user_cache_dir (), "fumehood", "tier", NULL);
}

static void
append_program (GString *text, const char *name, const char *path)
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

/* All that the answer depends on. NULL when that cannot be told. */
static char *
describe_here (void)
{
  g_autoptr (GString) text = g_string_new ("fumehood-tier 1\n");
  g_autofree char *runner = fh_runner_locate ();
  g_autofree char *boot = NULL;
  struct utsname kernel;

  if (uname (&kernel) < 0 || !g_file_get_contents (BOOT_ID, &boot, NULL, NULL))
    return NULL;
  g_string_append_printf (text, "boot %s\nkernel %s\n", g_strstrip (boot), kernel.release);
  append_program (text, "runner", runner);
  append_program (text, "bubblewrap", BUBBLEWRAP);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The user's own and nobody else's to write. */
static gboolean
is_trustworthy (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_uid == geteuid () &&
         !(status.st_mode & (S_IWGRP | S_IWOTH)) && status.st_size < MAX_SIZE;
}

static char *
read_file (const char *path)
{
  int fd = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  g_autofree char *text = g_malloc (MAX_SIZE);
  gssize size = -1;

  if (fd < 0)
    return NULL;
  if (is_trustworthy (fd))
    size = read (fd, text, MAX_SIZE - 1);
  close (fd);
  if (size <= 0)
    return NULL;
  text[size] = '\0';
  return strlen (text) == (gsize) size ? g_steal_pointer (&text) : NULL;
}

FhTier
fh_tier_cache_read (void)
{
  g_autofree char *path = cache_path ();
  g_autofree char *here = describe_here ();
  g_autofree char *text = read_file (path);
  const char *found;
  FhTier tier;

  if (here == NULL || text == NULL || !g_str_has_prefix (text, here))
    return FH_TIER_AUTO;
  found = text + strlen (here);
  for (tier = FH_TIER_NAMESPACES; tier < FH_TIER_UNPROTECTED; tier++)
    {
      g_autofree char *line = g_strdup_printf ("tier %s\n", fh_tier_to_string (tier));

      if (g_str_equal (found, line))
        return tier;
    }
  return FH_TIER_AUTO;
}

void
fh_tier_cache_write (FhTier tier)
{
  g_autofree char *path = cache_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *here = describe_here ();
  g_autofree char *text = NULL;

  if (tier == FH_TIER_AUTO || here == NULL)
    {
      g_unlink (path);
      return;
    }
  g_return_if_fail (tier != FH_TIER_UNPROTECTED);
  g_mkdir_with_parents (folder, 0700);
  text = g_strdup_printf ("%stier %s\n", here, fh_tier_to_string (tier));
  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL))
    g_debug ("the tier could not be noted in %s", path);
}
