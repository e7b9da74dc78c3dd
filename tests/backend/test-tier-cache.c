/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was found about the tiers is believed only while everything is as it was then. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stand-in.h"
#include "tier-selection.h"

static char *
note (void)
{
  return g_build_filename (g_getenv ("XDG_RUNTIME_DIR"), "fumehood", "tier", NULL);
}

static void
test_nothing_known (void)
{
  fh_tier_cache_write (FH_TIER_AUTO);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
}

static void
test_every_tier (void)
{
  for (FhTier tier = FH_TIER_NAMESPACES; tier < FH_TIER_UNPROTECTED; tier++)
    {
      fh_tier_cache_write (tier);
      g_assert_cmpint (fh_tier_cache_read (), ==, tier);
    }
  fh_tier_cache_write (FH_TIER_AUTO);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
}

static void
test_another_runner (void)
{
  stand_in_use ("one");
  fh_tier_cache_write (FH_TIER_LANDLOCK);
  stand_in_use ("other");
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
  stand_in_use ("one");
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_LANDLOCK);
}

/* Changes one word of the note. */
static void
replace (const char *from, const char *to)
{
  g_autofree char *path = note ();
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *changed = NULL;

  fh_tier_cache_write (FH_TIER_LANDLOCK);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  parts = g_strsplit (text, from, 2);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  changed = g_strconcat (parts[0], to, parts[1], NULL);
  g_assert_true (g_file_set_contents (path, changed, -1, NULL));
}

static void
test_damage (void)
{
  static const struct
  {
    const char *from;
    const char *to;
  } changes[] = {
    { "fumehood-tier 1", "fumehood-tier 2" },
    { "boot ", "boot 0" },
    { "kernel ", "kernel 9." },
    { "runner ", "runner /elsewhere" },
    { "bubblewrap ", "bubblewrap /elsewhere" },
    { "max_user_namespaces ", "max_user_namespaces 9" },
    { "tier B", "tier none" },
    { "tier B", "tier auto" },
    { "tier B", "tier C" },
    { "tier B\n", "tier B" },
    { "tier B\n", "tier B\ntier A\n" },
    { "tier B\n", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      replace (changes[i].from, changes[i].to);
      g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
    }
  replace ("tier B", "tier A2");
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_BUBBLEWRAP);
}

static void
test_no_text (void)
{
  g_autofree char *path = note ();
  g_autofree char *large = g_strnfill (100000, 'x');

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
  g_assert_true (g_file_set_contents (path, "\0\0\0\0", 4, NULL));
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
  g_assert_true (g_file_set_contents (path, large, -1, NULL));
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
}

static void
test_files_of_others (void)
{
  g_autofree char *path = note ();
  g_autofree char *moved = g_strconcat (path, "-moved", NULL);

  fh_tier_cache_write (FH_TIER_LANDLOCK);
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
  g_assert_cmpint (g_chmod (path, 0600), ==, 0);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_LANDLOCK);
  g_assert_cmpint (g_rename (path, moved), ==, 0);
  g_assert_cmpint (symlink (moved, path), ==, 0);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_unlink (moved);
}

int
main (int argc, char **argv)
{
  g_autofree char *runtime = NULL;
  g_autofree char *folder = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  stand_in_use ("one");
  runtime = g_dir_make_tmp ("fh-tiers-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  g_test_add_func ("/tier-cache/nothing-known", test_nothing_known);
  g_test_add_func ("/tier-cache/every-tier", test_every_tier);
  g_test_add_func ("/tier-cache/another-runner", test_another_runner);
  g_test_add_func ("/tier-cache/damage", test_damage);
  g_test_add_func ("/tier-cache/no-text", test_no_text);
  g_test_add_func ("/tier-cache/files-of-others", test_files_of_others);
  status = g_test_run ();
  fh_tier_cache_write (FH_TIER_AUTO);
  folder = g_build_filename (runtime, "fumehood", NULL);
  g_rmdir (folder);
  g_rmdir (runtime);
  stand_in_end ();
  return status;
}
