/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listeners that change the series while they are told of something: whatever they do, and
 * whenever, all of them are told the same in the same order, each step ends once, and nothing
 * follows the end. */
#include <string.h>

#include "run-driver.h"
#include "series-room.h"

/* One of those who are told. */
typedef struct
{
  GString *told;
  GHashTable *states; /* FhStep to its last state, and one more */
  gboolean is_done;
} Listener;

typedef struct
{
  FhSeries *series;
  Listener before, after; /* connected before the one who changes something, and after it */
  guint verb;
  guint countdown; /* the emissions until it does so */
} Play;

/* Whether the state may come next. `last`: 0 if none was told, or the last one and one more. */
static gboolean
may_follow (guint last, FhStepState state)
{
  switch (last)
    {
    case 0:
      return state != FH_STEP_WAITING;
    case 1 + FH_STEP_WAITING:
      return state != FH_STEP_WAITING && state != FH_STEP_ASKING;
    case 1 + FH_STEP_ASKING:
      return state == FH_STEP_WAITING || state == FH_STEP_REFUSED;
    case 1 + FH_STEP_RUNNING:
      return state == FH_STEP_FINISHED || state == FH_STEP_NOT_RUN;
    default:
      return FALSE;
    }
}

static void
step_cb (FhSeries *series, FhStep *step, Listener *self)
{
  const FhStepState state = fh_step_get_state (step);
  const guint last = GPOINTER_TO_UINT (g_hash_table_lookup (self->states, step));

  g_assert_false (self->is_done);
  g_assert_true (may_follow (last, state));
  g_hash_table_insert (self->states, g_object_ref (step), GUINT_TO_POINTER (1 + state));
  g_string_append_printf (self->told, "%p:%u ", step, state);
}

static void
done_cb (FhSeries *series, Listener *self)
{
  g_assert_false (self->is_done);
  g_assert_cmpuint (fh_series_get_state (series), ==, FH_SERIES_DONE);
  self->is_done = TRUE;
}

static void
listen (FhSeries *series, Listener *self)
{
  self->told = g_string_new (NULL);
  self->states = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  g_signal_connect (series, "step-changed", G_CALLBACK (step_cb), self);
  g_signal_connect (series, "done", G_CALLBACK (done_cb), self);
}

static void
clear (Listener *self)
{
  GHashTableIter iter;
  gpointer state;

  g_assert_true (self->is_done);
  g_hash_table_iter_init (&iter, self->states);
  while (g_hash_table_iter_next (&iter, NULL, &state))
    g_assert_cmpuint (GPOINTER_TO_UINT (state), >=, 1 + FH_STEP_FINISHED);
  g_string_free (self->told, TRUE);
  g_hash_table_unref (self->states);
}

static void
push (FhSeries *series, FhCell *taken, gboolean goes_first)
{
  g_autoptr (FhCell) cell = taken;
  g_autoptr (GError) error = NULL;

  g_assert_true ((fh_series_push (series, cell, goes_first, &error) == NULL) == (error != NULL));
}

static void
push_cell (FhSeries *series)
{
  push (series, fh_cell_new_execute ("1", NULL), FALSE);
}

static void
push_list (FhSeries *series)
{
  push (series, fh_cell_new_list (FALSE), TRUE);
}

static void
push_reset (FhSeries *series)
{
  fh_series_stop (series);
  push (series, fh_cell_new_reset (), FALSE);
}

static void
stop_twice (FhSeries *series)
{
  fh_series_stop (series);
  fh_series_stop (series);
}

static void
interrupt (FhSeries *series)
{
  fh_series_interrupt (series, NULL);
}

static void
approve (FhSeries *series)
{
  fh_series_approve (series, TRUE);
}

static void
refuse (FhSeries *series)
{
  fh_series_refuse (series, "no");
}

static void
iterate (FhSeries *series)
{
  series_room_turn ();
}

/* The first ones are for sessions only. */
static void (*const verbs[]) (FhSeries *series) = {
  push_cell,       push_list, push_reset, fh_series_stop, stop_twice,
  fh_series_close, interrupt, approve,    refuse,         iterate,
};
#define N_PUSHING 3

static const char *const names[] = {
  "step-changed", "asking", "call", "done", "notify::state", "notify::step", "notify::n-waiting",
};

static void
act (Play *play)
{
  if (play->countdown == 0 || --play->countdown > 0)
    return;
  verbs[play->verb](play->series);
}

static void
act_cb (FhSeries *series, gpointer arg, Play *play)
{
  act (play);
}

static void
act_on_call_cb (FhSeries *series,
                gpointer step,
                guint number,
                gpointer name,
                gpointer json,
                Play *play)
{
  act (play);
}

static void
act_when_done_cb (FhSeries *series, Play *play)
{
  act (play);
}

static void
begin (Play *play, const char *signal)
{
  GCallback callback = G_CALLBACK (act_cb);

  if (g_str_equal (signal, "call"))
    callback = G_CALLBACK (act_on_call_cb);
  else if (g_str_equal (signal, "done"))
    callback = G_CALLBACK (act_when_done_cb);
  listen (play->series, &play->before);
  g_signal_connect (play->series, signal, callback, play);
  listen (play->series, &play->after);
  fh_series_start (play->series);
}

/* Each run calls once and ends, every third badly; each question is answered. */
static void
drive (SeriesRoom *room, Play *play)
{
  g_autoptr (GBytes) json =
      g_bytes_new_static ("{\"call\": 7, \"name\": \"ask\", \"arguments\": {}}", 45);

  for (guint i = 1; i < 40; i++)
    {
      FhRun *run = fake_backend_get_run (room->backend);

      if (fh_series_get_state (play->series) == FH_SERIES_ASKING)
        fh_series_approve (play->series, FALSE);
      if (run != NULL && fh_run_get_result (run) == NULL)
        fh_run_call (run, json);
      if (run != NULL && fh_run_get_result (run) == NULL)
        fake_backend_finish (room->backend, i % 3 == 0 ? 1 : 0);
      g_main_context_iteration (NULL, FALSE);
    }
}

static void
end (Play *play)
{
  fh_series_close (play->series);
  g_assert_cmpuint (fh_series_get_state (play->series), ==, FH_SERIES_DONE);
  g_assert_cmpuint (fh_series_get_n_waiting (play->series), ==, 0);
  g_assert_cmpstr (play->before.told->str, ==, play->after.told->str);
  clear (&play->before);
  clear (&play->after);
  g_assert_finalize_object (play->series);
}

static void
play_answer (SeriesRoom *room, const char *signal, guint verb, guint countdown)
{
  static const char text[] = "```py\n1\n```\n```json\n2\n```\n```sh\n3\n```\n```py\n4\n```\n";
  static const char *const policies[] = { "python=ask", NULL };
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  Play play = { .verb = verb, .countdown = countdown };

  g_assert_true (fh_answer_set_policies (blocks, policies, NULL));
  play.series = fh_series_new_answer (room->executor, blocks, 1, room->options, NULL, FALSE);
  begin (&play, signal);
  drive (room, &play);
  end (&play);
}

static void
play_session (SeriesRoom *room, const char *signal, guint verb, guint countdown)
{
  Play play = { .verb = verb, .countdown = countdown };

  play.series =
      fh_series_new_session (room->executor,
                             room->options,
                             countdown % 2 == 0 ? FH_AFTER_FAILURE_DROP : FH_AFTER_FAILURE_GO_ON);
  begin (&play, signal);
  push_cell (play.series);
  push_cell (play.series);
  push_list (play.series);
  push_cell (play.series);
  drive (room, &play);
  end (&play);
}

static void
test_answer (SeriesRoom *room, gconstpointer data)
{
  for (guint signal = 0; signal < G_N_ELEMENTS (names); signal++)
    for (guint verb = N_PUSHING; verb < G_N_ELEMENTS (verbs); verb++)
      for (guint countdown = 1; countdown <= 8; countdown++)
        play_answer (room, names[signal], verb, countdown);
}

static void
test_session (SeriesRoom *room, gconstpointer data)
{
  for (guint signal = 0; signal < G_N_ELEMENTS (names); signal++)
    for (guint verb = 0; verb < G_N_ELEMENTS (verbs); verb++)
      for (guint countdown = 1; countdown <= 8; countdown++)
        play_session (room, names[signal], verb, countdown);
}

/* The last one who holds it lets it go while it is being told. */
static void
unref_cb (FhSeries *series, FhStep *step, gpointer user_data)
{
  if (fh_step_get_state (step) == FH_STEP_RUNNING)
    g_object_unref (series);
}

static void
test_let_go (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = series_room_new_request ();
  FhSeries *series = fh_series_new_program (room->executor, request, FALSE);

  g_object_add_weak_pointer (G_OBJECT (series), (gpointer *) &series);
  g_signal_connect (series, "step-changed", G_CALLBACK (unref_cb), NULL);
  fh_series_start (series);
  g_assert_null (series);
  fake_backend_finish (room->backend, 0);
}

SERIES_ROOM_TESTS ({ "/series/listeners/answer", test_answer },
                   { "/series/listeners/session", test_session },
                   { "/series/listeners/let-go", test_let_go });
