/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of a batch are listed with it alone, and go with it. */
#include <sqlite3.h>

#include "stored-run.h"

#define N_SAMPLES 3

/* As the command line adds one. */
static gint64
add_batch (FhHistory *history, gboolean is_ended)
{
  g_autoptr (FhRunRequest) command = fh_test_request ("fumehoodctl batch answers");
  g_autoptr (FhRunResult) table = fh_test_result (9, "table", "");
  const FhHistoryScore score = { .n_passed = 2, .n_samples = N_SAMPLES };
  g_autoptr (GError) error = NULL;
  gint64 id = fh_history_reserve (history, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < N_SAMPLES; i++)
    {
      g_autofree char *source = g_strdup_printf ("print ('sample %u')", i);
      g_autoptr (FhRunRequest) request = fh_test_request (source);
      g_autoptr (FhRunResult) result = fh_test_result (i, source, "");

      fh_history_add_sample_async (history,
                                   id,
                                   request,
                                   result,
                                   i == 1 ? "failed: AssertionError" : "passed",
                                   NULL,
                                   NULL);
    }
  fh_history_flush (history);
  if (is_ended)
    g_assert_cmpint (fh_history_add_scored (history, id, &score, command, table, &error), ==, id);
  g_assert_no_error (error);
  return id;
}

static GPtrArray *
list_samples (FhHistory *history, gint64 batch)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *samples;
  g_autoptr (GAsyncResult) result =
      FH_AWAIT (fh_history_list_samples_async (history, batch, NULL, FH_RESULT));
  samples = fh_history_list_finish (history, result, &error);
  g_assert_no_error (error);
  return samples;
}

static gint64
count_rows (FhTestHistory *fixture, const char *table)
{
  g_autofree char *sql = g_strdup_printf ("SELECT count (*) FROM %s", table);
  sqlite3_stmt *statement;
  sqlite3 *handle;
  gint64 count;

  g_assert_cmpint (sqlite3_open (fixture->path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (handle, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  count = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (handle);
  return count;
}

static void
assert_list (FhHistory *history, const char *search, const char *expected)
{
  g_autofree char *ids = fh_test_list_ids (history, search, 0, 100);

  g_assert_cmpstr (ids, ==, expected);
}

static void
test_listed_with_the_batch (FhTestHistory *fixture, gconstpointer data)
{
  gint64 batch = add_batch (fixture->history, TRUE);
  gint64 run = fh_test_add (fixture->history, 20, "pass", "");
  g_autofree char *both = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, run, batch);
  g_autofree char *one = g_strdup_printf ("%" G_GINT64_FORMAT, batch);
  g_autoptr (GPtrArray) samples = list_samples (fixture->history, batch);
  g_autoptr (FhHistoryEntry) entry = NULL;

  assert_list (fixture->history, NULL, both);
  assert_list (fixture->history, "sample", "");
  assert_list (fixture->history, "answers", one);
  g_assert_true (fh_history_load (fixture->history, batch, &entry, NULL, NULL, NULL));
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, N_SAMPLES);
  g_assert_null (fh_history_entry_get_verdict (entry));
  g_assert_cmpuint (fh_history_entry_get_score (entry)->n_passed, ==, 2);
  g_assert_cmpuint (fh_history_entry_get_score (entry)->n_samples, ==, N_SAMPLES);
  g_assert_cmpuint (samples->len, ==, N_SAMPLES);
  for (guint i = 0; i < N_SAMPLES; i++)
    {
      FhHistoryEntry *sample = g_ptr_array_index (samples, i);
      g_autofree char *source = g_strdup_printf ("print ('sample %u')", i);

      g_assert_cmpstr (fh_history_entry_get_snippet (sample), ==, source);
      g_assert_cmpstr (fh_history_entry_get_verdict (sample),
                       ==,
                       i == 1 ? "failed: AssertionError" : "passed");
      g_assert_cmpuint (fh_history_entry_get_n_samples (sample), ==, 0);
      g_assert_null (fh_history_entry_get_score (sample));
    }
}

static void
test_sample_is_a_run (FhTestHistory *fixture, gconstpointer data)
{
  gint64 batch = add_batch (fixture->history, TRUE);
  g_autoptr (GPtrArray) samples = list_samples (fixture->history, batch);
  gint64 id = fh_history_entry_get_id (g_ptr_array_index (samples, 2));
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *source = NULL;
  GError *error = NULL;

  fh_history_load (fixture->history, id, NULL, &request, &result, &error);
  g_assert_no_error (error);
  source = fh_run_request_dup_source_text (request);
  g_assert_cmpstr (source, ==, "print ('sample 2')");
}

static void
test_goes_with_the_batch (FhTestHistory *fixture, gconstpointer data)
{
  gint64 first = add_batch (fixture->history, TRUE);
  gint64 second = add_batch (fixture->history, TRUE);
  g_autoptr (GPtrArray) samples = NULL;
  GError *error = NULL;

  fh_test_history_delete (fixture->history, first, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_rows (fixture, "runs"), ==, 2 * (N_SAMPLES + 1));
  g_assert_true (fh_history_purge (fixture->history, &error));
  g_assert_cmpint (count_rows (fixture, "runs"), ==, N_SAMPLES + 1);
  g_assert_cmpint (count_rows (fixture, "run_contents"), ==, N_SAMPLES + 1);
  samples = list_samples (fixture->history, second);
  g_assert_cmpuint (samples->len, ==, N_SAMPLES);
}

/* A batch counts as one run. */
static void
test_pruned_as_one (FhTestHistory *fixture, gconstpointer data)
{
  gint64 batch = add_batch (fixture->history, TRUE);
  g_autofree char *expected = NULL;
  GError *error = NULL;
  gint64 run;

  for (guint i = 0; i < 5; i++)
    run = fh_test_add (fixture->history, 20 + i, "pass", "");
  expected = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, run, run - 1);
  fh_test_history_prune (fixture->history, 6, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_rows (fixture, "runs"), ==, 6 + N_SAMPLES);
  fh_test_history_prune (fixture->history, 2, &error);
  g_assert_no_error (error);
  assert_list (fixture->history, NULL, expected);
  g_assert_cmpint (count_rows (fixture, "runs"), ==, 2);
  g_assert_cmpint (batch, >, 0);
}

/* The process that ran it was killed: its samples go, but not while it could still run. */
static void
test_never_ended (FhTestHistory *fixture, gconstpointer data)
{
  GError *error = NULL;

  add_batch (fixture->history, FALSE);
  assert_list (fixture->history, NULL, "");
  fh_test_history_prune (fixture->history, 100, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_rows (fixture, "runs"), ==, N_SAMPLES + 1);
  g_assert_true (fh_history_purge (fixture->history, &error));
  g_assert_cmpint (count_rows (fixture, "runs"), ==, 0);
}

/* Cleared away by the user while it ran: the batch is kept without the samples so far. */
static void
test_cleared_meanwhile (FhTestHistory *fixture, gconstpointer data)
{
  gint64 batch = add_batch (fixture->history, FALSE);
  g_autoptr (FhRunRequest) request = fh_test_request ("fumehoodctl batch answers");
  g_autoptr (FhRunResult) result = fh_test_result (9, "table", "");
  g_autoptr (FhHistoryEntry) entry = NULL;
  GError *error = NULL;
  gint64 id;

  g_assert_true (fh_history_purge (fixture->history, &error));
  id = fh_history_add_reserved (fixture->history, batch, request, result, &error);
  g_assert_no_error (error);
  g_assert_true (fh_history_load (fixture->history, id, &entry, NULL, NULL, NULL));
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 0);
}

/* Another run may have the id of a batch that was given up: it is left alone. */
static void
test_another_run_of_that_id (FhTestHistory *fixture, gconstpointer data)
{
  gint64 run = fh_test_add (fixture->history, 1, "print ('other')", "");
  g_autoptr (FhRunRequest) request = fh_test_request ("fumehoodctl batch answers");
  g_autoptr (FhRunResult) result = fh_test_result (9, "table", "");
  GError *error = NULL;
  g_autoptr (GAsyncResult) answer = FH_AWAIT (
      fh_history_add_sample_async (fixture->history, run, request, result, "passed", FH_RESULT));
  g_assert_false (fh_history_change_finish (fixture->history, answer, &error));
  g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_cmpint (fh_history_add_reserved (fixture->history, run, request, result, &error),
                   >,
                   run);
  g_assert_no_error (error);
  assert_list (fixture->history, "other", "1");
}

static gint64
write_whole (FhTestHistory *fixture, gint64 reserved, const char *words)
{
  g_autoptr (FhRunRequest) request = fh_test_request (words);
  g_autoptr (FhRunResult) result = fh_test_result (9, words, "");
  GError *error = NULL;
  gint64 id = fh_history_add_reserved (fixture->history, reserved, request, result, &error);

  g_assert_no_error (error);
  return id;
}

/* A batch that is written again replaces its entry, also in the index, and takes more samples. One
 * that a person has deleted stays deleted. */
static void
test_written_again (FhTestHistory *fixture, gconstpointer data)
{
  const gint64 id = add_batch (fixture->history, FALSE);
  g_autofree char *ids = g_strdup_printf ("%" G_GINT64_FORMAT, id);
  g_autoptr (FhRunRequest) request = fh_test_request ("print ('more')");
  g_autoptr (FhRunResult) result = fh_test_result (5, "more", "");
  g_autoptr (GPtrArray) samples = NULL;
  g_autoptr (GAsyncResult) deleted = NULL;

  g_assert_cmpint (write_whole (fixture, id, "earlier"), ==, id);
  fh_history_add_sample_async (fixture->history, id, request, result, "passed", NULL, NULL);
  g_assert_cmpint (write_whole (fixture, id, "later"), ==, id);
  assert_list (fixture->history, NULL, ids);
  assert_list (fixture->history, "earlier", "");
  assert_list (fixture->history, "later", ids);
  samples = list_samples (fixture->history, id);
  g_assert_cmpuint (samples->len, ==, N_SAMPLES + 1);
  deleted = FH_AWAIT (fh_history_set_deleted_async (fixture->history, id, TRUE, NULL, FH_RESULT));
  g_assert_true (fh_history_change_finish (fixture->history, deleted, NULL));
  g_assert_cmpint (write_whole (fixture, id, "last"), ==, id);
  assert_list (fixture->history, NULL, "");
}

/* Samples that nobody waits for are written together, and soon. If one cannot be, the others are.
 */
static void
test_many (FhTestHistory *fixture, gconstpointer data)
{
  const guint n = 200;
  const gint64 id = fh_history_reserve (fixture->history, NULL);
  g_autoptr (FhRunRequest) request = fh_test_request ("print ('sample')");
  g_autoptr (GPtrArray) samples = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FhRunResult) result = fh_test_result (i, "sample", "");

      fh_history_add_sample_async (fixture->history,
                                   i == 70 ? id + 1000 : id,
                                   request,
                                   result,
                                   "passed",
                                   NULL,
                                   NULL);
    }
  while (count_rows (fixture, "runs") < n)
    g_main_context_iteration (NULL, TRUE);
  samples = list_samples (fixture->history, id);
  g_assert_cmpuint (samples->len, ==, n - 1);
  for (guint i = 1; i < samples->len; i++)
    g_assert_cmpint (fh_history_entry_get_id (samples->pdata[i - 1]),
                     <,
                     fh_history_entry_get_id (samples->pdata[i]));
  g_assert_cmpint (write_whole (fixture, id, "whole"), ==, id);
}

FH_FIXTURE_TESTS (FhTestHistory,
                  fh_test_history_set_up,
                  fh_test_history_tear_down,
                  { "/history-batch/listed_with_the_batch", test_listed_with_the_batch },
                  { "/history-batch/sample_is_a_run", test_sample_is_a_run },
                  { "/history-batch/goes_with_the_batch", test_goes_with_the_batch },
                  { "/history-batch/pruned_as_one", test_pruned_as_one },
                  { "/history-batch/never_ended", test_never_ended },
                  { "/history-batch/cleared_meanwhile", test_cleared_meanwhile },
                  { "/history-batch/written_again", test_written_again },
                  { "/history-batch/many", test_many },
                  { "/history-batch/another_run_of_that_id", test_another_run_of_that_id });
