/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-tests.h"

#include <stdlib.h>
#include <string.h>

#include "json-guard.h"
#include "json-member.h"
#include "json-text.h"
#include "signals.h"

/* How a call begins, from the encoder of data/guest/values.py; and the names of those that ask for
 * the next sample and for more answers, which no function can have. */
#define CALL_BEGIN "{\"call\": "
#define NEXT       ", \"name\": \"next sample\", "
#define MORE       ", \"name\": \"more answers\", "

/* Answers that are sent together have this many bytes at most. A longer one is sent alone. */
#define MAX_TOGETHER ((gsize) 1 << 20)

/* After this much, which is less than the runner allows to a cell, another one goes on in the same
 * interpreter. In bytes. */
#define MAX_CELL ((gsize) 8 << 20)

/* The program waits meanwhile, and its own limit comes first. */
#define MORE_WALL_MS 5000

struct _FhBatchTests
{
  GObject parent_instance;

  FhExecutor *executor;
  FhRun *cell;           /* NULL: none is on its way */
  FhBatchSample *sample; /* whose tests run, or are to; nullable */
  gboolean has_begun;    /* these have */
  gboolean wants_next;   /* the cell has asked for a sample */
  gboolean is_late;      /* its time is over */
  guint call;            /* the number of the call that waits; 0: none */
  gsize size;            /* of the calls of this cell */
  guint timer;
  guint turn; /* an idle source */
};

enum
{
  SIGNAL_CALL,
  SIGNAL_DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhBatchTests, fh_batch_tests, G_TYPE_OBJECT)

static GBytes *
to_bytes (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  char *text = fh_json_to_text (node, FALSE);

  return g_bytes_new_take (text, strlen (text));
}

static void
reply (FhBatchTests *self, JsonObject *object)
{
  const guint call = self->call;
  g_autoptr (GBytes) json = to_bytes (object);

  self->call = 0;
  fh_run_reply (self->cell, call, json);
}

/* Gives the cell what it has asked for: the sample that waits, or its end. */
static void
send_next (FhBatchTests *self)
{
  g_autoptr (JsonObject) object = json_object_new ();

  self->wants_next = FALSE;
  if (self->size > MAX_CELL)
    json_object_set_null_member (object, "value");
  else
    {
      json_object_set_object_member (object, "value", json_object_ref (self->sample->test));
      self->has_begun = TRUE;
    }
  reply (self, object);
}

static void
finish (FhBatchTests *self, JsonObject *verdict, FhRunResult *end)
{
  self->sample = NULL;
  self->has_begun = FALSE;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_signal_emit (self, signals[SIGNAL_DONE], 0, verdict, end);
}

/* The verdict of the sample before comes with it. */
static void
take_next (FhBatchTests *self, const char *line)
{
  g_autoptr (JsonObject) call = fh_json_guard_parse (line, strlen (line), FH_RUN_MAX_ANSWER, NULL);
  JsonNode *node = call != NULL ? json_object_get_member (call, "arguments") : NULL;
  JsonArray *arguments =
      node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  JsonNode *verdict = arguments != NULL && json_array_get_length (arguments) == 1
                          ? json_array_get_element (arguments, 0)
                          : NULL;

  self->wants_next = TRUE;
  if (self->has_begun && verdict != NULL && JSON_NODE_HOLDS_OBJECT (verdict))
    finish (self, json_node_get_object (verdict), NULL);
  if (self->wants_next && self->sample != NULL && !self->has_begun)
    send_next (self);
}

static void
call_cb (FhRun *cell, GBytes *json, FhBatchTests *self)
{
  gsize size;
  const char *data = g_bytes_get_data (json, &size);
  g_autofree char *line = g_strndup (data, size);
  char *rest;

  if (self->call != 0 || !g_str_has_prefix (line, CALL_BEGIN))
    return;
  self->call = (guint) strtoul (line + strlen (CALL_BEGIN), &rest, 10);
  self->size += size;
  if (g_str_has_prefix (rest, NEXT))
    take_next (self, line);
  else if (self->has_begun)
    g_signal_emit (self, signals[SIGNAL_CALL], 0, g_str_has_prefix (rest, MORE) ? NULL : line);
}

static void begin_cell (FhBatchTests *self);

/* In a later turn, because the sandbox that told of it is not to be replaced now. */
static gboolean
ended_cb (gpointer user_data)
{
  FhBatchTests *self = user_data;
  g_autoptr (FhRun) cell = g_steal_pointer (&self->cell);
  FhRunResult *result = fh_run_get_result (cell);
  FhRunResultParts parts = *fh_run_result_get_parts (result);
  FhRunOutcome outcome = *parts.outcome;
  g_autoptr (FhRunResult) late = NULL;

  self->turn = 0;
  g_signal_handlers_disconnect_by_data (cell, self);
  self->call = 0;
  self->wants_next = FALSE;
  if (self->has_begun)
    {
      if (self->is_late)
        outcome.status = FH_RUN_STATUS_TIMED_OUT;
      parts.outcome = &outcome;
      late = fh_run_result_new (&parts);
      finish (self, NULL, late);
    }
  else if (self->sample != NULL && outcome.status != FH_RUN_STATUS_OK)
    finish (self, NULL, result);
  else if (self->sample != NULL)
    begin_cell (self);
  return G_SOURCE_REMOVE;
}

static void
state_cb (FhRun *cell, GParamSpec *pspec, FhBatchTests *self)
{
  if (self->turn == 0 && fh_run_get_state (cell) == FH_RUN_FINISHED)
    self->turn = g_idle_add_full (G_PRIORITY_DEFAULT, ended_cb, self, NULL);
}

/* Limits of time and output are those of a sample, and this is for many. */
static FhRunRequest *
new_request (FhBatchSample *sample)
{
  static const char order[] = "{\"do\": \"test\"}";
  g_autoptr (FhRunOptions) options =
      fh_run_options_copy (fh_run_request_get_parts (sample->request)->options);
  g_autoptr (GBytes) cell = g_bytes_new_static (order, sizeof order - 1);
  g_autoptr (GBytes) source = g_bytes_new_static ("", 0);

  options->limits.wall_ms = options->limits.cpu_ms = options->limits.output_bytes = 0;
  options->guards.no_files = TRUE;
  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .options = options,
                                                  .cell = cell },
                             NULL);
}

static void
begin_cell (FhBatchTests *self)
{
  g_autoptr (FhRunRequest) request = new_request (self->sample);

  self->size = 0;
  self->cell = fh_executor_run (self->executor, request);
  g_signal_connect (self->cell, "call", G_CALLBACK (call_cb), self);
  g_signal_connect (self->cell, "notify::state", G_CALLBACK (state_cb), self);
  state_cb (self->cell, NULL, self);
}

static gboolean
late_cb (gpointer user_data)
{
  FhBatchTests *self = user_data;

  self->timer = 0;
  self->is_late = TRUE;
  fh_batch_tests_stop (self);
  return G_SOURCE_REMOVE;
}

void
fh_batch_tests_begin (FhBatchTests *self, FhBatchSample *sample)
{
  const guint64 wall_ms = fh_run_request_get_parts (sample->request)->limits.wall_ms;

  g_return_if_fail (FH_IS_BATCH_TESTS (self));
  g_return_if_fail (self->sample == NULL && sample->test != NULL);

  self->sample = sample;
  self->is_late = FALSE;
  if (wall_ms > 0)
    self->timer = g_timeout_add ((guint) wall_ms + MORE_WALL_MS, late_cb, self);
  if (self->cell == NULL)
    begin_cell (self);
  else if (self->wants_next)
    send_next (self);
}

static gboolean
is_calling (FhBatchTests *self)
{
  return self->cell != NULL && self->has_begun && self->call != 0;
}

void
fh_batch_tests_answer (FhBatchTests *self, GQueue *lines)
{
  g_autoptr (JsonObject) object = NULL;
  JsonArray *texts;
  gsize size = 0;

  g_return_if_fail (FH_IS_BATCH_TESTS (self));

  if (!is_calling (self) || g_queue_is_empty (lines))
    return;
  object = json_object_new ();
  texts = json_array_new ();
  /* Texts within the reply: they are the program's, and must not become a part of its structure. */
  do
    {
      g_autofree char *line = g_queue_pop_head (lines);

      size += strlen (line);
      json_array_add_string_element (texts, line);
    }
  while (!g_queue_is_empty (lines) && size + strlen (g_queue_peek_head (lines)) <= MAX_TOGETHER);
  json_object_set_array_member (object, "value", texts);
  reply (self, object);
}

void
fh_batch_tests_refuse (FhBatchTests *self, const char *why)
{
  g_autoptr (JsonObject) object = NULL;

  g_return_if_fail (FH_IS_BATCH_TESTS (self));

  if (!is_calling (self))
    return;
  object = json_object_new ();
  json_object_set_string_member (object, "error", why);
  reply (self, object);
}

void
fh_batch_tests_stop (FhBatchTests *self)
{
  g_return_if_fail (FH_IS_BATCH_TESTS (self));

  if (self->cell == NULL)
    return;
  /* The second one is by force. */
  fh_run_stop (self->cell);
  fh_run_stop (self->cell);
}

void
fh_batch_tests_close_async (FhBatchTests *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (FH_IS_BATCH_TESTS (self));

  fh_executor_close_async (self->executor, callback, user_data);
}

static void
fh_batch_tests_finalize (GObject *object)
{
  FhBatchTests *self = FH_BATCH_TESTS (object);

  if (self->cell != NULL)
    g_signal_handlers_disconnect_by_data (self->cell, self);
  g_clear_handle_id (&self->turn, g_source_remove);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->cell);
  g_object_unref (self->executor);

  G_OBJECT_CLASS (fh_batch_tests_parent_class)->finalize (object);
}

static void
fh_batch_tests_class_init (FhBatchTestsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_batch_tests_finalize;

  signals[SIGNAL_CALL] = fh_signal_new ("call", FH_TYPE_BATCH_TESTS, 1, G_TYPE_STRING);
  signals[SIGNAL_DONE] =
      fh_signal_new ("done", FH_TYPE_BATCH_TESTS, 2, JSON_TYPE_OBJECT, FH_TYPE_RUN_RESULT);
}

static void
fh_batch_tests_init (FhBatchTests *self)
{
}

FhBatchTests *
fh_batch_tests_new (FhProbes *probes, int cpu)
{
  FhBatchTests *self = g_object_new (FH_TYPE_BATCH_TESTS, NULL);

  self->executor = fh_executor_new (probes);
  fh_executor_keep_on (self->executor, cpu);
  return self;
}
