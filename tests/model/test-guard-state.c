/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-state.h"

#include <string.h>

static void
test_words (void)
{
  FhGuard guard;
  FhGuardLevel level;

  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      g_assert_true (fh_guard_from_string (fh_guard_to_string ((FhGuard) i), &guard));
      g_assert_cmpuint (guard, ==, i);
    }
  for (guint i = 0; i <= FH_GUARD_LEVEL_OFF; i++)
    {
      g_assert_true (
          fh_guard_level_from_string (fh_guard_level_to_string ((FhGuardLevel) i), &level));
      g_assert_cmpuint (level, ==, i);
    }
  g_assert_cmpstr (fh_guard_to_string (FH_GUARD_FILESYSTEM), ==, "filesystem");
  g_assert_cmpstr (fh_guard_to_string (FH_GUARD_SYSTEM_CALLS), ==, "system-calls");
  g_assert_cmpstr (fh_guard_level_to_string (FH_GUARD_LEVEL_DEGRADED), ==, "degraded");
  g_assert_false (fh_guard_from_string ("Network", &guard));
  g_assert_false (fh_guard_from_string ("", &guard));
  g_assert_false (fh_guard_level_from_string ("on", &level));
}

/* Every guard has something to say at every level, and no two say the same. */
static void
test_sentences (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      for (guint j = 0; j <= FH_GUARD_LEVEL_OFF; j++)
        {
          g_autoptr (FhGuardState) state =
              fh_guard_state_new ((FhGuard) i, (FhGuardLevel) j, "layer", NULL);
          const char *sentence = fh_guard_state_get_facts (state)->sentence;

          g_assert_true (g_str_has_suffix (sentence, "."));
          g_assert_true (g_hash_table_add (seen, g_strdup (sentence)));
          g_assert_cmpstr (fh_guard_title (fh_guard_state_get_facts (state)->guard), !=, "");
        }
    }
}

static void
test_reasons (void)
{
  g_autoptr (FhGuardState) known =
      fh_guard_state_new (FH_GUARD_MEMORY, FH_GUARD_LEVEL_DEGRADED, "sampling", "no-cgroup");
  g_autoptr (FhGuardState) unknown =
      fh_guard_state_new (FH_GUARD_NETWORK, FH_GUARD_LEVEL_DEGRADED, "", "no-%s-%n");
  g_autoptr (FhGuardState) off =
      fh_guard_state_new (FH_GUARD_TIME, FH_GUARD_LEVEL_OFF, NULL, "no-limit");
  g_autoptr (FhGuardState) plain = fh_guard_state_new (FH_GUARD_TIME, FH_GUARD_LEVEL_OFF, NULL, "");

  g_assert_nonnull (strstr (fh_guard_state_get_facts (known)->sentence, "watched, not limited"));
  g_assert_null (strstr (fh_guard_state_get_facts (known)->sentence, "no-cgroup"));
  g_assert_true (g_str_has_suffix (fh_guard_state_get_facts (unknown)->sentence, "(no-%s-%n)"));
  g_assert_cmpstr (fh_guard_state_get_facts (off)->sentence,
                   ==,
                   fh_guard_state_get_facts (plain)->sentence);
  g_assert_cmpstr (fh_guard_state_get_facts (off)->reason, ==, "no-limit");
  g_assert_null (fh_guard_state_get_facts (plain)->reason);
}

static void
test_shown (void)
{
  const char *const paths[] = { "/home/me/venv", "/srv/\xff", NULL };
  const char *const names[] = { "/home/me/venv", "/srv/\uFFFD", NULL };
  const char *const none[] = { NULL };
  g_autoptr (FhGuardState) plain =
      fh_guard_state_new (FH_GUARD_FILESYSTEM, FH_GUARD_LEVEL_DEGRADED, "a, b", "no-landlock");
  g_autoptr (FhGuardState) showing = fh_guard_state_new_showing (plain, paths);
  g_autoptr (FhGuardState) same = fh_guard_state_new_showing (plain, none);

  g_assert_cmpstrv (fh_guard_state_get_facts (plain)->shown, none);
  g_assert_cmpstrv (fh_guard_state_get_facts (showing)->shown, names);
  g_assert_cmpstrv (fh_guard_state_get_facts (same)->shown, none);
  g_assert_cmpstr (fh_guard_state_get_facts (showing)->reason, ==, "no-landlock");
  g_assert_cmpstr (fh_guard_state_get_facts (showing)->layers, ==, "a, b");
  g_assert_cmpstr (fh_guard_state_get_facts (same)->sentence,
                   ==,
                   fh_guard_state_get_facts (plain)->sentence);
  g_assert_true (g_str_has_prefix (fh_guard_state_get_facts (showing)->sentence,
                                   fh_guard_state_get_facts (plain)->sentence));
  g_assert_true (g_str_has_suffix (fh_guard_state_get_facts (showing)->sentence,
                                   "/home/me/venv, /srv/\uFFFD."));
}

static void
test_members (void)
{
  g_autoptr (FhGuardState) state =
      fh_guard_state_new (FH_GUARD_NETWORK, FH_GUARD_LEVEL_ACTIVE, "network namespace, \xff", NULL);

  g_assert_cmpstr (fh_guard_title (fh_guard_state_get_facts (state)->guard), ==, "Network");
  g_assert_cmpstr (fh_guard_state_get_facts (state)->layers, ==, "network namespace, \uFFFD");
  g_assert_cmpint (fh_guard_state_get_facts (state)->guard, ==, FH_GUARD_NETWORK);
  g_assert_cmpint (fh_guard_state_get_facts (state)->level, ==, FH_GUARD_LEVEL_ACTIVE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard-state/words", test_words);
  g_test_add_func ("/guard-state/sentences", test_sentences);
  g_test_add_func ("/guard-state/reasons", test_reasons);
  g_test_add_func ("/guard-state/shown", test_shown);
  g_test_add_func ("/guard-state/members", test_members);
  return g_test_run ();
}
