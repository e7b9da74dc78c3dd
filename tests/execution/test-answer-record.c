/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the history keeps of an answer, around a backend that does what the test says. */
#include "answer-record.h"

#include <string.h>

#include "fake-backend.h"
#include "fh-test.h"
#include "run-driver.h"

typedef struct
{
  FakeBackend *backend;
  FhProbes *probes;
  FhExecutor *executor;
  FhRunOptions *options;
  char *folder;
  FhHistory *history;
  FhAnswerRun *answer;
  FhOldSeriesRecord *record;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  fixture->backend = fake_backend_new ();
  fixture->probes = fh_probes_new (FH_BACKEND (fixture->backend));
  fixture->executor = fh_executor_new (fixture->probes, NULL);
  fixture->options = fh_run_options_new ();
  fixture->folder = fake_folder_new ();
  path = g_build_filename (fixture->folder, "history.db", NULL);
  fixture->history = fh_history_new (path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->answer);
  g_clear_object (&fixture->record);
  fh_history_flush (fixture->history);
  g_object_unref (fixture->history);
  fake_folder_free (fixture->folder);
  fh_run_options_free (fixture->options);
  g_object_unref (fixture->executor);
  g_object_unref (fixture->probes);
  g_object_unref (fixture->backend);
}

static void
start (Fixture *fixture, const char *text)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);

  fixture->answer = fh_answer_run_new (fixture->executor, blocks, fixture->options);
  fixture->record = fh_answer_record_new (fixture->answer, fixture->history, "a title", text);
  fh_answer_run_start (fixture->answer);
}

/* Lets the run of this number, from 1 on, write a text and end. */
static void
finish (Fixture *fixture, guint number, const char *text, int exit_code)
{
  while (fake_backend_get_n_runs (fixture->backend) < number)
    g_main_context_iteration (NULL, TRUE);
  fake_backend_write (fixture->backend, FH_STREAM_STDOUT, text);
  fake_backend_finish (fixture->backend, exit_code);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_old_series_record_save_finish (FH_OLD_SERIES_RECORD (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* (transfer full) The entry; NULL if there is none. */
static FhHistoryEntry *
save (Fixture *fixture)
{
  gboolean is_saved = FALSE;
  g_autoptr (GPtrArray) entries = NULL;

  while (!fh_answer_run_is_done (fixture->answer))
    g_main_context_iteration (NULL, TRUE);
  fh_old_series_record_save_async (fixture->record, saved_cb, &is_saved);
  while (!is_saved)
    g_main_context_iteration (NULL, TRUE);
  entries = fh_history_list (fixture->history, NULL, 0, 10, NULL);
  g_assert_cmpuint (entries->len, ==, 1);
  return g_object_ref (entries->pdata[0]);
}

/* (transfer full) */
static FhRunResult *
load (Fixture *fixture, FhHistoryEntry *entry, char **output)
{
  FhRunResult *result = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_true (fh_history_load (fixture->history,
                                  fh_history_entry_get_id (entry),
                                  NULL,
                                  NULL,
                                  &result,
                                  NULL));
  bytes = fh_output_log_dup_bytes (fh_run_result_get_output (result), FH_STREAM_STDOUT);
  *output = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return result;
}

/* Output without an end of line does not run into the next row. */
static void
test_good (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) lines = NULL;

  start (fixture, "```py\n1\n```\n```json\n2\n```\n```sh\n3\n```\n");
  finish (fixture, 1, "one", 0);
  finish (fixture, 2, "two\n", 0);
  entry = save (fixture);
  g_assert_cmpstr (fh_history_entry_get_title (entry), ==, "a title");
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_OK);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 2);
  result = load (fixture, entry, &output);
  lines = g_strsplit (output, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 6);
  g_assert_true (g_str_has_suffix (lines[0], "\tPython, line 2: Finished normally."));
  g_assert_cmpstr (lines[1], ==, "one");
  g_assert_cmpstr (lines[2], ==, "\tjson, line 5: Code saved to block-2.json");
  g_assert_true (g_str_has_suffix (lines[3], "\tShell, line 8: Finished normally."));
  g_assert_cmpstr (lines[4], ==, "two");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fh_run_result_get_files (result))),
                    ==,
                    1);
}

static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  start (fixture, "```py\n1\n```\n```sh\n3\n```\n```sh\n4\n```\n");
  finish (fixture, 1, "", 0);
  finish (fixture, 2, "", 7);
  entry = save (fixture);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 2);
  result = load (fixture, entry, &output);
  g_assert_cmpint (fh_run_result_get_outcome (result)->exit_code, ==, 7);
}

static void
add_attempt (FhAttemptLog *log, guint line)
{
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&(FhAttemptFacts){ .guard = FH_GUARD_NETWORK,
                                                                     .verdict = FH_VERDICT_DENIED,
                                                                     .line = line,
                                                                     .count = 1,
                                                                     .layer = "seccomp",
                                                                     .operation = "connect",
                                                                     .object = "192.0.2.1:80",
                                                                     .command = "main" });

  fh_attempt_log_add (log, attempt);
}

static void
try (Fixture *fixture, guint number, guint line)
{
  while (fake_backend_get_n_runs (fixture->backend) < number)
    g_main_context_iteration (NULL, TRUE);
  add_attempt (fh_run_get_attempts (fake_backend_get_run (fixture->backend)), line);
  finish (fixture, number, "", 0);
}

static void
assert_attempt (FhAttemptLog *log, guint position, guint block, guint line, guint count)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (fh_attempt_log_get (log, position));

  g_assert_cmpuint (facts->block, ==, block);
  g_assert_cmpuint (facts->line, ==, line);
  g_assert_cmpuint (facts->count, ==, count);
}

/* The same one in two blocks is one of each, at its line in the answer. */
static void
test_attempts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;
  FhAttemptLog *log;

  start (fixture, "Words.\n```py\n1\n2\n```\n```py\n3\n```\n```sh\n4\n```\n");
  try (fixture, 1, 2);
  try (fixture, 2, 1);
  finish (fixture, 3, "", 0);
  entry = save (fixture);
  result = load (fixture, entry, &output);
  log = fh_run_result_get_attempts (result);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 2);
  assert_attempt (log, 0, 1, 4, 1);
  assert_attempt (log, 1, 2, 7, 1);
}

/* What is shown while it goes on: the blocks before, and the one that runs as it is now. */
static void
test_live (Fixture *fixture, gconstpointer data)
{
  FhAttemptLog *log;
  FhAttemptLog *of_block;

  start (fixture, "```py\n1\n```\n```py\n2\n```\n");
  log = fh_old_series_record_get_attempts (fixture->record);
  try (fixture, 1, 1);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 1);
  while (fake_backend_get_n_runs (fixture->backend) < 2)
    g_main_context_iteration (NULL, TRUE);
  of_block = fh_run_get_attempts (fake_backend_get_run (fixture->backend));
  add_attempt (of_block, 1);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 2);
  assert_attempt (log, 1, 2, 5, 1);
  fh_attempt_set_count (fh_attempt_log_get (of_block, 0), 3);
  fh_attempt_log_set_n_dropped (of_block, 4);
  fh_run_set_usage (fake_backend_get_run (fixture->backend), &(FhRunUsage){ .wall_us = 1 });
  assert_attempt (log, 1, 2, 5, 3);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (log), ==, 4);
  fake_backend_finish (fixture->backend, 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (log)), ==, 2);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (log), ==, 4);
}

/* Nothing is kept, but there is a whole all the same. */
static void
test_not_kept (Fixture *fixture, gconstpointer data)
{
  const char *text = "```py\n1\n```\n```py\n2\n```\n";
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  gboolean is_saved = FALSE;

  fixture->answer = fh_answer_run_new (fixture->executor, blocks, fixture->options);
  fixture->record = fh_answer_record_new (fixture->answer, NULL, NULL, text);
  fh_answer_run_start (fixture->answer);
  try (fixture, 1, 1);
  finish (fixture, 2, "", 0);
  while (!fh_answer_run_is_done (fixture->answer))
    g_main_context_iteration (NULL, TRUE);
  result = fh_old_series_record_dup_result (fixture->record);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (fh_run_result_get_attempts (result)), ==, 1);
  fh_old_series_record_save_async (fixture->record, saved_cb, &is_saved);
  while (!is_saved)
    g_main_context_iteration (NULL, TRUE);
  entries = fh_history_list (fixture->history, NULL, 0, 10, NULL);
  g_assert_cmpuint (entries->len, ==, 0);
}

static void
asking_cb (FhAnswerRun *answer, guint index, gpointer user_data)
{
  fh_answer_run_refuse (answer, "not now");
}

static void
refuse (Fixture *fixture, const char *text, const char *policy)
{
  const char *const policies[] = { policy, NULL };
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);

  g_assert_true (fh_answer_set_policies (blocks, policies, NULL));
  fixture->answer = fh_answer_run_new (fixture->executor, blocks, fixture->options);
  g_signal_connect (fixture->answer, "asking", G_CALLBACK (asking_cb), NULL);
  fixture->record = fh_answer_record_new (fixture->answer, fixture->history, NULL, text);
  fh_answer_run_start (fixture->answer);
}

/* Nothing has run: it is there all the same, with the reason. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  refuse (fixture, "```py\n1\n```\n", "all=ask");
  entry = save (fixture);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_NOT_STARTED);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 0);
  result = load (fixture, entry, &output);
  g_assert_cmpstr (fh_run_result_get_sentence (result),
                   ==,
                   "Code execution was not approved. Reason: not now");
  g_assert_nonnull (strstr (output, "Python, line 2: Code execution was not approved."));
}

static void
test_refused_later (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  refuse (fixture, "```sh\n1\n```\n```py\n1\n```\n", "python=ask");
  finish (fixture, 1, "", 0);
  entry = save (fixture);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 1);
  result = load (fixture, entry, &output);
  g_assert_nonnull (strstr (fh_run_result_get_sentence (result), "Reason: not now"));
}

/* Between two blocks: the first has ended well. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  start (fixture, "```sh\n1\n```\n```py\n1\n```\n");
  finish (fixture, 1, "", 0);
  fh_answer_run_stop (fixture->answer);
  entry = save (fixture);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_STOPPED);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
  result = load (fixture, entry, &output);
  g_assert_cmpstr (fh_run_result_get_sentence (result), ==, "Stopped by you.");
  g_assert_cmpint (fh_run_result_get_outcome (result)->exit_code, ==, -1);
}

static void
test_no_blocks (Fixture *fixture, gconstpointer data)
{
  start (fixture, "Only words.");
  g_assert_null (fixture->record);
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/answer-record/good", test_good },
                  { "/answer-record/failed", test_failed },
                  { "/answer-record/attempts", test_attempts },
                  { "/answer-record/live", test_live },
                  { "/answer-record/not-kept", test_not_kept },
                  { "/answer-record/refused", test_refused },
                  { "/answer-record/refused-later", test_refused_later },
                  { "/answer-record/stopped", test_stopped },
                  { "/answer-record/no-blocks", test_no_blocks });
