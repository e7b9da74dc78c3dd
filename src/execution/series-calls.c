/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that the cells of a series make, and what is done while one of them waits. */
#include "config.h"

#include "cell-private.h"
#include "json-guard.h"
#include "json-member.h"
#include "series-private.h"

/* No call has this number: the program is told nothing, but its time counts again. */
static void
refuse_call (FhRun *run)
{
  static const char text[] = "{\"error\": \"this is no call\"}";
  g_autoptr (GBytes) json = g_bytes_new_static (text, sizeof text - 1);

  fh_run_reply (run, 0, json);
}

void
fh_series_end_call (FhSeries *self)
{
  GQueue asked = self->asked;
  FhStep *step;

  g_queue_init (&self->asked);
  g_queue_free_full (fh_cell_call_end (&self->call), g_object_unref);
  while ((step = g_queue_pop_head (&asked)) != NULL)
    {
      step->state = FH_STEP_NOT_RUN;
      fh_series_tell (self, step);
      g_object_unref (step);
    }
}

void
fh_series_note_function (FhSeries *self, FhCell *cell)
{
  if (cell->kind == FH_CELL_DECLARE && !json_object_has_member (cell->order, "source"))
    g_hash_table_add (self->functions,
                      g_strdup (json_object_get_string_member (cell->order, "name")));
}

static void
begin_call (FhSeries *self, guint number, const char *name, JsonNode *arguments)
{
  fh_series_end_call (self);
  if (self->run == NULL)
    return;
  self->call.number = number;
  if (self->no_calls != NULL)
    fh_series_reply (self, number, NULL, self->no_calls, NULL);
  /* A program can make up a call of what was not declared. Its time does not count until there is a
   * reply, so there is one at once. */
  else if (!g_hash_table_contains (self->functions, name) ||
           !g_signal_has_handler_pending (self, g_signal_lookup ("call", FH_TYPE_SERIES), 0, TRUE))
    fh_series_reply (self, number, NULL, "nobody answers this function", NULL);
  else
    g_signal_emit_by_name (self, "call", self->current, number, name, arguments);
}

/* The interpreter has done what was asked in the call. FALSE if nothing was. */
static gboolean
take_answer (FhSeries *self, guint number, JsonObject *call)
{
  g_autoptr (FhCell) cell = NULL;
  g_autoptr (FhStep) step = NULL;
  JsonNode *node = json_object_get_member (call, "answer");

  if (number != self->call.number || node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  cell = fh_cell_call_take_answered (&self->call);
  if (cell == NULL)
    return FALSE;
  step = g_queue_pop_head (&self->asked);
  step->answer = json_object_ref (json_node_get_object (node));
  step->state = FH_STEP_FINISHED;
  if (self->builder->take_result != NULL)
    self->builder->take_result (self->data, step, NULL, NULL);
  fh_series_tell (self, step);
  if (self->run != NULL)
    fh_cell_call_go_on (&self->call, self->run);
  return TRUE;
}

void
fh_series_take_call (FhRun *run, GBytes *json, FhSeries *self)
{
  G_GNUC_UNUSED g_autoptr (FhSeries) alive = g_object_ref (self);
  g_autoptr (JsonObject) call = fh_json_guard_parse (g_bytes_get_data (json, NULL),
                                                     g_bytes_get_size (json),
                                                     FH_RUN_MAX_ANSWER,
                                                     NULL);
  const char *name;
  guint64 number;

  if (call != NULL && fh_json_get_number (call, "call", G_MAXUINT, &number, NULL) && number != 0)
    {
      if (take_answer (self, (guint) number, call))
        return;
      if (fh_json_get_string (call, "name", &name, NULL) &&
          json_object_has_member (call, "arguments"))
        {
          begin_call (self, (guint) number, name, json_object_get_member (call, "arguments"));
          return;
        }
    }
  refuse_call (run);
}

gboolean
fh_series_reply (FhSeries *self, guint number, JsonNode *value, const char *error, GError **problem)
{
  g_return_val_if_fail (FH_IS_SERIES (self), FALSE);
  g_return_val_if_fail (value != NULL || error != NULL, FALSE);

  return fh_cell_call_reply (&self->call, self->run, number, value, error, problem);
}

gboolean
fh_series_has_call (FhSeries *self)
{
  g_return_val_if_fail (FH_IS_SERIES (self), FALSE);

  return fh_cell_call_waits (&self->call);
}

FhStep *
fh_series_ask (FhSeries *self, FhCell *cell, GError **error)
{
  g_autoptr (FhStep) step = NULL;

  g_return_val_if_fail (FH_IS_SERIES (self) && FH_IS_CELL (cell), NULL);
  g_return_val_if_fail (fh_series_has_call (self), NULL);

  step = self->builder->new_cell (cell);
  step->state = FH_STEP_RUNNING;
  g_queue_push_tail (&self->asked, g_object_ref (step));
  if (!fh_cell_call_ask (&self->call, self->run, cell, error))
    {
      g_object_unref (g_queue_pop_tail (&self->asked));
      return NULL;
    }
  g_set_object (&self->pushed, step);
  return self->pushed;
}

void
fh_series_refuse_calls (FhSeries *self, const char *error)
{
  g_return_if_fail (FH_IS_SERIES (self) && error != NULL);

  g_free (self->no_calls);
  self->no_calls = g_strdup (error);
  if (fh_cell_call_waits (&self->call))
    fh_series_reply (self, self->call.number, NULL, error, NULL);
}
