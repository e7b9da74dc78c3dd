/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "series-room.h"

#include <string.h>

#include "run-driver.h"

void
series_room_set_up (SeriesRoom *room, gconstpointer data)
{
  g_autofree char *path = NULL;

  room->backend = fake_backend_new ();
  room->probes = fh_probes_new (FH_BACKEND (room->backend));
  room->executor = fh_executor_new (room->probes);
  room->options = fh_run_options_new ();
  room->told = g_string_new (NULL);
  room->states = g_string_new (NULL);
  room->folder = fake_folder_new ();
  path = g_build_filename (room->folder, "history.db", NULL);
  room->history = fh_history_new (path);
}

void
series_room_tear_down (SeriesRoom *room, gconstpointer data)
{
  /* Without it an interpreter that is idle cannot be asked to end. */
  fh_executor_close (room->executor);
  if (room->series != NULL)
    fh_series_close (room->series);
  /* What is being written needs the folder. */
  do
    fh_history_flush (room->history);
  while (g_main_context_iteration (NULL, FALSE));
  g_clear_object (&room->step);
  if (room->series != NULL)
    g_assert_finalize_object (g_steal_pointer (&room->series));
  fh_run_options_free (room->options);
  g_object_unref (room->executor);
  g_object_unref (room->probes);
  g_object_unref (room->backend);
  g_string_free (room->told, TRUE);
  g_string_free (room->states, TRUE);
  g_object_unref (room->history);
  fake_folder_free (room->folder);
}

void
series_room_new_answer (SeriesRoom *room, const char *text, const char *const *policies)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);

  if (policies != NULL)
    g_assert_true (fh_answer_set_policies (blocks, policies, NULL));
  room->series = fh_series_new_answer (room->executor, blocks, 1, room->options, NULL, FALSE);
}

void
series_room_new_session (SeriesRoom *room, FhAfterFailure after)
{
  room->series = fh_series_new_session (room->executor, room->options, after);
}

FhRunRequest *
series_room_new_request (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)", 8);

  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .limits = FH_RUN_LIMITS_DEFAULT },
                             NULL);
}

static void
step_cb (SeriesRoom *room, FhStep *step)
{
  g_set_object (&room->step, step);
  if (fh_step_get_number (step) > 0)
    g_string_append_printf (room->told, "%u", fh_step_get_number (step));
  g_string_append_c (room->told, "oasfwx-"[fh_step_get_state (step)]);
}

static void
asking_cb (SeriesRoom *room, FhStep *step)
{
  g_assert_true (step == room->step);
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_ASKING);
}

static void
call_cb (SeriesRoom *room, FhStep *step, guint number, const char *name, JsonNode *arguments)
{
  g_string_append_c (room->told, 'c');
  g_assert_cmpuint (fh_step_get_state (step), ==, FH_STEP_RUNNING);
  g_assert_cmpuint (number, ==, 7);
  g_assert_cmpstr (name, ==, "ask");
  g_assert_true (JSON_NODE_HOLDS_OBJECT (arguments));
}

static void
state_cb (SeriesRoom *room)
{
  const char letter = "YRASD"[fh_series_get_state (room->series)];

  g_assert_true (room->states->len == 0 || room->states->str[room->states->len - 1] != letter);
  g_string_append_c (room->states, letter);
}

static void
done_cb (SeriesRoom *room)
{
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_DONE);
  g_string_append_c (room->told, '.');
}

void
series_room_start (SeriesRoom *room)
{
  g_signal_connect_swapped (room->series, "step-changed", G_CALLBACK (step_cb), room);
  if (!room->is_deaf)
    g_signal_connect_swapped (room->series, "asking", G_CALLBACK (asking_cb), room);
  g_signal_connect_swapped (room->series, "call", G_CALLBACK (call_cb), room);
  g_signal_connect_swapped (room->series, "notify::state", G_CALLBACK (state_cb), room);
  g_signal_connect_swapped (room->series, "done", G_CALLBACK (done_cb), room);
  fh_series_start (room->series);
}

void
series_room_turn (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
series_room_await (SeriesRoom *room, const char *told)
{
  while (room->told->len < strlen (told))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (room->told->str, ==, told);
}

void
series_room_await_runs (SeriesRoom *room, guint n_runs)
{
  while (fake_backend_get_n_runs (room->backend) < n_runs)
    g_main_context_iteration (NULL, TRUE);
}

FhStep *
series_room_push (SeriesRoom *room, FhCell *taken)
{
  g_autoptr (FhCell) cell = taken;
  g_autoptr (GError) error = NULL;
  FhStep *step;

  g_assert_nonnull (cell);
  step = fh_series_push (room->series, cell, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (fh_step_get_cell (step) == cell);
  return step;
}

FhStep *
series_room_execute (SeriesRoom *room, const char *code)
{
  return series_room_push (room, fh_cell_new_execute (code, NULL));
}

void
series_room_answer (SeriesRoom *room, const char *json)
{
  g_autoptr (GBytes) bytes = json != NULL ? g_bytes_new (json, strlen (json)) : NULL;

  if (bytes != NULL)
    fh_run_set_answer (fake_backend_get_run (room->backend), bytes);
  fake_backend_finish (room->backend, bytes != NULL ? 0 : 1);
}

void
series_room_succeed (SeriesRoom *room, guint cell)
{
  g_autofree char *json = g_strdup_printf ("{\"success\": true, \"cell\": %u}", cell);

  series_room_answer (room, json);
}

void
series_room_close (SeriesRoom *room)
{
  const guint n_runs = fake_backend_get_n_runs (room->backend);

  fh_series_close (room->series);
  if (fh_series_get_state (room->series) == FH_SERIES_DONE)
    return;
  series_room_await_runs (room, n_runs + 1);
  series_room_answer (room, NULL);
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_DONE);
}
