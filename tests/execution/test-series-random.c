/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random cells, pushed, run, stopped and interrupted at random, against a model of a session: what
 * is told, in which order, the state, how many wait, and what the history keeps. */
#include <string.h>

#include "run-driver.h"
#include "series-room.h"

#define N_ACTIONS 400

/* A cell in the model. */
typedef struct
{
  guint id;
  gboolean is_shown;
} Item;

typedef struct
{
  SeriesRoom *room;
  GRand *random;
  FhAfterFailure after;
  GString *told; /* by the series */
  guint n_pushed;

  /* The model. */
  GString *expected;
  GQueue waiting;
  Item *current;
  guint n_stops; /* of the current one */
  guint n_kept;
  gboolean is_bad; /* a cell that is kept has failed */
} Session;

static void
say (Session *self, const Item *item, char letter)
{
  g_string_append_printf (self->expected, "%u%c ", item->id, letter);
}

static void
model_drop (Session *self)
{
  for (GList *at = self->waiting.head, *next; at != NULL; at = next)
    {
      Item *item = at->data;

      next = at->next;
      if (!item->is_shown)
        continue;
      g_queue_delete_link (&self->waiting, at);
      say (self, item, '-');
      g_free (item);
    }
}

static void
model_turn (Session *self)
{
  if (self->current != NULL || g_queue_is_empty (&self->waiting))
    return;
  self->current = g_queue_pop_head (&self->waiting);
  self->n_stops = 0;
  say (self, self->current, 's');
}

static void
model_end (Session *self, gboolean is_good)
{
  g_autofree Item *item = g_steal_pointer (&self->current);

  say (self, item, 'f');
  self->n_kept += item->is_shown;
  self->is_bad = self->is_bad || (item->is_shown && !is_good);
  if (item->is_shown && !is_good && self->after == FH_AFTER_FAILURE_DROP)
    model_drop (self);
}

static void
model_stop (Session *self)
{
  model_drop (self);
  if (self->current != NULL && self->current->is_shown && ++self->n_stops == 2)
    model_end (self, FALSE);
}

static guint
model_count (Session *self)
{
  guint n = 0;

  for (GList *at = self->waiting.head; at != NULL; at = at->next)
    n += ((Item *) at->data)->is_shown;
  return n;
}

static void
check (Session *self, gboolean is_stopping)
{
  const gboolean has_shown = self->current != NULL && self->current->is_shown;

  g_assert_cmpstr (self->told->str, ==, self->expected->str);
  g_assert_cmpuint (fh_series_get_n_waiting (self->room->series), ==, model_count (self));
  g_assert_cmpuint (fh_series_get_state (self->room->series),
                    ==,
                    has_shown && is_stopping              ? FH_SERIES_STOPPING
                    : has_shown || model_count (self) > 0 ? FH_SERIES_RUNNING
                                                          : FH_SERIES_READY);
}

static void
step_cb (FhSeries *series, FhStep *step, Session *self)
{
  g_string_append_printf (self->told,
                          "%u%c ",
                          GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (step), "id")),
                          "oasfwx-"[fh_step_get_state (step)]);
}

static void
push (Session *self)
{
  const gboolean is_shown = g_rand_boolean (self->random);
  const gboolean goes_first = g_rand_int_range (self->random, 0, 4) == 0;
  g_autoptr (FhCell) cell = is_shown ? fh_cell_new_execute ("1", NULL) : fh_cell_new_list (FALSE);
  FhStep *step = fh_series_push (self->room->series, cell, goes_first, NULL);
  Item *item = g_new0 (Item, 1);

  item->id = ++self->n_pushed;
  item->is_shown = is_shown;
  g_object_set_data (G_OBJECT (step), "id", GUINT_TO_POINTER (item->id));
  if (goes_first)
    g_queue_push_head (&self->waiting, item);
  else
    g_queue_push_tail (&self->waiting, item);
}

static void
finish (Session *self)
{
  const gboolean is_good = g_rand_int_range (self->random, 0, 3) != 0;

  if (self->current == NULL)
    return;
  series_room_answer (self->room, is_good ? "{\"success\": true, \"cell\": 2}" : NULL);
  model_end (self, is_good);
}

static void
begin (Session *self, gint seed)
{
  self->random = g_rand_new_with_seed ((guint32) seed);
  self->after = seed % 2 == 0 ? FH_AFTER_FAILURE_DROP : FH_AFTER_FAILURE_GO_ON;
  self->told = g_string_new (NULL);
  self->expected = g_string_new (NULL);
  series_room_new_session (self->room, self->after);
  g_signal_connect (self->room->series, "step-changed", G_CALLBACK (step_cb), self);
}

/* In the turn of the main loop that was asked for; what the history does needs others. */
static void
turn (Session *self)
{
  series_room_turn ();
  model_turn (self);
}

static void
act (Session *self)
{
  gboolean is_stopping = FALSE;

  for (guint i = 0; i < N_ACTIONS; i++)
    {
      const FhRun *before = fake_backend_get_run (self->room->backend);
      const gint action = g_rand_int_range (self->random, 0, 10);

      if (action < 4)
        push (self);
      else if (action < 7)
        turn (self);
      else if (action < 9)
        finish (self);
      else
        {
          fh_series_stop (self->room->series);
          model_stop (self);
          is_stopping = TRUE;
        }
      if (self->current == NULL || !self->current->is_shown ||
          before != fake_backend_get_run (self->room->backend))
        is_stopping = FALSE;
      check (self, is_stopping);
    }
}

static void
end (Session *self)
{
  while (self->current != NULL || !g_queue_is_empty (&self->waiting))
    {
      finish (self);
      turn (self);
    }
  check (self, FALSE);
  series_room_close (self->room);
  g_assert_cmpuint (fh_series_get_state (self->room->series), ==, FH_SERIES_DONE);
  g_string_free (self->told, TRUE);
  g_string_free (self->expected, TRUE);
  g_rand_free (self->random);
}

static void
check_history (Session *self, FhSeriesRecord *record)
{
  g_autoptr (GPtrArray) entries = NULL;

  while (fh_series_record_get_id (record) < 0)
    g_main_context_iteration (NULL, TRUE);
  entries = fh_history_list (self->room->history, NULL, 0, 10, NULL);
  g_assert_cmpuint (entries->len, ==, 1);
  g_assert_cmpuint (fh_history_entry_get_n_samples (entries->pdata[0]), ==, self->n_kept);
  g_assert_true ((fh_history_entry_get_status (entries->pdata[0]) == FH_RUN_STATUS_OK) !=
                 self->is_bad);
}

static void
test_random (gconstpointer data)
{
  SeriesRoom room = { 0 };
  Session self = { .room = &room };
  g_autoptr (FhSeriesRecord) record = NULL;

  series_room_set_up (&room, NULL);
  begin (&self, GPOINTER_TO_INT (data));
  record = fh_series_record_new (room.series, room.history, FH_RECORD_SESSION, NULL, NULL);
  fh_series_start (room.series);
  act (&self);
  end (&self);
  check_history (&self, record);
  series_room_tear_down (&room, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gint seed = 1; seed <= 20; seed++)
    {
      g_autofree char *path = g_strdup_printf ("/series/random/%d", seed);

      g_test_add_data_func (path, GINT_TO_POINTER (seed), test_random);
    }
  return g_test_run ();
}
