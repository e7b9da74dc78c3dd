/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the history keeps of a series, around a backend that does what the test says. */
#include "series-record.h"

#include <string.h>

#include "run-driver.h"
#include "series-room.h"

/* A record, and what it has told. */
typedef struct
{
  FhSeriesRecord *record;
  GString *saved; /* the number of each step, "0" for the whole, "!" if it is not there */
  gboolean is_complete;
} Keeping;

static void
saved_cb (Keeping *keeping, FhStep *step, gint64 id, const char *problem)
{
  g_assert_false (keeping->is_complete);
  g_assert_null (problem);
  g_string_append_printf (keeping->saved,
                          "%u%s",
                          step != NULL ? fh_step_get_number (step) : 0,
                          id > 0 ? "" : "!");
}

static void
complete_cb (Keeping *keeping)
{
  g_assert_false (keeping->is_complete);
  keeping->is_complete = TRUE;
}

/* `text`: of an answer. */
static void
keep (SeriesRoom *room, Keeping *keeping, FhHistory *history, FhRecordForm form, const char *text)
{
  const char *title = text != NULL ? "a title" : NULL;

  *keeping = (Keeping){ .saved = g_string_new (NULL) };
  keeping->record = fh_series_record_new (room->series, history, form, title, text);
  g_signal_connect_swapped (keeping->record, "saved", G_CALLBACK (saved_cb), keeping);
  g_signal_connect_swapped (keeping->record, "complete", G_CALLBACK (complete_cb), keeping);
}

static void
await_complete (Keeping *keeping)
{
  while (!keeping->is_complete)
    g_main_context_iteration (NULL, TRUE);
}

static void
clear (Keeping *keeping)
{
  g_string_free (keeping->saved, TRUE);
  g_assert_finalize_object (keeping->record);
}

static void
start (SeriesRoom *room, Keeping *keeping, const char *text, const char *policy)
{
  const char *const policies[] = { policy, NULL };

  series_room_new_answer (room, text, policies);
  keep (room, keeping, room->history, FH_RECORD_ANSWER, text);
  series_room_start (room);
}

/* Lets the run of this number, from 1 on, write a text and end. */
static void
finish (SeriesRoom *room, guint number, const char *text, int exit_code)
{
  series_room_await_runs (room, number);
  fake_backend_write (room->backend, FH_STREAM_STDOUT, text);
  fake_backend_finish (room->backend, exit_code);
}

/* The entries, newest first. (transfer full) */
static GPtrArray *
list (SeriesRoom *room, guint n)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *entries = fh_history_list (room->history, NULL, 0, 10, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, n);
  return entries;
}

/* (transfer full) The only entry, when everything is saved. */
static FhHistoryEntry *
take (SeriesRoom *room, Keeping *keeping)
{
  g_autoptr (GPtrArray) entries = NULL;

  await_complete (keeping);
  entries = list (room, 1);
  g_assert_cmpstr (keeping->saved->str, ==, "0");
  g_assert_cmpint (fh_series_record_get_id (keeping->record),
                   ==,
                   fh_history_entry_get_id (entries->pdata[0]));
  return g_object_ref (entries->pdata[0]);
}

/* (transfer full) */
static FhRunResult *
load (SeriesRoom *room, FhHistoryEntry *entry, char **output)
{
  FhRunResult *result = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_true (
      fh_history_load (room->history, fh_history_entry_get_id (entry), NULL, NULL, &result, NULL));
  bytes = fh_output_log_dup_bytes (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT);
  *output = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return result;
}

static void
assert_block (FhRunResult *result, guint index, FhBlockEnd end, const char *words, const char *out)
{
  const FhBlockRun *run = fh_run_result_get_parts (result)->blocks->pdata[index];
  g_autoptr (FhOutputLog) output =
      fh_block_run_dup_output (run, fh_run_result_get_parts (result)->output);
  g_autofree char *text = fh_output_log_dup_text (output, FH_STREAM_STDOUT);

  g_assert_cmpuint (run->number, ==, index + 1);
  g_assert_cmpuint (run->n_blocks, ==, 3);
  g_assert_cmpint (run->end, ==, end);
  g_assert_cmpstr (run->words, ==, words);
  g_assert_cmpstr (text, ==, out);
}

/* What is not kept of an output is counted all the same. */
static void
test_large (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autofree char *text = g_strnfill (3 << 20, 'x');
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  start (room, &keeping, "```py\n1\n```\n```sh\n2\n```\n", NULL);
  finish (room, 1, text, 0);
  finish (room, 2, "two\n", 0);
  entry = take (room, &keeping);
  result = load (room, entry, &output);
  g_assert_cmpuint (
      fh_block_runs_count_bytes (fh_run_result_get_parts (result)->blocks, FH_STREAM_STDOUT),
      ==,
      (3 << 20) + 4);
  clear (&keeping);
}

/* Output without an end of line does not run into the next row. */
static void
test_good (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) lines = NULL;

  start (room, &keeping, "```py\n1\n```\n```json\n2\n```\n```sh\n3\n```\n", NULL);
  finish (room, 1, "one", 0);
  finish (room, 2, "two\n", 0);
  entry = take (room, &keeping);
  g_assert_cmpstr (fh_history_entry_get_title (entry), ==, "a title");
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_OK);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 2);
  result = load (room, entry, &output);
  lines = g_strsplit (output, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 6);
  g_assert_cmpstr (lines[0], ==, "[1] Python, line 2: Finished normally.");
  g_assert_cmpstr (lines[1], ==, "one");
  g_assert_cmpstr (lines[2], ==, "[2] JSON, line 5: Code saved to block-2.json");
  g_assert_cmpstr (lines[3], ==, "[3] Shell, line 8: Finished normally.");
  g_assert_cmpstr (lines[4], ==, "two");
  g_assert_cmpuint (
      g_list_model_get_n_items (G_LIST_MODEL (fh_run_result_get_parts (result)->files)),
      ==,
      1);
  g_assert_true (
      fh_result_file_get_facts (fh_result_files_get (fh_run_result_get_parts (result)->files, 0))
          ->is_from_answer);
  g_assert_cmpuint (fh_run_result_get_parts (result)->blocks->len, ==, 3);
  assert_block (result, 0, FH_BLOCK_END_DONE, "Finished normally.", "one");
  assert_block (result, 1, FH_BLOCK_END_SAVED, "Code saved to block-2.json", "");
  assert_block (result, 2, FH_BLOCK_END_DONE, "Finished normally.", "two\n");
  g_assert_cmpstr (fh_history_entry_get_snippet (entry), ==, "3 blocks: Python, Shell");
  clear (&keeping);
}

static void
test_failed (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  start (room, &keeping, "```py\n1\n```\n```sh\n3\n```\n```sh\n4\n```\n", NULL);
  finish (room, 1, "", 0);
  finish (room, 2, "", 7);
  entry = take (room, &keeping);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 2);
  result = load (room, entry, &output);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->exit_code, ==, 7);
  g_assert_cmpuint (fh_run_result_get_parts (result)->blocks->len, ==, 3);
  assert_block (result,
                1,
                FH_BLOCK_END_FAILED,
                "Ended with exit code 7.\n1 block after it did not run.",
                "");
  assert_block (result, 2, FH_BLOCK_END_NOT_RUN, NULL, "");
  clear (&keeping);
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
try (SeriesRoom *room, guint number, guint line)
{
  series_room_await_runs (room, number);
  add_attempt (fh_run_get_attempts (fake_backend_get_run (room->backend)), line);
  finish (room, number, "", 0);
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
test_attempts (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;
  FhAttemptLog *log;

  start (room, &keeping, "Words.\n```py\n1\n2\n```\n```py\n3\n```\n```sh\n4\n```\n", NULL);
  try (room, 1, 2);
  try (room, 2, 1);
  finish (room, 3, "", 0);
  entry = take (room, &keeping);
  result = load (room, entry, &output);
  log = fh_run_result_get_parts (result)->attempts;
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 2);
  assert_attempt (log, 0, 1, 4, 1);
  assert_attempt (log, 1, 2, 7, 1);
  clear (&keeping);
}

/* What is shown while it goes on: the blocks before, and the one that runs as it is now. */
static void
test_live (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  FhAttemptLog *log;
  FhAttemptLog *of_block;

  start (room, &keeping, "```py\n1\n```\n```py\n2\n```\n", NULL);
  log = fh_series_record_get_attempts (keeping.record);
  try (room, 1, 1);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 1);
  series_room_await_runs (room, 2);
  of_block = fh_run_get_attempts (fake_backend_get_run (room->backend));
  add_attempt (of_block, 1);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 2);
  assert_attempt (log, 1, 2, 5, 1);
  fh_attempt_set_count (fh_attempt_log_get (of_block, 0), 3);
  fh_attempt_log_set_n_dropped (of_block, 4);
  fh_run_set_usage (fake_backend_get_run (room->backend), &(FhRunUsage){ .wall_us = 1 });
  assert_attempt (log, 1, 2, 5, 3);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (log), ==, 4);
  fake_backend_finish (room->backend, 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (log)), ==, 2);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (log), ==, 4);
  await_complete (&keeping);
  clear (&keeping);
}

/* (transfer full) The first entry that is there when the history has been asked for `n_parts`. */
static FhHistoryEntry *
await_entry (SeriesRoom *room, guint n_parts)
{
  for (;;)
    {
      g_autoptr (GPtrArray) entries = fh_history_list (room->history, NULL, 0, 10, NULL);
      FhHistoryEntry *entry = entries->len > 0 ? entries->pdata[0] : NULL;

      if (entry != NULL && fh_history_entry_get_n_samples (entry) == n_parts)
        return g_object_ref (entry);
      g_main_context_iteration (NULL, FALSE);
    }
}

/* The entry has the blocks that ran before the answer is at its end, as a killed process would
 * leave it. The whole replaces it later and stays pinned. */
static void
test_so_far (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) first = NULL;
  g_autoptr (FhHistoryEntry) second = NULL;
  g_autoptr (FhHistoryEntry) whole = NULL;
  g_autoptr (FhRunResult) so_far = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;
  g_autofree char *all = NULL;

  start (room, &keeping, "```py\n1\n```\n```py\n2\n```\n```py\n3\n```\n", NULL);
  finish (room, 1, "one", 0);
  first = await_entry (room, 1);
  g_assert_cmpstr (fh_history_entry_get_title (first), ==, "a title, so far");
  so_far = load (room, first, &output);
  g_assert_nonnull (strstr (output, "one\n[2] Python, line 5: The run still went on"));
  g_assert_nonnull (strstr (fh_run_result_get_parts (so_far)->sentence, "still went on"));
  g_assert_cmpuint (fh_run_result_get_parts (so_far)->blocks->len, ==, 3);
  assert_block (so_far, 0, FH_BLOCK_END_DONE, "Finished normally.", "one");
  assert_block (so_far, 1, FH_BLOCK_END_STOPPED, "The run still went on when this was saved.", "");
  assert_block (so_far, 2, FH_BLOCK_END_NOT_RUN, NULL, "");
  g_assert_true (fh_history_is_running (room->history, fh_history_entry_get_id (first)));
  fh_history_set_pinned_async (room->history,
                               fh_history_entry_get_id (first),
                               TRUE,
                               NULL,
                               NULL,
                               NULL);
  finish (room, 2, "two", 0);
  second = await_entry (room, 2);
  g_assert_cmpint (fh_history_entry_get_id (second), ==, fh_history_entry_get_id (first));
  g_assert_cmpstr (keeping.saved->str, ==, "");
  finish (room, 3, "three", 0);
  whole = take (room, &keeping);
  g_assert_cmpint (fh_history_entry_get_id (whole), ==, fh_history_entry_get_id (first));
  g_assert_true (fh_history_entry_get_pinned (whole));
  g_assert_cmpuint (fh_history_entry_get_n_samples (whole), ==, 3);
  g_assert_cmpstr (fh_history_entry_get_title (whole), ==, "a title");
  result = load (room, whole, &all);
  g_assert_true (g_str_has_suffix (all, "three\n"));
  g_assert_false (fh_history_is_running (room->history, fh_history_entry_get_id (whole)));
  g_assert_null (strstr (fh_run_result_get_parts (result)->sentence, "still went on"));
  clear (&keeping);
}

static void
count_cb (guint *n_changes)
{
  (*n_changes)++;
}

/* After the entry was removed for good there is one new entry, however often it is saved. */
static void
test_cleared (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) first = NULL;
  g_autoptr (FhHistoryEntry) whole = NULL;
  guint n_changes = 0;

  start (room, &keeping, "```py\n1\n```\n```py\n2\n```\n```py\n3\n```\n```py\n4\n```\n", NULL);
  finish (room, 1, "one", 0);
  first = await_entry (room, 1);
  fh_history_set_deleted_async (room->history,
                                fh_history_entry_get_id (first),
                                TRUE,
                                NULL,
                                NULL,
                                NULL);
  fh_history_flush (room->history);
  g_assert_true (fh_history_purge (room->history, NULL));
  finish (room, 2, "two", 0);
  g_clear_object (&first);
  first = await_entry (room, 0);
  g_signal_connect_swapped (room->history, "changed", G_CALLBACK (count_cb), &n_changes);
  finish (room, 3, "three", 0);
  while (n_changes == 0)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handlers_disconnect_by_data (room->history, &n_changes);
  finish (room, 4, "four", 0);
  whole = take (room, &keeping);
  g_assert_cmpint (fh_history_entry_get_id (whole), ==, fh_history_entry_get_id (first));
  clear (&keeping);
}

/* Whoever hears that the answer is done finds the whole. */
static void
look_cb (FhSeries *series, GParamSpec *pspec, Keeping *keeping)
{
  const gboolean is_done = fh_series_get_state (series) == FH_SERIES_DONE;

  g_assert_true ((fh_series_record_get_result (keeping->record) != NULL) == is_done);
  g_assert_true ((fh_series_record_get_request (keeping->record) != NULL) == is_done);
}

/* Nothing is kept, but there is a whole all the same. */
static void
test_not_kept (SeriesRoom *room, gconstpointer data)
{
  const char *text = "```py\n1\n```\n```py\n2\n```\n";
  g_autoptr (GPtrArray) entries = NULL;
  FhRunResult *result;
  Keeping keeping;

  series_room_new_answer (room, text, NULL);
  keep (room, &keeping, NULL, FH_RECORD_ANSWER, text);
  g_signal_connect (room->series, "notify::state", G_CALLBACK (look_cb), &keeping);
  series_room_start (room);
  try (room, 1, 1);
  finish (room, 2, "", 0);
  g_assert_true (keeping.is_complete);
  g_assert_cmpstr (keeping.saved->str, ==, "0!");
  result = fh_series_record_get_result (keeping.record);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (fh_run_result_get_parts (result)->attempts),
                    ==,
                    1);
  entries = list (room, 0);
  clear (&keeping);
}

/* Nothing has run: it is there all the same, with the reason. */
static void
test_refused (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  start (room, &keeping, "```py\n1\n```\n", "all=ask");
  fh_series_refuse (room->series, "not now");
  entry = take (room, &keeping);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_NOT_STARTED);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 0);
  result = load (room, entry, &output);
  g_assert_cmpstr (fh_run_result_get_parts (result)->sentence,
                   ==,
                   "Code execution was not approved. Reason: not now");
  g_assert_nonnull (strstr (output, "[1] Python, line 2: Code execution was not approved."));
  clear (&keeping);
}

static void
test_refused_later (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  start (room, &keeping, "```sh\n1\n```\n```py\n1\n```\n", "python=ask");
  finish (room, 1, "", 0);
  series_room_await (room, "1s1f2a");
  fh_series_refuse (room->series, "not now");
  entry = take (room, &keeping);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 1);
  result = load (room, entry, &output);
  g_assert_nonnull (strstr (fh_run_result_get_parts (result)->sentence, "Reason: not now"));
  clear (&keeping);
}

/* Between two blocks: the first has ended well. */
static void
test_stopped (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  start (room, &keeping, "```sh\n1\n```\n```py\n1\n```\n", NULL);
  finish (room, 1, "", 0);
  fh_series_stop (room->series);
  entry = take (room, &keeping);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_STOPPED);
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 1);
  result = load (room, entry, &output);
  g_assert_cmpstr (fh_run_result_get_parts (result)->sentence, ==, "Stopped by you.");
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->exit_code, ==, -1);
  clear (&keeping);
}

/* A tab that is closed in block 2 of 3: the block that was ended is there, too. Nobody but the
 * record holds the series any more. */
static void
test_closed_in_a_block (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  start (room, &keeping, "```sh\n1\n```\n```sh\n2\n```\n```sh\n3\n```\n", NULL);
  finish (room, 1, "", 0);
  series_room_await (room, "1s1f2s");
  series_room_close (room);
  g_clear_object (&room->step);
  g_clear_object (&room->series);
  entry = take (room, &keeping);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_STOPPED);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 2);
  result = load (room, entry, &output);
  g_assert_nonnull (strstr (output, "Shell, line 5: Stopped by you."));
  clear (&keeping);
}

static void
test_no_blocks (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (GPtrArray) entries = NULL;

  start (room, &keeping, "Only words.", NULL);
  g_assert_true (keeping.is_complete);
  g_assert_cmpstr (keeping.saved->str, ==, "");
  g_assert_null (fh_series_record_get_result (keeping.record));
  entries = list (room, 0);
  clear (&keeping);
}

static void
start_session (SeriesRoom *room, Keeping *keeping)
{
  series_room_new_session (room, FH_AFTER_FAILURE_GO_ON);
  keep (room, keeping, room->history, FH_RECORD_SESSION, NULL);
  series_room_start (room);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GPtrArray **) user_data = fh_history_list_finish (FH_HISTORY (source), result, NULL);
}

static void
test_session (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (GPtrArray) samples = NULL;
  g_autofree char *source = NULL;

  start_session (room, &keeping);
  series_room_execute (room, "x = 1");
  series_room_push (room, fh_cell_new_list (FALSE));
  series_room_execute (room, "# %% mine\nx + 1");
  series_room_await (room, "1s");
  series_room_succeed (room, 1);
  series_room_await (room, "1s1fs");
  series_room_succeed (room, 2);
  series_room_await (room, "1s1fsf2s");
  series_room_answer (room, "{\"success\": false, \"cell\": 3}");
  series_room_close (room);
  entry = take (room, &keeping);
  g_assert_cmpstr (fh_history_entry_get_title (entry), ==, "Session of 2 cells");
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_FAILED);
  source = fh_run_request_dup_source_text (fh_series_record_get_request (keeping.record));
  g_assert_cmpstr (source, ==, "# %% 1\nx = 1\n# %% mine\nx + 1\n");
  fh_history_list_samples_async (room->history,
                                 fh_history_entry_get_id (entry),
                                 NULL,
                                 listed_cb,
                                 &samples);
  while (samples == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (samples->len, ==, 2);
  clear (&keeping);
}

/* (transfer full) What the history has of the step that runs, whose output is "begun". */
static char *
await_so_far (SeriesRoom *room, Keeping *keeping)
{
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (FhRunResult) result = NULL;
  char *output = NULL;

  fake_backend_write (room->backend, FH_STREAM_STDOUT, "begun");
  while (fh_series_record_get_id_so_far (keeping->record) < 0)
    g_main_context_iteration (NULL, TRUE);
  entries = list (room, 1);
  result = load (room, entries->pdata[0], &output);
  g_assert_nonnull (strstr (fh_run_result_get_parts (result)->sentence, "still went on"));
  g_assert_cmpstr (keeping->saved->str, ==, "");
  return output;
}

/* A session that may have been at its end is told as one, with the output of its cells. */
static void
await_all_cells (SeriesRoom *room)
{
  for (gboolean has_ended = FALSE; !has_ended;)
    {
      g_autoptr (GPtrArray) entries = list (room, 1);
      g_autofree char *output = NULL;
      g_autoptr (FhRunResult) result = load (room, entries->pdata[0], &output);

      has_ended = fh_run_result_get_parts (result)->outcome->status == FH_RUN_STATUS_OK;
      if (has_ended)
        {
          g_assert_cmpstr (fh_run_result_get_parts (result)->sentence, ==, "Finished normally.");
          g_assert_cmpstr (output, ==, "[1] Finished normally.\nbegun\n");
        }
      g_main_context_iteration (NULL, !has_ended);
    }
}

/* The first block or cell is there while it runs, and once when it has ended. */
static void
try_first_step (SeriesRoom *room, gboolean is_session)
{
  Keeping keeping;
  g_autoptr (FhHistoryEntry) whole = NULL;
  g_autofree char *output = NULL;
  g_autofree char *all = NULL;
  g_autoptr (FhRunResult) result = NULL;

  if (is_session)
    {
      start_session (room, &keeping);
      series_room_execute (room, "1");
    }
  else
    start (room, &keeping, "```py\n1\n```\n", NULL);
  series_room_await_runs (room, 1);
  output = await_so_far (room, &keeping);
  g_assert_cmpstr (output,
                   ==,
                   is_session
                       ? "[1] The run still went on when this was saved.\nbegun\n"
                       : "[1] Python, line 2: The run still went on when this was saved.\nbegun\n");
  if (is_session)
    {
      series_room_succeed (room, 1);
      await_all_cells (room);
      series_room_close (room);
    }
  else
    finish (room, 1, " and ended", 0);
  whole = take (room, &keeping);
  result = load (room, whole, &all);
  g_assert_null (strstr (all, "still went on"));
  g_assert_nonnull (strstr (all, "begun"));
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  clear (&keeping);
}

static void
test_block_so_far (SeriesRoom *room, gconstpointer data)
{
  try_first_step (room, FALSE);
}

static void
test_cell_so_far (SeriesRoom *room, gconstpointer data)
{
  try_first_step (room, TRUE);
}

static void
test_nothing_to_record (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (GPtrArray) entries = NULL;

  start_session (room, &keeping);
  series_room_push (room, fh_cell_new_list (FALSE));
  series_room_await (room, "s");
  series_room_close (room);
  g_assert_true (keeping.is_complete);
  entries = list (room, 0);
  clear (&keeping);
}

/* An entry for each block, with its own id, and none for what was saved or dropped. */
static void
test_runs (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (GPtrArray) entries = NULL;

  series_room_new_answer (room,
                          "```py\n1\n```\n```json\n2\n```\n```sh\n3\n```\n```sh\n4\n```\n",
                          NULL);
  keep (room, &keeping, room->history, FH_RECORD_RUNS, NULL);
  series_room_start (room);
  finish (room, 1, "", 0);
  finish (room, 2, "", 1);
  await_complete (&keeping);
  g_assert_cmpstr (keeping.saved->str, ==, "13");
  entries = list (room, 2);
  g_assert_cmpint (fh_history_entry_get_status (entries->pdata[0]), ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpint (fh_history_entry_get_status (entries->pdata[1]), ==, FH_RUN_STATUS_OK);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entries->pdata[0]), ==, 0);
  clear (&keeping);
}

/* Blocks that cannot be run leave nothing there. */
static void
test_runs_refused (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (GPtrArray) entries = NULL;

  series_room_new_answer (room, "```cobol\n1\n```\n", NULL);
  keep (room, &keeping, room->history, FH_RECORD_RUNS, NULL);
  series_room_start (room);
  g_assert_true (keeping.is_complete);
  entries = list (room, 0);
  clear (&keeping);
}

/* The program that a person has not allowed to run is there, as one that was not started. */
static void
test_program_refused (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhRunRequest) request = series_room_new_request ();
  g_autoptr (GPtrArray) entries = NULL;
  FhRunResult *result;

  room->series = fh_series_new_program (room->executor, request, TRUE);
  keep (room, &keeping, room->history, FH_RECORD_RUNS, NULL);
  series_room_start (room);
  fh_series_refuse (room->series, "no");
  await_complete (&keeping);
  g_assert_cmpstr (keeping.saved->str, ==, "1");
  entries = list (room, 1);
  g_assert_cmpint (fh_history_entry_get_status (entries->pdata[0]), ==, FH_RUN_STATUS_NOT_STARTED);
  result = fh_series_record_get_result (keeping.record);
  g_assert_cmpstr (fh_run_result_get_parts (result)->outcome->step, ==, FH_RUN_STEP_APPROVAL);
  g_assert_cmpstr (fh_run_result_get_parts (result)->sentence,
                   ==,
                   "Code execution was not approved. Reason: no");
  clear (&keeping);
}

/* A program that runs for longer is there while it runs, and once when it has ended. */
static void
test_program_so_far (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhRunRequest) request = series_room_new_request ();
  g_autoptr (GPtrArray) first = NULL;
  g_autoptr (GPtrArray) last = NULL;
  g_autoptr (FhRunResult) so_far = NULL;
  g_autofree char *output = NULL;
  g_autofree char *all = NULL;
  g_autoptr (FhRunResult) result = NULL;
  /* More than is saved of a program that still runs. */
  g_autofree char *flood = g_strnfill (5 << 20, 'x');

  room->series = fh_series_new_program (room->executor, request, FALSE);
  keep (room, &keeping, room->history, FH_RECORD_RUNS, NULL);
  series_room_start (room);
  series_room_await_runs (room, 1);
  fake_backend_write (room->backend, FH_STREAM_STDOUT, "begun\n");
  fake_backend_write (room->backend, FH_STREAM_STDERR, flood);
  while (fh_series_record_get_id_so_far (keeping.record) < 0)
    g_main_context_iteration (NULL, TRUE);
  first = list (room, 1);
  so_far = load (room, first->pdata[0], &output);
  g_assert_cmpstr (output, ==, "begun\n");
  g_assert_cmpuint (
      fh_output_log_get_total (fh_run_result_get_parts (so_far)->output, FH_STREAM_STDERR),
      ==,
      strlen (flood));
  g_assert_cmpuint (
      fh_output_log_get_kept (fh_run_result_get_parts (so_far)->output, FH_STREAM_STDERR),
      <=,
      4 << 20);
  g_assert_cmpint (fh_run_result_get_parts (so_far)->outcome->status, ==, FH_RUN_STATUS_STOPPED);
  g_assert_cmpstr (fh_run_result_get_parts (so_far)->sentence,
                   ==,
                   "The run still went on when this was saved.");
  finish (room, 1, "ended\n", 0);
  await_complete (&keeping);
  last = list (room, 1);
  g_assert_cmpint (fh_history_entry_get_id (last->pdata[0]),
                   ==,
                   fh_history_entry_get_id (first->pdata[0]));
  result = load (room, last->pdata[0], &all);
  g_assert_cmpstr (all, ==, "begun\nended\n");
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  clear (&keeping);
}

/* One that ends while its entry is made is there once, too. */
static void
test_program_ends_while_reserved (SeriesRoom *room, gconstpointer data)
{
  Keeping keeping;
  g_autoptr (FhRunRequest) request = series_room_new_request ();
  g_autoptr (GPtrArray) entries = NULL;

  room->series = fh_series_new_program (room->executor, request, FALSE);
  keep (room, &keeping, room->history, FH_RECORD_RUNS, NULL);
  series_room_start (room);
  series_room_await_runs (room, 1);
  /* The first wake-up after a second is that of the record, and nothing else is done then. */
  g_usleep (1100 * 1000);
  g_main_context_iteration (NULL, TRUE);
  finish (room, 1, "", 0);
  await_complete (&keeping);
  entries = list (room, 1);
  g_assert_cmpint (fh_history_entry_get_status (entries->pdata[0]), ==, FH_RUN_STATUS_OK);
  clear (&keeping);
}

SERIES_ROOM_TESTS ({ "/series-record/large", test_large },
                   { "/series-record/good", test_good },
                   { "/series-record/failed", test_failed },
                   { "/series-record/attempts", test_attempts },
                   { "/series-record/live", test_live },
                   { "/series-record/so-far", test_so_far },
                   { "/series-record/program-so-far", test_program_so_far },
                   { "/series-record/block-so-far", test_block_so_far },
                   { "/series-record/cell-so-far", test_cell_so_far },
                   { "/series-record/program-ends-while-reserved",
                     test_program_ends_while_reserved },
                   { "/series-record/cleared", test_cleared },
                   { "/series-record/not-kept", test_not_kept },
                   { "/series-record/refused", test_refused },
                   { "/series-record/refused-later", test_refused_later },
                   { "/series-record/stopped", test_stopped },
                   { "/series-record/closed-in-a-block", test_closed_in_a_block },
                   { "/series-record/no-blocks", test_no_blocks },
                   { "/series-record/session", test_session },
                   { "/series-record/nothing-to-record", test_nothing_to_record },
                   { "/series-record/runs", test_runs },
                   { "/series-record/runs-refused", test_runs_refused },
                   { "/series-record/program-refused", test_program_refused });
