/* SPDX-License-Identifier: GPL-3.0-or-later */ #include "history-watch.h"
#include "stored-run.h"

    static void
    count_change (FhHistory *history, gpointer data)
{
  guint *count = data;

  *count += 1;
}

static void
refreshed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_true (fh_history_change_finish (FH_HISTORY (source), result, NULL));
  *(gboolean *) user_data = TRUE;
}

/* The calls are answered in order, so that the watch has begun then. */
static void
wait_for_begin (FhHistory *history)
{
  gboolean is_done = FALSE;

  fh_history_refresh_async (history, NULL, refreshed_cb, &is_done);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
}

/* Another object is another connection, as that of another process. */
static void
test_others_are_seen (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "made", "later", "history.db", NULL);
  FhHistory *seen = fh_history_new (path);
  FhHistory *other = fh_history_new (path);
  FhHistoryWatch *watch;
  guint changes = 0;

  watch = fh_history_watch_new (seen);
  wait_for_begin (seen);
  g_signal_connect (seen, "changed", G_CALLBACK (count_change), &changes);
  for (guint i = 1; i <= 3; i++)
    {
      fh_test_add (other, i, "x", "");
      while (changes < i)
        g_main_context_iteration (NULL, TRUE);
    }
  fh_history_watch_free (watch);
  fh_history_flush (seen);
  fh_history_flush (other);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_finalize_object (seen);
  g_assert_finalize_object (other);
  fh_test_folder_remove (folder);
}

/* A folder that is not there yet is no fault, nor is one whose changes are not told. */
static void
test_nothing_to_watch (void)
{
  FhHistory *history = fh_history_new ("/proc/self/nowhere/history.db");
  FhHistoryWatch *watch = fh_history_watch_new (history);

  fh_history_flush (history);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  fh_history_watch_free (watch);
  fh_history_watch_free (fh_history_watch_new (history));
  fh_history_flush (history);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_finalize_object (history);
}

FH_TESTS ({ "/history-watch/others are seen", test_others_are_seen },
          { "/history-watch/nothing to watch", test_nothing_to_watch });
