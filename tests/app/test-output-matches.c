/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-matches.h"

#include "fh-test.h"

static FhOutputMatches *
sample (void)
{
  FhOutputMatches *matches = fh_output_matches_new ();
  const FhOutputMatch three[] = { { 10, 14 }, { 14, 18 }, { 30, 34 } };

  for (guint i = 0; i < G_N_ELEMENTS (three); i++)
    fh_output_matches_append (matches, &three[i]);
  return matches;
}

static void
assert_matches (FhOutputMatches *matches, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < fh_output_matches_get_count (matches); i++)
    {
      const FhOutputMatch *match = fh_output_matches_get (matches, i);

      g_string_append_printf (text, "%s%d-%d", i > 0 ? " " : "", match->start, match->end);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_find (void)
{
  g_autoptr (FhOutputMatches) matches = sample ();

  g_assert_cmpuint (fh_output_matches_find (matches, 0), ==, 0);
  g_assert_cmpuint (fh_output_matches_find (matches, 10), ==, 0);
  g_assert_cmpuint (fh_output_matches_find (matches, 11), ==, 1);
  g_assert_cmpuint (fh_output_matches_find (matches, 30), ==, 2);
  g_assert_cmpuint (fh_output_matches_find (matches, 31), ==, 3);
  fh_output_matches_cut (matches, 14);
  assert_matches (matches, "10-14");
}

static void
check_insert (int offset, const char *expected)
{
  g_autoptr (FhOutputMatches) matches = sample ();

  fh_output_matches_inserted (matches, offset, 5);
  assert_matches (matches, expected);
}

static void
test_insert (void)
{
  check_insert (0, "15-19 19-23 35-39");
  check_insert (10, "15-19 19-23 35-39");
  check_insert (12, "19-23 35-39");
  check_insert (14, "10-14 19-23 35-39");
  check_insert (20, "10-14 14-18 35-39");
  check_insert (34, "10-14 14-18 30-34");
}

static void
check_delete (int start, int end, const char *expected)
{
  g_autoptr (FhOutputMatches) matches = sample ();

  fh_output_matches_deleted (matches, start, end);
  assert_matches (matches, expected);
}

static void
test_delete (void)
{
  check_delete (0, 10, "0-4 4-8 20-24");
  check_delete (0, 11, "3-7 19-23");
  check_delete (0, 100, "");
  check_delete (12, 13, "13-17 29-33");
  check_delete (12, 15, "27-31");
  check_delete (18, 30, "10-14 14-18 18-22");
  check_delete (34, 50, "10-14 14-18 30-34");
  check_delete (20, 20, "10-14 14-18 30-34");
}

FH_TESTS ({ "/matches/find", test_find },
          { "/matches/insert", test_insert },
          { "/matches/delete", test_delete });
