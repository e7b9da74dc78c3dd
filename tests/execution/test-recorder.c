/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recorder.h"

#include <glib/gstdio.h>

#include "fh-test.h"
#include "run-driver.h"
#include "series-room.h"

typedef struct
{
  SeriesRoom room;
  FhRecorder *recorder;
  guint n_finished;
  guint n_saved;
  GString *busy; /* "b" or "-" for each change */
  char *failure;
} Fixture;

static void
finished_cb (Fixture *fixture, FhRunRequest *request, FhRunResult *result, const char *tab_id)
{
  g_assert_true (FH_IS_RUN_REQUEST (request) && FH_IS_RUN_RESULT (result));
  g_assert_cmpstr (tab_id, ==, "tab");
  fixture->n_finished++;
}

static void
saved_cb (Fixture *fixture, FhSeries *series, FhStep *step, gint64 id, const char *problem)
{
  g_assert_true (FH_IS_SERIES (series));
  fixture->n_saved += id > 0;
}

static void
failed_cb (Fixture *fixture, const char *message)
{
  g_free (fixture->failure);
  fixture->failure = g_strdup (message);
}

static void
busy_cb (Fixture *fixture)
{
  g_string_append_c (fixture->busy, fh_recorder_get_busy (fixture->recorder) ? 'b' : '-');
}

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  series_room_set_up (&fixture->room, data);
  fixture->busy = g_string_new (NULL);
  fixture->recorder = fh_recorder_new (fixture->room.history);
  g_signal_connect_swapped (fixture->recorder, "finished", G_CALLBACK (finished_cb), fixture);
  g_signal_connect_swapped (fixture->recorder, "saved", G_CALLBACK (saved_cb), fixture);
  g_signal_connect_swapped (fixture->recorder, "failed", G_CALLBACK (failed_cb), fixture);
  g_signal_connect_swapped (fixture->recorder, "notify::busy", G_CALLBACK (busy_cb), fixture);
}

static void
await_idle (Fixture *fixture)
{
  while (fh_recorder_get_busy (fixture->recorder))
    g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  await_idle (fixture);
  g_assert_finalize_object (fixture->recorder);
  series_room_tear_down (&fixture->room, data);
  g_string_free (fixture->busy, TRUE);
  g_free (fixture->failure);
}

static FhRunRequest *
new_request (gboolean no_history)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)", 8);

  options->no_history = no_history;
  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .options = options },
                             NULL);
}

static void
start_program (Fixture *fixture, gboolean no_history)
{
  SeriesRoom *room = &fixture->room;
  g_autoptr (FhRunRequest) request = new_request (no_history);

  g_clear_object (&room->step);
  g_clear_object (&room->series);
  room->series = fh_series_new_program (room->executor, request, FALSE);
  fh_recorder_follow (fixture->recorder, room->series, FH_RECORD_RUNS, NULL, NULL, "tab");
  g_assert_false (fh_recorder_get_busy (fixture->recorder));
  series_room_start (room);
  g_assert_true (fh_recorder_get_busy (fixture->recorder));
}

static void
record (Fixture *fixture, gboolean no_history)
{
  start_program (fixture, no_history);
  fake_backend_finish (fixture->room.backend, 0);
  await_idle (fixture);
}

static guint
count_kept (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = fh_history_list (fixture->room.history, NULL, 0, 100, &error);

  g_assert_no_error (error);
  return entries->len;
}

static void
test_kept (Fixture *fixture, gconstpointer data)
{
  record (fixture, FALSE);
  g_assert_cmpuint (fixture->n_finished, ==, 1);
  g_assert_null (fixture->failure);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
  g_assert_cmpstr (fixture->busy->str, ==, "b-");
}

static void
test_not_kept (Fixture *fixture, gconstpointer data)
{
  record (fixture, TRUE);
  g_assert_cmpuint (count_kept (fixture), ==, 0);
  g_object_set (fixture->recorder, "keep-history", FALSE, NULL);
  record (fixture, FALSE);
  g_assert_cmpuint (count_kept (fixture), ==, 0);
  g_assert_cmpuint (fixture->n_finished, ==, 2);
  g_assert_cmpuint (fixture->n_saved, ==, 0);
}

static void
test_pruned (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->recorder, "history-size", 2, NULL);
  for (guint i = 0; i < 4; i++)
    record (fixture, FALSE);
  g_assert_cmpuint (count_kept (fixture), ==, 2);
  g_assert_cmpstr (fixture->busy->str, ==, "b-b-b-b-");
}

static void
start_answer (Fixture *fixture, const char *text)
{
  SeriesRoom *room = &fixture->room;

  series_room_new_answer (room, text, NULL);
  fh_recorder_follow (fixture->recorder, room->series, FH_RECORD_ANSWER, NULL, text, "tab");
  series_room_start (room);
}

/* One hold and one inhibitor for the whole answer: it does not fall between two blocks. */
static void
test_answer (Fixture *fixture, gconstpointer data)
{
  SeriesRoom *room = &fixture->room;

  start_answer (fixture, "```sh\n1\n```\n```sh\n2\n```\n");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s");
  fake_backend_finish (room->backend, 0);
  await_idle (fixture);
  g_assert_cmpstr (fixture->busy->str, ==, "b-");
  g_assert_cmpuint (fixture->n_finished, ==, 1);
  g_assert_cmpuint (fixture->n_saved, ==, 1);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
}

/* A session that waits for its next cell loses nothing, and people are not told that it has ended.
 */
static void
test_session (Fixture *fixture, gconstpointer data)
{
  SeriesRoom *room = &fixture->room;

  series_room_new_session (room, FH_AFTER_FAILURE_DROP);
  fh_recorder_follow (fixture->recorder, room->series, FH_RECORD_SESSION, NULL, NULL, "tab");
  series_room_start (room);
  series_room_execute (room, "1");
  series_room_execute (room, "2");
  series_room_await (room, "1s");
  series_room_succeed (room, 1);
  series_room_await (room, "1s1f2s");
  series_room_succeed (room, 2);
  g_assert_cmpstr (fixture->busy->str, ==, "b-");
  series_room_close (room);
  g_assert_cmpstr (fixture->busy->str, ==, "b-b");
  await_idle (fixture);
  g_assert_cmpuint (fixture->n_finished, ==, 0);
  g_assert_cmpuint (fixture->n_saved, ==, 1);
}

/* Whoever has started the series may be gone long before its end; so may the recorder's owner. */
static void
test_outlives_owner (Fixture *fixture, gconstpointer data)
{
  FhRecorder *recorder = fixture->recorder;

  start_program (fixture, FALSE);
  fh_series_close (fixture->room.series);
  g_clear_object (&fixture->room.step);
  g_clear_object (&fixture->room.series);
  g_object_unref (recorder);
  g_assert_true (fh_recorder_get_busy (recorder));
  g_object_ref (recorder);
  await_idle (fixture);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
  g_assert_cmpuint (fixture->n_finished, ==, 1);
}

/* A folder in the place of the database. */
static void
test_failure (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->room.folder, "history.db", NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  record (fixture, FALSE);
  g_assert_nonnull (fixture->failure);
  g_assert_cmpuint (fixture->n_finished, ==, 1);
}

static void
test_answer_fails (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->room.folder, "history.db", NULL);
  const char *text = "```sh\n1\n```\n";

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  start_answer (fixture, text);
  fake_backend_finish (fixture->room.backend, 0);
  await_idle (fixture);
  g_assert_nonnull (fixture->failure);
}

/* Damage that is found while the history is opened in the background is reported once. */
static void
test_notice (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->room.folder, "history.db", NULL);
  g_autofree char *bytes = g_strnfill (8192, 'x');
  guint n_notices = 0;

  g_assert_true (g_file_set_contents (path, bytes, -1, NULL));
  g_signal_connect_swapped (fixture->recorder, "notice", G_CALLBACK (count_cb), &n_notices);
  fh_recorder_open (fixture->recorder);
  g_assert_true (fh_recorder_get_busy (fixture->recorder));
  await_idle (fixture);
  record (fixture, FALSE);
  g_assert_cmpuint (n_notices, ==, 1);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/recorder/kept", test_kept },
                  { "/recorder/not-kept", test_not_kept },
                  { "/recorder/pruned", test_pruned },
                  { "/recorder/answer", test_answer },
                  { "/recorder/session", test_session },
                  { "/recorder/outlives-owner", test_outlives_owner },
                  { "/recorder/failure", test_failure },
                  { "/recorder/answer-fails", test_answer_fails },
                  { "/recorder/notice", test_notice });
