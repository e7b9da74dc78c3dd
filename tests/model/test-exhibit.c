/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "exhibit.h"

static void
test_options (void)
{
  g_autoptr (FhRunOptions) bomb = fh_exhibit_dup_options (fh_exhibit_lookup ("fork-bomb"), FALSE);
  g_autoptr (FhRunOptions) hog = fh_exhibit_dup_options (fh_exhibit_lookup ("memory-hog"), TRUE);
  g_autoptr (FhRunOptions) hidden =
      fh_exhibit_dup_options (fh_exhibit_lookup ("hidden-eval"), FALSE);
  g_autoptr (FhRunOptions) trick =
      fh_exhibit_dup_options (fh_exhibit_lookup ("import-trick"), FALSE);

  g_assert_cmpuint (bomb->limits.processes, ==, 32);
  g_assert_cmpuint (bomb->guards.without, ==, 0);
  g_assert_cmpuint (hog->guards.without, ==, 1u << FH_GUARD_MEMORY);
  g_assert_true (hidden->guards.limit_functions);
  g_assert_cmpstr (trick->guards.imports[0], ==, "math");
  g_assert_null (trick->guards.imports[1]);
}

/* With its guard each has all guards; without it, at most that one is off. */
static void
test_every_exhibit (void)
{
  for (const FhExhibit *exhibit = fh_exhibit_list (); exhibit->file_name != NULL; exhibit++)
    {
      g_autoptr (FhRunOptions) guarded = fh_exhibit_dup_options (exhibit, FALSE);
      g_autoptr (FhRunOptions) bare = NULL;
      guint own = FH_RUN_GUARDS_SWITCHES & 1u << exhibit->guard;

      g_assert_cmpuint (guarded->guards.without, ==, 0);
      if (exhibit->without_guard == NULL)
        continue;
      bare = fh_exhibit_dup_options (exhibit, TRUE);
      g_assert_cmpuint (bare->guards.without, ==, own);
      g_assert_true (fh_run_options_check (bare, NULL));
    }
}

/* The one reason why an exhibit has no way without its guard is true. */
static void
test_only_guarded (void)
{
  for (const FhExhibit *exhibit = fh_exhibit_list (); exhibit->file_name != NULL; exhibit++)
    {
      gboolean has_switch = (FH_RUN_GUARDS_SWITCHES & 1u << exhibit->guard) != 0;
      gboolean says_none =
          g_strcmp0 (exhibit->only_guarded, "This guard cannot be switched off.") == 0;

      if (exhibit->without_guard != NULL)
        g_assert_null (exhibit->only_guarded);
      else
        g_assert_true (says_none == !has_switch);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exhibit/options", test_options);
  g_test_add_func ("/exhibit/every", test_every_exhibit);
  g_test_add_func ("/exhibit/only-guarded", test_only_guarded);
  return g_test_run ();
}
