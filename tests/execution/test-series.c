/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue of a series: what its state says, who is asked, and what stops what. */
#include <string.h>

#include "run-driver.h"
#include "series-room.h"

static const char three[] = "```py\n1\n```\n```sh\n2\n```\n```python\n3\n```\n";
static const char *const ask_python[] = { "python=ask", NULL };
static const char *const ask_all[] = { "all=ask", NULL };

static void
start_program (SeriesRoom *room, gboolean asks)
{
  g_autoptr (FhRunRequest) request = series_room_new_request ();

  room->series = fh_series_new_program (room->executor, request, asks);
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_READY);
  series_room_start (room);
}

/* What is painted next shows that it runs, and what is run next that it has ended. */
static void
test_program (SeriesRoom *room, gconstpointer data)
{
  start_program (room, FALSE);
  g_assert_cmpuint (fh_step_get_state (fh_series_get_step (room->series)), ==, FH_STEP_RUNNING);
  g_assert_cmpstr (room->told->str, ==, "1s");
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_RUNNING);
  fake_backend_finish (room->backend, 7);
  g_assert_cmpstr (room->told->str, ==, "1s1f.");
  g_assert_cmpstr (room->states->str, ==, "RD");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 7);
  g_assert_cmpint (fh_series_get_outcome (room->series).exit_code, ==, 7);
  g_assert_true (fh_step_has_failed (room->step));
}

static void
test_program_asks (SeriesRoom *room, gconstpointer data)
{
  start_program (room, TRUE);
  g_assert_cmpstr (room->told->str, ==, "1a");
  g_assert_cmpstr (room->states->str, ==, "RA");
  fh_series_approve (room->series, FALSE);
  series_room_await (room, "1a1o1s");
  fake_backend_finish (room->backend, 0);
  g_assert_cmpstr (room->told->str, ==, "1a1o1s1f.");
  g_assert_cmpstr (room->states->str, ==, "RARD");
}

static void
test_program_refused (SeriesRoom *room, gconstpointer data)
{
  start_program (room, TRUE);
  fh_series_refuse (room->series, "not now");
  g_assert_cmpstr (room->told->str, ==, "1a1x.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 1);
  g_assert_cmpstr (fh_series_get_outcome (room->series).step, ==, FH_RUN_STEP_APPROVAL);
  g_assert_nonnull (fh_step_get_request (room->step));
}

static void
test_failure_ends (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, three, NULL);
  series_room_start (room);
  g_assert_cmpuint (fh_series_get_n_waiting (room->series), ==, 2);
  fake_backend_finish (room->backend, 7);
  g_assert_cmpstr (room->told->str, ==, "1s1f2-3-.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 7);
  g_assert_cmpuint (fh_series_get_outcome (room->series).block, ==, 1);
  g_assert_cmpuint (fh_series_get_outcome (room->series).blocks_left, ==, 2);
}

static void
test_stopped (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, three, NULL);
  series_room_start (room);
  fh_series_stop (room->series);
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 1);
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_STOPPING);
  /* A program may end well although it was asked to stop. */
  fake_backend_finish (room->backend, 0);
  g_assert_cmpstr (room->told->str, ==, "1s2-3-1f.");
  g_assert_cmpstr (room->states->str, ==, "RSD");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, FH_SERIES_STOPPED);
  g_assert_cmpint (fh_series_get_outcome (room->series).status, ==, FH_RUN_STATUS_STOPPED);
  g_assert_cmpuint (fh_series_get_outcome (room->series).block, ==, 0);
  /* Idempotent. */
  fh_series_stop (room->series);
  g_assert_cmpstr (room->told->str, ==, "1s2-3-1f.");
}

static void
test_stopped_by_force (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, three, NULL);
  series_room_start (room);
  fh_series_stop (room->series);
  fh_series_stop (room->series);
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 2);
  g_assert_cmpstr (room->told->str, ==, "1s2-3-1f.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, FH_SERIES_STOPPED);
}

/* Between two blocks nothing runs, but it is not over. */
static void
test_stopped_between (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, three, NULL);
  series_room_start (room);
  fake_backend_finish (room->backend, 0);
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_RUNNING);
  fh_series_stop (room->series);
  g_assert_cmpstr (room->told->str, ==, "1s1f2-3-.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, FH_SERIES_STOPPED);
}

static void
test_stopped_before (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, three, NULL);
  fh_series_stop (room->series);
  series_room_start (room);
  g_assert_cmpstr (room->told->str, ==, ".");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, FH_SERIES_STOPPED);
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 0);
}

static void
start_asking (SeriesRoom *room, const char *const *policies)
{
  series_room_new_answer (room, three, policies);
  series_room_start (room);
  g_assert_cmpstr (room->told->str, ==, "1a");
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 0);
}

/* Each block of the language is asked about, and others are not. */
static void
test_ask_once (SeriesRoom *room, gconstpointer data)
{
  start_asking (room, ask_python);
  fh_series_approve (room->series, FALSE);
  series_room_await (room, "1a1o1s");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1a1o1s1f2s");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1a1o1s1f2s2f3a");
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 2);
  fh_series_refuse (room->series, " not that \n");
  g_assert_cmpstr (room->told->str, ==, "1a1o1s1f2s2f3a3x.");
  g_assert_cmpstr (fh_step_get_note (room->step),
                   ==,
                   "Code execution was not approved. Reason: not that");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 1);
  g_assert_cmpint (fh_series_get_outcome (room->series).status, ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpstr (fh_series_get_outcome (room->series).message,
                   ==,
                   "Code execution was not approved. Reason: not that");
  g_assert_cmpuint (fh_series_get_outcome (room->series).block, ==, 3);
  /* Too late. */
  fh_series_approve (room->series, TRUE);
  series_room_turn ();
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 2);
}

static void
test_ask_always (SeriesRoom *room, gconstpointer data)
{
  start_asking (room, ask_all);
  fh_series_approve (room->series, TRUE);
  series_room_await (room, "1a1o1s");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1a1o1s1f2a");
  fh_series_approve (room->series, FALSE);
  series_room_await (room, "1a1o1s1f2a2o2s");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1a1o1s1f2a2o2s2f3s");
  fake_backend_finish (room->backend, 0);
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 0);
  g_assert_cmpstr (room->states->str, ==, "RARARD");
}

static void
test_ask_stopped (SeriesRoom *room, gconstpointer data)
{
  start_asking (room, ask_all);
  fh_series_stop (room->series);
  g_assert_cmpstr (room->told->str, ==, "1a1x2-3-.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, FH_SERIES_STOPPED);
}

static void
test_ask_closed (SeriesRoom *room, gconstpointer data)
{
  start_asking (room, ask_all);
  fh_series_close (room->series);
  g_assert_cmpstr (room->told->str, ==, "1a1x2-3-.");
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 0);
}

/* It was approved, and stopped before it could start. */
static void
test_ask_stopped_after (SeriesRoom *room, gconstpointer data)
{
  start_asking (room, ask_all);
  fh_series_approve (room->series, FALSE);
  fh_series_stop (room->series);
  g_assert_cmpstr (room->told->str, ==, "1a1o1-2-3-.");
  series_room_turn ();
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 0);
}

static void
test_ask_unheard (SeriesRoom *room, gconstpointer data)
{
  room->is_deaf = TRUE;
  series_room_new_answer (room, three, ask_all);
  series_room_start (room);
  g_assert_cmpstr (room->told->str, ==, "1a1x2-3-.");
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 0);
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 1);
}

static void
start_session (SeriesRoom *room, FhAfterFailure after)
{
  series_room_new_session (room, after);
  series_room_start (room);
}

static void
fail (SeriesRoom *room)
{
  series_room_answer (room, "{\"success\": false, \"cell\": 2}");
}

static void
test_failure_drops (SeriesRoom *room, gconstpointer data)
{
  start_session (room, FH_AFTER_FAILURE_DROP);
  for (guint i = 0; i < 3; i++)
    series_room_execute (room, "1");
  series_room_push (room, fh_cell_new_list (FALSE));
  series_room_await (room, "1s");
  fail (room);
  g_assert_cmpstr (room->told->str, ==, "1s1f--");
  g_assert_cmpstr (room->states->str, ==, "RY");
  series_room_await (room, "1s1f--s");
  /* That variables cannot be listed drops nothing. */
  series_room_execute (room, "1");
  fail (room);
  series_room_await (room, "1s1f--sf2s");
}

static void
test_failure_goes_on (SeriesRoom *room, gconstpointer data)
{
  start_session (room, FH_AFTER_FAILURE_GO_ON);
  series_room_execute (room, "1");
  series_room_execute (room, "2");
  series_room_await (room, "1s");
  fail (room);
  series_room_await (room, "1s1f2s");
  series_room_succeed (room, 3);
  g_assert_cmpstr (room->states->str, ==, "RY");
}

/* Lists the variables after each cell that is shown. */
static void
list_cb (FhSeries *series, FhStep *step)
{
  g_autoptr (FhCell) list = fh_cell_new_list (FALSE);

  if (fh_step_get_state (step) == FH_STEP_FINISHED && !fh_step_is_silent (step))
    g_assert_nonnull (fh_series_push (series, list, TRUE, NULL));
}

/* Five cells with the variables in sight: they are listed after each, before the next one, and
 * nothing says meanwhile that the session has ended. */
static void
test_listed_between (SeriesRoom *room, gconstpointer data)
{
  start_session (room, FH_AFTER_FAILURE_DROP);
  g_signal_connect (room->series, "step-changed", G_CALLBACK (list_cb), NULL);
  for (guint i = 0; i < 5; i++)
    series_room_execute (room, "1");
  for (guint i = 1; i <= 10; i++)
    {
      series_room_await_runs (room, i);
      g_assert_cmpuint (fh_series_get_n_waiting (room->series), ==, 4 - (i - 1) / 2);
      series_room_succeed (room, i);
    }
  g_assert_cmpstr (room->told->str, ==, "1s1fsf2s2fsf3s3fsf4s4fsf5s5fsf");
  g_assert_cmpstr (room->states->str, ==, "RY");
}

/* Stop is for what people see: what is listed is listed. */
static void
test_silent_survives (SeriesRoom *room, gconstpointer data)
{
  start_session (room, FH_AFTER_FAILURE_DROP);
  series_room_push (room, fh_cell_new_list (FALSE));
  series_room_push (room, fh_cell_new_list (FALSE));
  series_room_execute (room, "1");
  series_room_await (room, "s");
  fh_series_stop (room->series);
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 0);
  g_assert_cmpstr (room->told->str, ==, "s-");
  g_assert_cmpstr (room->states->str, ==, "RY");
  series_room_succeed (room, 1);
  series_room_await (room, "s-fs");
  /* The command line can end it all the same. */
  g_assert_true (fh_series_interrupt (room->series, NULL));
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 1);
}

/* A cell that is pushed while another one is being stopped runs. */
static void
test_pushed_while_stopping (SeriesRoom *room, gconstpointer data)
{
  start_session (room, FH_AFTER_FAILURE_DROP);
  series_room_execute (room, "1");
  series_room_execute (room, "2");
  series_room_await (room, "1s");
  fh_series_stop (room->series);
  series_room_execute (room, "3");
  g_assert_cmpuint (fh_series_get_n_waiting (room->series), ==, 1);
  series_room_succeed (room, 1);
  series_room_await (room, "1s-1f2s");
  g_assert_cmpstr (room->states->str, ==, "RSR");
}

static void
test_interrupted (SeriesRoom *room, gconstpointer data)
{
  FhStep *second, *third;

  start_session (room, FH_AFTER_FAILURE_GO_ON);
  series_room_execute (room, "1");
  series_room_await (room, "1s");
  second = series_room_execute (room, "2");
  g_assert_true (fh_series_interrupt (room->series, second));
  g_assert_cmpstr (room->told->str, ==, "1s-");
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 0);
  third = series_room_execute (room, "3");
  g_assert_true (fh_series_interrupt (room->series, fh_series_get_step (room->series)));
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 1);
  series_room_answer (room, NULL);
  series_room_await (room, "1s-1f2s");
  g_assert_true (room->step == third);
  g_assert_cmpstr (room->states->str, ==, "R");
  g_assert_true (fh_series_interrupt (room->series, third));
  g_assert_true (fh_series_interrupt (room->series, third));
  series_room_await (room, "1s-1f2s2f");
  g_assert_false (fh_series_interrupt (room->series, third));
}

static void
test_closed (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhCell) cell = fh_cell_new_execute ("1", NULL);
  g_autoptr (GError) error = NULL;

  start_session (room, FH_AFTER_FAILURE_GO_ON);
  series_room_execute (room, "1");
  series_room_execute (room, "2");
  series_room_push (room, fh_cell_new_list (FALSE));
  series_room_await (room, "1s");
  fh_series_close (room->series);
  g_assert_cmpstr (room->told->str, ==, "1s1f--.");
  g_assert_cmpstr (room->states->str, ==, "RD");
  g_assert_cmpint (fh_run_result_get_parts (
                       fh_run_get_result (fh_step_get_run (fh_series_get_step (room->series))))
                       ->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
  g_assert_null (fh_series_push (room->series, cell, FALSE, &error));
  g_assert_nonnull (error);
  fh_series_close (room->series);
  series_room_turn ();
  g_assert_cmpstr (room->told->str, ==, "1s1f--.");
}

static void
test_closed_in_a_block (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, three, NULL);
  series_room_start (room);
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s");
  fh_series_close (room->series);
  g_assert_cmpstr (room->told->str, ==, "1s1f2s2f3-.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, FH_SERIES_STOPPED);
}

static void
test_closed_before (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = series_room_new_request ();

  room->series = fh_series_new_program (room->executor, request, FALSE);
  fh_series_close (room->series);
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_DONE);
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 0);
}

static void
finish_late (FhRun *run)
{
  const FhRunOutcome outcome = { .status = FH_RUN_STATUS_STOPPED, .exit_code = -1, .signal = -1 };

  fh_run_finish (run, &outcome);
}

/* A container takes its time: the series waits for the end of its run, and is told it. */
static void
test_closed_slowly (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhSandbox) sandbox = NULL;

  start_program (room, FALSE);
  g_set_object (&sandbox, fh_executor_get_sandbox (room->executor));
  fh_series_close (room->series);
  g_assert_cmpstr (room->told->str, ==, "1s");
  g_assert_cmpuint (fh_series_get_state (room->series), !=, FH_SERIES_DONE);
  finish_late (fh_step_get_run (room->step));
  g_assert_cmpstr (room->told->str, ==, "1s1f.");
}

/* Whoever runs something else with the executor has ended the series' run, and keeps its own. */
static void
test_replaced (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = series_room_new_request ();
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRun) run = NULL;

  start_program (room, FALSE);
  g_set_object (&sandbox, fh_executor_get_sandbox (room->executor));
  run = fh_executor_run (room->executor, request);
  fh_series_close (room->series);
  g_assert_null (fh_run_get_result (run));
  finish_late (fh_step_get_run (room->step));
  g_assert_cmpstr (room->told->str, ==, "1s1f.");
  g_assert_null (fh_run_get_result (run));
}

SERIES_ROOM_TESTS ({ "/series/program", test_program },
                   { "/series/program-asks", test_program_asks },
                   { "/series/program-refused", test_program_refused },
                   { "/series/failure-ends", test_failure_ends },
                   { "/series/failure-drops", test_failure_drops },
                   { "/series/failure-goes-on", test_failure_goes_on },
                   { "/series/stopped", test_stopped },
                   { "/series/stopped-by-force", test_stopped_by_force },
                   { "/series/stopped-between", test_stopped_between },
                   { "/series/stopped-before", test_stopped_before },
                   { "/series/ask-once", test_ask_once },
                   { "/series/ask-always", test_ask_always },
                   { "/series/ask-stopped", test_ask_stopped },
                   { "/series/ask-closed", test_ask_closed },
                   { "/series/ask-stopped-after", test_ask_stopped_after },
                   { "/series/ask-unheard", test_ask_unheard },
                   { "/series/listed-between", test_listed_between },
                   { "/series/silent-survives", test_silent_survives },
                   { "/series/pushed-while-stopping", test_pushed_while_stopping },
                   { "/series/interrupted", test_interrupted },
                   { "/series/closed", test_closed },
                   { "/series/closed-in-a-block", test_closed_in_a_block },
                   { "/series/closed-before", test_closed_before },
                   { "/series/closed-slowly", test_closed_slowly },
                   { "/series/replaced", test_replaced });
