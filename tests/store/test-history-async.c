/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stored-run.h"

static void
test_in_order (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = fh_test_request ("x");
  g_autoptr (FhRunResult) result = fh_test_result (1, "", "");
  GAsyncResult *results[6] = { NULL };
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (FhRunRequest) loaded = NULL;
  GError *error = NULL;

  fh_history_open_async (fixture->history, NULL, fh_test_keep_cb, &results[0]);
  fh_history_add_async (fixture->history, request, result, NULL, fh_test_keep_cb, &results[1]);
  fh_history_set_pinned_async (fixture->history, 1, TRUE, NULL, fh_test_keep_cb, &results[2]);
  fh_history_list_async (fixture->history, "x", 0, 10, NULL, fh_test_keep_cb, &results[3]);
  fh_history_load_async (fixture->history, 1, NULL, fh_test_keep_cb, &results[4]);
  results[5] = FH_AWAIT (fh_history_set_deleted_async (fixture->history, 1, TRUE, NULL, FH_RESULT));

  g_assert_true (fh_history_open_finish (fixture->history, results[0], NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fh_history_add_finish (fixture->history, results[1], &error), ==, 1);
  g_assert_true (fh_history_change_finish (fixture->history, results[2], &error));
  entries = fh_history_list_finish (fixture->history, results[3], &error);
  g_assert_cmpuint (entries->len, ==, 1);
  g_assert_true (fh_history_entry_get_pinned (g_ptr_array_index (entries, 0)));
  g_assert_true (
      fh_history_load_finish (fixture->history, results[4], NULL, &loaded, NULL, &error));
  g_assert_nonnull (loaded);
  g_assert_true (fh_history_change_finish (fixture->history, results[5], &error));
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_clear_object (&results[i]);

  fh_history_set_deleted_async (fixture->history, 1, FALSE, NULL, fh_test_keep_cb, &results[0]);
  fh_history_refresh_async (fixture->history, NULL, fh_test_keep_cb, &results[1]);
  results[2] = FH_AWAIT (fh_history_prune_async (fixture->history, 5, NULL, FH_RESULT));
  g_assert_true (fh_history_change_finish (fixture->history, results[0], &error));
  g_assert_true (fh_history_change_finish (fixture->history, results[1], &error));
  g_assert_true (fh_history_change_finish (fixture->history, results[2], &error));
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_clear_object (&results[i]);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  /* Added, pinned, deleted, restored. */
  g_assert_cmpuint (fixture->changes, ==, 4);
  fh_test_history_assert_listed (fixture, "1");
}

static void
test_cancelled_is_not_done (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = fh_test_request ("x");
  g_autoptr (FhRunResult) result = fh_test_result (1, "", "");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GAsyncResult *added = NULL;
  GError *error = NULL;

  g_cancellable_cancel (cancellable);
  added =
      FH_AWAIT (fh_history_add_async (fixture->history, request, result, cancellable, FH_RESULT));
  g_assert_cmpint (fh_history_add_finish (fixture->history, added, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_clear_object (&added);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  fh_test_history_assert_listed (fixture, "");
}

static void
test_flush_writes_what_waits (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = fh_test_request ("x");
  g_autoptr (FhRunResult) result = fh_test_result (1, "", "");
  g_autoptr (FhHistory) other = fh_history_new (fixture->path);
  g_autofree char *ids = NULL;

  for (guint i = 0; i < 20; i++)
    fh_history_add_async (fixture->history, request, result, NULL, NULL, NULL);
  fh_history_flush (fixture->history);
  ids = fh_test_list_ids (other, NULL, 0, 1);
  g_assert_cmpstr (ids, ==, "20");
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

FH_FIXTURE_TESTS (FhTestHistory,
                  fh_test_history_set_up,
                  fh_test_history_tear_down,
                  { "/history-async/in-order", test_in_order },
                  { "/history-async/cancelled-is-not-done", test_cancelled_is_not_done },
                  { "/history-async/flush-writes-what-waits", test_flush_writes_what_waits });
