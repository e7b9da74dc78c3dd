/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch.h"

#include "container-room.h"
#include "fake-backend.h"
#include "fh-test.h"
#include "run-driver.h"

typedef struct
{
  FakeBackend *backend;
  FhBatch *batch;
  guint n_samples; /* that are left */
  guint n_taken;
  gboolean fails; /* to read one more */
  guint n_results;
  guint runs; /* of the sample of the last result */
  guint passes;
  int exit_code;
  guint n_not_run;
  guint n_done;
} Room;

static FhBatchSample *
next_cb (gpointer user_data, GError **error)
{
  Room *room = user_data;
  FhBatchSample *sample;

  if (room->n_samples == 0)
    {
      if (room->fails)
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "unreadable");
      return NULL;
    }
  room->n_samples--;
  sample = g_new0 (FhBatchSample, 1);
  sample->id = g_strdup_printf ("%u", ++room->n_taken);
  sample->request = container_room_request (&(FhRunRequestInit){ 0 });
  return sample;
}

static void
result_cb (Room *room,
           const FhBatchSample *sample,
           FhRunResult *result,
           FhRun *run,
           FhSandbox *sandbox)
{
  g_assert_true (fh_run_get_result (run) == result);
  g_assert_true (fh_run_get_request (run) == sample->request);
  g_assert_true (FH_IS_SANDBOX (sandbox));
  room->runs = sample->runs;
  room->passes = sample->passes;
  room->exit_code = fh_run_result_get_parts (result)->outcome->exit_code;
  room->n_results++;
}

static void
not_run_cb (Room *room)
{
  room->n_not_run++;
}

static void
done_cb (Room *room)
{
  g_assert_true (fh_batch_is_done (room->batch));
  room->n_done++;
}

static void
room_start (Room *room, guint jobs)
{
  g_autoptr (FhProbes) probes = NULL;

  room->backend = fake_backend_new ();
  probes = fh_probes_new (FH_BACKEND (room->backend));
  room->batch = fh_batch_new (probes, jobs, next_cb, room);
  g_signal_connect_swapped (room->batch, "result", G_CALLBACK (result_cb), room);
  g_signal_connect_swapped (room->batch, "not-run", G_CALLBACK (not_run_cb), room);
  g_signal_connect_swapped (room->batch, "done", G_CALLBACK (done_cb), room);
  fh_batch_start (room->batch);
}

static void
turn_until (const guint *count, guint value)
{
  while (*count < value)
    g_main_context_iteration (NULL, TRUE);
}

static void
turn_all (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
room_clear (Room *room)
{
  turn_all ();
  g_assert_cmpuint (room->n_done, ==, 1);
  g_assert_finalize_object (room->batch);
  g_object_unref (room->backend);
}

/* No sample is taken before there is room for it. */
static void
test_order (void)
{
  Room room = { .n_samples = 5 };

  room_start (&room, 2);
  turn_until (&room.n_taken, 2);
  turn_all ();
  g_assert_cmpuint (room.n_taken, ==, 2);
  for (guint i = 1; i <= 4; i++)
    {
      fake_backend_finish (room.backend, i % 2 ? 0 : 3);
      turn_until (&room.n_results, i);
      turn_all ();
      g_assert_cmpuint (room.n_taken, ==, MIN (2 + i, 5));
    }
  g_assert_cmpuint (room.n_done, ==, 0);
  fh_batch_stop (room.batch);
  fh_batch_stop (room.batch);
  turn_until (&room.n_done, 1);
  g_assert_cmpuint (room.n_results, ==, 4);
  g_assert_null (fh_batch_get_error (room.batch));
  room_clear (&room);
}

/* One sandbox for all samples of a job, until the end. */
static void
test_warm (void)
{
  const char *const modules[] = { "json", NULL };
  g_autoptr (FhRunRequest) like = container_room_request (&(FhRunRequestInit){ 0 });
  Room room = { .n_samples = 5 };

  room_start (&room, 1);
  fh_batch_keep_warm (room.batch, like, modules);
  for (guint i = 1; i <= 5; i++)
    {
      turn_until (&room.n_taken, i);
      turn_all ();
      g_assert_cmpuint (fake_backend_get_n_warm (room.backend), ==, 1);
      fake_backend_finish (room.backend, 0);
    }
  turn_until (&room.n_done, 1);
  g_assert_cmpuint (room.n_results, ==, 5);
  g_assert_null (fake_backend_get_warm (room.backend));
  room_clear (&room);
}

/* Each sample has one result: that of the first run that failed, else of the last one. */
static void
test_again (void)
{
  static const int codes[2][3] = { { 0, 3, 4 }, { 0, 0, 0 } };
  Room room = { .n_samples = 2 };

  room_start (&room, 1);
  fh_batch_set_times (room.batch, 3);
  for (guint sample = 0; sample < 2; sample++)
    {
      for (guint i = 0; i < 3; i++)
        {
          const guint n = 3 * sample + i + 1;

          while (fake_backend_get_n_runs (room.backend) < n)
            g_main_context_iteration (NULL, TRUE);
          g_assert_cmpuint (room.n_results, ==, sample);
          fake_backend_finish (room.backend, codes[sample][i]);
        }
      turn_until (&room.n_results, sample + 1);
      g_assert_cmpuint (room.runs, ==, 3);
      g_assert_cmpuint (room.passes, ==, sample == 0 ? 1 : 3);
      g_assert_cmpint (room.exit_code, ==, sample == 0 ? 3 : 0);
    }
  turn_until (&room.n_done, 1);
  g_assert_cmpuint (room.n_taken, ==, 2);
  room_clear (&room);
}

/* A sample that was not run as often as it should has no result. */
static void
test_again_stopped (void)
{
  Room room = { .n_samples = 1 };

  room_start (&room, 1);
  fh_batch_set_times (room.batch, 2);
  turn_until (&room.n_taken, 1);
  fake_backend_finish (room.backend, 0);
  while (fake_backend_get_n_runs (room.backend) < 2)
    g_main_context_iteration (NULL, TRUE);
  fh_batch_stop (room.batch);
  fh_batch_stop (room.batch);
  turn_until (&room.n_done, 1);
  g_assert_cmpuint (room.n_results + room.n_not_run, ==, 0);
  room_clear (&room);
}

static void
test_stop (void)
{
  Room room = { .n_samples = 100 };

  room_start (&room, 3);
  turn_until (&room.n_taken, 3);
  fh_batch_stop (room.batch);
  turn_all ();
  g_assert_cmpuint (fake_backend_get_n_stops (room.backend), ==, 3);
  g_assert_cmpuint (room.n_done, ==, 0);
  fh_batch_stop (room.batch);
  turn_until (&room.n_done, 1);
  g_assert_cmpuint (room.n_taken, ==, 3);
  g_assert_cmpuint (room.n_results + room.n_not_run, ==, 0);
  room_clear (&room);
}

static void
test_empty (void)
{
  Room room = { .fails = TRUE };

  room_start (&room, 4);
  turn_until (&room.n_done, 1);
  g_assert_cmpstr (fh_batch_get_error (room.batch)->message, ==, "unreadable");
  room_clear (&room);
}

static void
fail_guard (Room *room)
{
  const FhRunOutcome outcome = { .status = FH_RUN_STATUS_GUARD_FAILED,
                                 .exit_code = -1,
                                 .signal = -1,
                                 .step = "landlock",
                                 .error = EINVAL };

  fh_run_finish (fake_backend_get_run (room->backend), &outcome);
}

static void
fail_guards_until (Room *room, const guint *count, guint value)
{
  while (*count < value)
    {
      if (fh_run_get_state (fake_backend_get_run (room->backend)) != FH_RUN_FINISHED)
        fail_guard (room);
      g_main_context_iteration (NULL, TRUE);
    }
}

/* One failure of ours says nothing about the others; many in succession end the batch. */
static void
test_not_run (void)
{
  Room room = { .n_samples = 1000 };

  room_start (&room, 1);
  turn_until (&room.n_taken, 1);
  fail_guards_until (&room, &room.n_taken, 2);
  fake_backend_finish (room.backend, 0);
  turn_until (&room.n_taken, 3);
  g_assert_cmpuint (room.n_not_run, ==, 1);
  g_assert_cmpuint (room.n_results, ==, 1);
  fail_guards_until (&room, &room.n_done, 1);
  g_assert_cmpuint (room.n_not_run, ==, 17);
  g_assert_nonnull (fh_batch_get_error (room.batch));
  room_clear (&room);
}

/* A shortage passes: the same sample runs again. */
static void
test_shortage (void)
{
  const FhRunOutcome shortage = {
    .status = FH_RUN_STATUS_GUARD_FAILED,
    .exit_code = -1,
    .signal = -1,
    .step = "clone",
    .error = EAGAIN,
  };
  Room room = { .n_samples = 1 };

  g_assert_true (fh_run_outcome_is_shortage (&shortage));
  room_start (&room, 1);
  turn_until (&room.n_taken, 1);
  fh_run_finish (fake_backend_get_run (room.backend), &shortage);
  while (fake_backend_get_n_runs (room.backend) < 2)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (room.n_not_run, ==, 0);
  fake_backend_finish (room.backend, 0);
  turn_until (&room.n_done, 1);
  g_assert_cmpuint (room.n_results, ==, 1);
  room_clear (&room);
}

FH_TESTS ({ "/batch/order", test_order },
          { "/batch/warm", test_warm },
          { "/batch/again", test_again },
          { "/batch/again-stopped", test_again_stopped },
          { "/batch/stop", test_stop },
          { "/batch/empty", test_empty },
          { "/batch/not-run", test_not_run },
          { "/batch/shortage", test_shortage });
