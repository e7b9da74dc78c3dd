/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "cell-call.h"
#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"
#include "run-error.h"
#include "run-title.h"
#include "signals.h"

/* Cells that wait. */
#define MAX_WAITING 1000

/* `cell` and `run` are set while a cell runs. */
struct _FhCells
{
  GObject parent_instance;

  FhExecutor *executor;
  FhOldSeriesRecord *record; /* nullable */
  FhRunOptions *options;
  GQueue waiting;
  guint turn; /* source of the next one */
  FhCell *cell;
  FhRun *run;
  FhCellCall call;
  char *refusal;      /* nullable: every call fails with it */
  JsonArray *setup;   /* what a new interpreter does first */
  guint n_executed;   /* for their names */
  gboolean had_lived; /* the interpreter has answered a cell */
};

enum
{
  SIGNAL_STARTED,
  SIGNAL_FINISHED,
  SIGNAL_RESTARTED,
  SIGNAL_REFUSED,
  SIGNAL_CALL,
  SIGNAL_ANSWERED,
  SIGNAL_IDLE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhCells, fh_cells, G_TYPE_OBJECT)

static GBytes *
to_bytes (JsonNode *node)
{
  char *text = fh_json_to_text (node, FALSE);

  return g_bytes_new_take (text, strlen (text));
}

static GBytes *
object_to_bytes (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  return to_bytes (node);
}

JsonObject *
fh_cells_dup_answer (FhRun *run)
{
  GBytes *bytes;

  g_return_val_if_fail (FH_IS_RUN (run), NULL);

  bytes = fh_run_get_answer (run);
  if (bytes == NULL)
    return NULL;
  return fh_json_guard_parse (g_bytes_get_data (bytes, NULL),
                              g_bytes_get_size (bytes),
                              FH_RUN_MAX_ANSWER,
                              NULL);
}

static FhRunRequest *
new_request (FhCells *self, FhCell *cell, GError **error)
{
  g_autoptr (FhRunOptions) options = fh_run_options_copy (self->options);
  g_autoptr (JsonNode) setup_node = json_node_init_array (json_node_alloc (), self->setup);
  g_autoptr (GBytes) order = object_to_bytes (cell->order);
  g_autoptr (GBytes) setup = to_bytes (setup_node);
  g_autoptr (GBytes) source = g_bytes_new (cell->source, strlen (cell->source));
  g_autofree char *title = NULL;

  if (cell->kind == FH_CELL_EXECUTE)
    {
      g_autofree char *of_source = fh_run_title_choose (NULL, source);

      title = g_strdup_printf ("[%u] %s", self->n_executed, of_source);
    }
  if (cell->wall_ms > 0)
    options->limits.wall_ms = cell->wall_ms;
  return fh_run_request_new (
      &(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                           .source = source,
                           .title = title,
                           .options = options,
                           .cell = order,
                           .setup = json_array_get_length (self->setup) > 0 ? setup : NULL },
      error);
}

/* The number that the interpreter gave to the cell, from 1 on; 0 if there is none. */
static guint64
get_number (FhRun *run)
{
  g_autoptr (JsonObject) answer = fh_cells_dup_answer (run);
  guint64 number = 0;

  if (answer != NULL)
    fh_json_get_number (answer, "cell", G_MAXUINT32, &number, NULL);
  return number;
}

static void
tell_if_restarted (FhCells *self, FhCell *cell, FhRun *run)
{
  const gboolean lives = fh_run_get_answer (run) != NULL;

  if (lives && self->had_lived && get_number (run) == 1)
    g_signal_emit (self, signals[SIGNAL_RESTARTED], 0, cell, fh_run_get_earlier_end (run));
  self->had_lived = lives;
}

/* What was asked in the call is not done any more, which is told. */
static void
forget_call (FhCells *self)
{
  GQueue *cells = fh_cell_call_end (&self->call);

  for (GList *at = cells->head; at != NULL; at = at->next)
    g_signal_emit (self, signals[SIGNAL_ANSWERED], 0, at->data, NULL);
  g_queue_free_full (cells, g_object_unref);
}

static void
forget_run (FhCells *self)
{
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
  g_clear_object (&self->cell);
  forget_call (self);
}

/* The last one of that name counts. */
static void
keep (FhCells *self, FhCell *cell)
{
  const char *name = json_object_get_string_member (cell->order, "name");

  for (guint i = json_array_get_length (self->setup); i > 0; i--)
    {
      JsonObject *order = json_array_get_object_element (self->setup, i - 1);

      if (g_str_equal (json_object_get_string_member (order, "name"), name))
        json_array_remove_element (self->setup, i - 1);
    }
  json_array_add_object_element (self->setup, json_object_ref (cell->order));
}

static void schedule (FhCells *self);

static void
finished_cb (FhRun *run, GParamSpec *pspec, FhCells *self)
{
  G_GNUC_UNUSED g_autoptr (FhCells) alive = g_object_ref (self);
  g_autoptr (FhCell) cell = NULL;
  G_GNUC_UNUSED g_autoptr (FhRun) held = g_object_ref (run);
  FhRunResult *result = fh_run_get_result (run);

  if (result == NULL)
    return;
  cell = g_object_ref (self->cell);
  forget_run (self);
  tell_if_restarted (self, cell, run);
  if (cell->kind == FH_CELL_EXECUTE && self->record != NULL)
    fh_old_series_record_add (self->record, fh_run_get_request (run), result);
  if (cell->is_kept && fh_run_result_get_status (result) == FH_RUN_STATUS_OK)
    keep (self, cell);
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0, cell, run);
  schedule (self);
}

/* No call has this number: the program is told nothing, but its time counts again. */
static void
refuse_call (FhRun *run)
{
  static const char text[] = "{\"error\": \"this is no call\"}";
  g_autoptr (GBytes) json = g_bytes_new_static (text, sizeof text - 1);

  fh_run_reply (run, 0, json);
}

static void
begin_call (FhCells *self, guint number, const char *name, JsonNode *arguments)
{
  forget_call (self);
  self->call.number = number;
  if (self->refusal != NULL)
    fh_cells_reply (self, number, NULL, self->refusal, NULL);
  /* A program can make up a call where nothing was declared. Without a reply it would wait for
   * ever, as its time does not count meanwhile. */
  else if (!g_signal_has_handler_pending (self, signals[SIGNAL_CALL], 0, TRUE))
    fh_cells_reply (self, number, NULL, "nobody answers this function", NULL);
  else
    g_signal_emit (self, signals[SIGNAL_CALL], 0, number, name, arguments);
}

/* The interpreter has done what was asked in the call. FALSE if nothing was. */
static gboolean
take_answer (FhCells *self, guint number, JsonObject *call)
{
  g_autoptr (FhCell) cell = NULL;
  JsonNode *node = json_object_get_member (call, "answer");
  gboolean success = FALSE;
  JsonObject *answer;

  if (number != self->call.number || node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  answer = json_node_get_object (node);
  cell = fh_cell_call_take_answered (&self->call);
  if (cell == NULL)
    return FALSE;
  fh_json_get_bool (answer, "success", &success, NULL);
  if (cell->is_kept && success)
    keep (self, cell);
  g_signal_emit (self, signals[SIGNAL_ANSWERED], 0, cell, answer);
  if (self->run != NULL)
    fh_cell_call_go_on (&self->call, self->run);
  return TRUE;
}

/* What the program says is checked here, and not believed. */
static void
call_cb (FhRun *run, GBytes *json, FhCells *self)
{
  G_GNUC_UNUSED g_autoptr (FhCells) alive = g_object_ref (self);
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

static void
start (FhCells *self, FhCell *cell)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = NULL;

  if (cell->kind == FH_CELL_EXECUTE)
    {
      g_autofree char *name = g_strdup_printf ("<cell %u>", ++self->n_executed);

      json_object_set_string_member (cell->order, "name", name);
    }
  request = new_request (self, cell, &error);
  if (request == NULL)
    {
      g_signal_emit (self, signals[SIGNAL_REFUSED], 0, cell, error->message);
      schedule (self);
      return;
    }
  self->cell = g_object_ref (cell);
  self->run = fh_executor_run (self->executor, request, NULL, FALSE);
  g_signal_connect (self->run, "call", G_CALLBACK (call_cb), self);
  g_signal_connect (self->run, "notify::result", G_CALLBACK (finished_cb), self);
  g_signal_emit (self, signals[SIGNAL_STARTED], 0, cell, self->run);
}

static void
reset (FhCells *self, FhCell *cell)
{
  fh_executor_reset_cells (self->executor);
  self->had_lived = FALSE;
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0, cell, NULL);
  schedule (self);
}

static gboolean
turn_cb (gpointer user_data)
{
  g_autoptr (FhCells) self = g_object_ref (FH_CELLS (user_data));
  g_autoptr (FhCell) cell = NULL;

  self->turn = 0;
  if (self->run != NULL)
    return G_SOURCE_REMOVE;
  cell = g_queue_pop_head (&self->waiting);
  if (cell == NULL)
    g_signal_emit (self, signals[SIGNAL_IDLE], 0);
  else if (cell->kind == FH_CELL_RESET || (cell->kind == FH_CELL_END && !self->had_lived))
    reset (self, cell);
  else
    start (self, cell);
  return G_SOURCE_REMOVE;
}

/* In a later turn of the main loop: the executor has not yet seen the end of the last run. */
static void
schedule (FhCells *self)
{
  if (self->turn == 0)
    self->turn = g_idle_add (turn_cb, self);
}

void
fh_cells_set_options (FhCells *self, const FhRunOptions *options)
{
  g_return_if_fail (FH_IS_CELLS (self) && options != NULL);

  g_clear_pointer (&self->options, fh_run_options_free);
  self->options = fh_run_options_copy (options);
}

gboolean
fh_cells_push (FhCells *self, FhCell *cell, GError **error)
{
  g_return_val_if_fail (FH_IS_CELLS (self) && FH_IS_CELL (cell), FALSE);
  g_return_val_if_fail (self->options != NULL, FALSE);

  if (g_queue_get_length (&self->waiting) >= MAX_WAITING)
    return fh_run_error_refuse (error, "%s", _ ("Too many cells are waiting."));
  g_queue_push_tail (&self->waiting, g_object_ref (cell));
  schedule (self);
  return TRUE;
}

void
fh_cells_clear (FhCells *self)
{
  g_return_if_fail (FH_IS_CELLS (self));

  g_queue_clear_full (&self->waiting, g_object_unref);
}

guint
fh_cells_get_n_waiting (FhCells *self)
{
  g_return_val_if_fail (FH_IS_CELLS (self), 0);

  return g_queue_get_length (&self->waiting);
}

FhCell *
fh_cells_get_cell (FhCells *self)
{
  g_return_val_if_fail (FH_IS_CELLS (self), NULL);

  return self->cell;
}

FhRun *
fh_cells_get_run (FhCells *self)
{
  g_return_val_if_fail (FH_IS_CELLS (self), NULL);

  return self->run;
}

gboolean
fh_cells_interrupt (FhCells *self)
{
  g_return_val_if_fail (FH_IS_CELLS (self), FALSE);

  if (self->run == NULL)
    return FALSE;
  fh_run_stop (self->run);
  return TRUE;
}

gboolean
fh_cells_reply (FhCells *self, guint number, JsonNode *value, const char *error, GError **problem)
{
  g_return_val_if_fail (FH_IS_CELLS (self), FALSE);
  g_return_val_if_fail (value != NULL || error != NULL, FALSE);

  return fh_cell_call_reply (&self->call, self->run, number, value, error, problem);
}

gboolean
fh_cells_has_call (FhCells *self)
{
  g_return_val_if_fail (FH_IS_CELLS (self), FALSE);

  return fh_cell_call_waits (&self->call);
}

gboolean
fh_cells_ask (FhCells *self, FhCell *cell, GError **error)
{
  g_return_val_if_fail (FH_IS_CELLS (self) && FH_IS_CELL (cell), FALSE);
  g_return_val_if_fail (fh_cells_has_call (self), FALSE);

  return fh_cell_call_ask (&self->call, self->run, cell, error);
}

void
fh_cells_refuse_calls (FhCells *self, const char *error)
{
  g_return_if_fail (FH_IS_CELLS (self) && error != NULL);

  g_free (self->refusal);
  self->refusal = g_strdup (error);
  if (fh_cell_call_waits (&self->call))
    fh_cells_reply (self, self->call.number, NULL, error, NULL);
}

static void
fh_cells_dispose (GObject *object)
{
  FhCells *self = FH_CELLS (object);

  g_clear_handle_id (&self->turn, g_source_remove);
  fh_cells_clear (self);
  forget_run (self);
  g_clear_object (&self->executor);
  g_clear_object (&self->record);

  G_OBJECT_CLASS (fh_cells_parent_class)->dispose (object);
}

static void
fh_cells_finalize (GObject *object)
{
  FhCells *self = FH_CELLS (object);

  g_clear_pointer (&self->options, fh_run_options_free);
  json_array_unref (self->setup);
  g_free (self->refusal);

  G_OBJECT_CLASS (fh_cells_parent_class)->finalize (object);
}

static void
fh_cells_class_init (FhCellsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_cells_dispose;
  G_OBJECT_CLASS (klass)->finalize = fh_cells_finalize;

  signals[SIGNAL_STARTED] = fh_signal_new ("started", FH_TYPE_CELLS, 2, FH_TYPE_CELL, FH_TYPE_RUN);
  signals[SIGNAL_FINISHED] =
      fh_signal_new ("finished", FH_TYPE_CELLS, 2, FH_TYPE_CELL, FH_TYPE_RUN);
  signals[SIGNAL_RESTARTED] =
      fh_signal_new ("restarted", FH_TYPE_CELLS, 2, FH_TYPE_CELL, G_TYPE_STRING);
  signals[SIGNAL_REFUSED] =
      fh_signal_new ("refused", FH_TYPE_CELLS, 2, FH_TYPE_CELL, G_TYPE_STRING);
  signals[SIGNAL_CALL] =
      fh_signal_new ("call", FH_TYPE_CELLS, 3, G_TYPE_UINT, G_TYPE_STRING, JSON_TYPE_NODE);
  signals[SIGNAL_ANSWERED] =
      fh_signal_new ("answered", FH_TYPE_CELLS, 2, FH_TYPE_CELL, JSON_TYPE_OBJECT);
  signals[SIGNAL_IDLE] = fh_signal_new ("idle", FH_TYPE_CELLS, 0);
}

static void
fh_cells_init (FhCells *self)
{
  self->setup = json_array_new ();
}

FhCells *
fh_cells_new (FhExecutor *executor, FhOldSeriesRecord *record)
{
  FhCells *self;

  g_return_val_if_fail (FH_IS_EXECUTOR (executor), NULL);

  self = g_object_new (FH_TYPE_CELLS, NULL);
  self->executor = g_object_ref (executor);
  g_set_object (&self->record, record);
  return self;
}
