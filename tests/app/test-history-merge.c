/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fh-test.h"
#include "history-entry-private.h"
#include "history/history-merge.h"

static GPtrArray *
entries_new (const char *ids)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (g_object_unref);

  for (const char *id = ids; *id != '\0'; id++)
    {
      /* A capital is a pinned run. */
      FhHistoryRow row = {
        .id = g_ascii_tolower (*id),
        .title = "title",
        .snippet = "snippet",
        .language = "python",
        .pinned = g_ascii_isupper (*id),
      };

      g_ptr_array_add (entries, fh_history_entry_new (&row));
    }
  return entries;
}

static char *
ids_of (GPtrArray *entries)
{
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < entries->len; i++)
    {
      char id = (char) fh_history_entry_get_id (entries->pdata[i]);

      g_string_append_c (ids,
                         fh_history_entry_get_pinned (entries->pdata[i]) ? g_ascii_toupper (id)
                                                                         : id);
    }
  return g_string_free (ids, FALSE);
}

static void
check (const char *before, const char *after, guint position, guint removed, guint added)
{
  g_autoptr (GPtrArray) entries = entries_new (before);
  g_autoptr (GPtrArray) fresh = entries_new (after);
  g_autofree char *ids = NULL;
  guint at, less, more;

  fh_history_merge (entries, fresh, &at, &less, &more);
  ids = ids_of (entries);
  g_assert_cmpstr (ids, ==, after);
  g_assert_cmpuint (at, ==, position);
  g_assert_cmpuint (less, ==, removed);
  g_assert_cmpuint (more, ==, added);
}

static void
test_stretch (void)
{
  check ("", "", 0, 0, 0);
  check ("", "abc", 0, 0, 3);
  check ("abc", "", 0, 3, 0);
  check ("abc", "abc", 3, 0, 0);
  check ("abc", "xabc", 0, 0, 1);
  check ("abc", "abcx", 3, 0, 1);
  check ("abc", "ac", 1, 1, 0);
  check ("abcd", "axyd", 1, 2, 2);
  check ("abc", "xyz", 0, 3, 3);
  check ("abcd", "aBcd", 4, 0, 0);
}

/* Runs that stay keep their objects, so that rows and the selection do. */
static void
test_identity (void)
{
  g_autoptr (GPtrArray) entries = entries_new ("abcd");
  g_autoptr (GPtrArray) fresh = entries_new ("AxD");
  FhHistoryEntry *first = entries->pdata[0];
  FhHistoryEntry *last = entries->pdata[3];
  guint position, removed, added;

  fh_history_merge (entries, fresh, &position, &removed, &added);
  g_assert_true (entries->pdata[0] == (gpointer) first);
  g_assert_true (entries->pdata[2] == (gpointer) last);
  g_assert_true (fh_history_entry_get_pinned (first));
  g_assert_true (fh_history_entry_get_pinned (last));
}

/* An entry that was saved again replaces the one of the same id. */
static void
test_saved_again (void)
{
  const FhHistoryRow row = { .id = 'b',
                             .title = "longer",
                             .snippet = "snippet",
                             .language = "python",
                             .wall_us = 2 };
  g_autoptr (GPtrArray) entries = entries_new ("abc");
  g_autoptr (GPtrArray) fresh = entries_new ("abc");
  guint position, removed, added;

  g_object_unref (fresh->pdata[1]);
  fresh->pdata[1] = fh_history_entry_new (&row);
  fh_history_merge (entries, fresh, &position, &removed, &added);
  g_assert_cmpuint (position, ==, 1);
  g_assert_cmpuint (removed, ==, 1);
  g_assert_cmpuint (added, ==, 1);
  g_assert_true (entries->pdata[1] == fresh->pdata[1]);
}

FH_TESTS ({ "/history-merge/stretch", test_stretch },
          { "/history-merge/identity", test_identity },
          { "/history-merge/saved-again", test_saved_again });
