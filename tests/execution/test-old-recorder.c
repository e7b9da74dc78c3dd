/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "old-recorder.h"

#include <glib/gstdio.h>

#include "fake-backend.h"
#include "fh-test.h"
#include "run-driver.h"

typedef struct
{
  char *folder;
  FhHistory *history;
  FhOldRecorder *recorder;
  guint finished;
  char *failure;
} Fixture;

static void
finished_cb (Fixture *fixture, FhRun *run, const char *page_id)
{
  g_assert_nonnull (fh_run_get_result (run));
  g_assert_cmpstr (page_id, ==, "page");
  fixture->finished++;
}

static void
failed_cb (Fixture *fixture, const char *message)
{
  g_free (fixture->failure);
  fixture->failure = g_strdup (message);
}

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  fixture->folder = fake_folder_new ();
  path = g_build_filename (fixture->folder, "history.db", NULL);
  fixture->history = fh_history_new (path);
  fixture->recorder = fh_old_recorder_new (fixture->history);
  g_signal_connect_swapped (fixture->recorder, "run-finished", G_CALLBACK (finished_cb), fixture);
  g_signal_connect_swapped (fixture->recorder, "failed", G_CALLBACK (failed_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->recorder);
  g_object_unref (fixture->history);
  g_free (fixture->failure);
  fake_folder_free (fixture->folder);
}

static FhRun *
new_run (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)", 8);
  FhRunRequestInit init = {
    .language = fh_language_lookup ("python"),
    .source = source,
    .limits = FH_RUN_LIMITS_DEFAULT,
  };
  g_autoptr (FhRunRequest) request = fh_run_request_new (&init, NULL);

  return fh_run_new (request, "fake");
}

static void
finish (FhRun *run)
{
  FhRunOutcome outcome = { .status = FH_RUN_STATUS_OK, .exit_code = 0, .signal = -1 };

  fh_run_finish (run, &outcome);
}

static void
record (Fixture *fixture, gboolean keep)
{
  g_autoptr (FhRun) run = new_run ();

  fh_old_recorder_watch (fixture->recorder, run, "page", keep);
  g_assert_true (fh_old_recorder_get_busy (fixture->recorder));
  finish (run);
  while (fh_old_recorder_get_busy (fixture->recorder))
    g_main_context_iteration (NULL, TRUE);
}

static guint
count_kept (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = fh_history_list (fixture->history, NULL, 0, 100, &error);

  g_assert_no_error (error);
  return entries->len;
}

static void
test_kept (Fixture *fixture, gconstpointer data)
{
  record (fixture, TRUE);
  g_assert_cmpuint (fixture->finished, ==, 1);
  g_assert_null (fixture->failure);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
}

static void
test_not_kept (Fixture *fixture, gconstpointer data)
{
  record (fixture, FALSE);
  g_assert_cmpuint (count_kept (fixture), ==, 0);
  g_object_set (fixture->recorder, "keep-history", FALSE, NULL);
  record (fixture, TRUE);
  g_assert_cmpuint (count_kept (fixture), ==, 0);
  g_assert_cmpuint (fixture->finished, ==, 2);
}

static void
test_pruned (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->recorder, "history-size", 2, NULL);
  for (guint i = 0; i < 4; i++)
    record (fixture, TRUE);
  g_assert_cmpuint (count_kept (fixture), ==, 2);
}

static void
save (Fixture *fixture)
{
  g_autoptr (FhRun) run = new_run ();

  finish (run);
  fh_old_recorder_open (fixture->recorder);
  fh_old_recorder_save (fixture->recorder, run);
  g_assert_false (fh_old_recorder_get_busy (fixture->recorder));
}

static void
test_saved_at_once (Fixture *fixture, gconstpointer data)
{
  save (fixture);
  g_assert_null (fixture->failure);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
}

static void
test_saving_fails (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "history.db", NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  save (fixture);
  g_assert_nonnull (fixture->failure);
}

/* A run that ends before its listeners connect is kept all the same. */
static void
test_already_finished (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRun) run = new_run ();

  finish (run);
  fh_old_recorder_watch (fixture->recorder, run, "page", TRUE);
  while (fh_old_recorder_get_busy (fixture->recorder))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
}

/* The owner of a run may be gone long before its end. */
static void
test_outlives_owner (Fixture *fixture, gconstpointer data)
{
  FhRun *run = new_run ();

  fh_old_recorder_watch (fixture->recorder, run, "page", TRUE);
  g_object_add_weak_pointer (G_OBJECT (run), (gpointer *) &run);
  g_object_unref (run);
  g_assert_nonnull (run);
  finish (run);
  g_assert_null (run);
  while (fh_old_recorder_get_busy (fixture->recorder))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
}

static void
test_failure (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "history.db", NULL);

  /* A folder in the place of the database. */
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  record (fixture, TRUE);
  g_assert_nonnull (fixture->failure);
  g_assert_cmpuint (fixture->finished, ==, 1);
}

/* Damage that is found while the history is opened in the background is reported once. */
static void
test_notice (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "history.db", NULL);
  g_autofree char *bytes = g_strnfill (8192, 'x');
  guint n_notices = 0;

  g_assert_true (g_file_set_contents (path, bytes, -1, NULL));
  g_signal_connect_swapped (fixture->recorder, "notice", G_CALLBACK (count_cb), &n_notices);
  fh_old_recorder_open (fixture->recorder);
  record (fixture, TRUE);
  g_assert_cmpuint (n_notices, ==, 1);
  g_assert_cmpuint (count_kept (fixture), ==, 1);
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/session/recorder/kept", test_kept },
                  { "/session/recorder/not-kept", test_not_kept },
                  { "/session/recorder/pruned", test_pruned },
                  { "/session/recorder/saved-at-once", test_saved_at_once },
                  { "/session/recorder/saving-fails", test_saving_fails },
                  { "/session/recorder/already-finished", test_already_finished },
                  { "/session/recorder/outlives-owner", test_outlives_owner },
                  { "/session/recorder/failure", test_failure },
                  { "/session/recorder/notice", test_notice });
