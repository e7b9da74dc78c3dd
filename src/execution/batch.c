/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch.h"

#include <sched.h>

#include "batch-result.h"
#include "batch-split.h"
#include "run-error.h"
#include "signals.h"

/* A shortage ends when other programs do. Other failures of ours may be the work of a sample beside
 * it, such as one that used up all memory. */
#define MAX_RETRIES       1
#define MAX_SHORT_RETRIES 6
#define FIRST_RETRY_MS    50

/* After so many samples in succession that could not be run, none can be. */
#define MAX_NOT_RUN 16

enum
{
  SIGNAL_RESULT,
  SIGNAL_NOT_RUN,
  SIGNAL_DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* A place for one sample at a time. Its executors are kept for the next one, with whatever they
 * keep. */
typedef struct
{
  FhBatch *batch;
  FhExecutor *executor;
  FhBatchTests *tests;   /* where tests run that need not share an interpreter with the program */
  FhBatchSample *sample; /* NULL: the place is free */
  FhRun *run; /* of a sample that is one program. NULL while it waits for another attempt */
  FhBatchSplit *split; /* instead of that, of one whose tests run apart */
  int cpu;             /* where it stays; -1: anywhere */
  guint retries;
  guint timer;
  FhRun *failed; /* nullable: the first run that did not pass, and its result */
  FhRunResult *failed_result;
  FhTestsPlace failed_tests;
} Place;

struct _FhBatch
{
  GObject parent_instance;

  FhProbes *probes;
  Place *places;
  guint n_places;
  guint times; /* that each sample runs */
  FhBatchNextFunc next;
  gpointer user_data;

  guint n_not_run;    /* in succession */
  guint n_closing;    /* executors */
  guint turn;         /* an idle source */
  gboolean has_ended; /* no more samples */
  gboolean is_stopped;
  gboolean is_done;
  GError *error;
};

G_DEFINE_FINAL_TYPE (FhBatch, fh_batch, G_TYPE_OBJECT)

static void schedule (FhBatch *self);

static void
end_attempt (Place *place)
{
  if (place->run != NULL)
    g_signal_handlers_disconnect_by_data (place->run, place);
  if (place->split != NULL)
    g_signal_handlers_disconnect_by_data (place->split, place);
  g_clear_object (&place->run);
  g_clear_object (&place->split);
}

static void
release (Place *place)
{
  end_attempt (place);
  g_clear_handle_id (&place->timer, g_source_remove);
  g_clear_pointer (&place->sample, fh_batch_sample_free);
  g_clear_object (&place->failed);
  g_clear_object (&place->failed_result);
  place->retries = 0;
}

static void
end_with (FhBatch *self, GError *error)
{
  self->has_ended = TRUE;
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
}

static void
give_up (FhBatch *self, Place *place, FhRunResult *result)
{
  g_signal_emit (self, signals[SIGNAL_NOT_RUN], 0, place->sample, result);
  self->n_not_run++;
  if (self->n_not_run >= MAX_NOT_RUN)
    end_with (self,
              g_error_new_literal (FH_RUN_ERROR,
                                   FH_RUN_ERROR_UNAVAILABLE,
                                   fh_run_result_get_parts (result)->sentence));
}

static void start_run (Place *place);

static gboolean
retry_cb (gpointer user_data)
{
  Place *place = user_data;

  place->timer = 0;
  start_run (place);
  return G_SOURCE_REMOVE;
}

/* Counts a run, and keeps the first that did not pass with where its tests ran, which a later run
 * changes. */
static void
count_run (Place *place, FhRun *run, FhRunResult *result)
{
  FhBatchSample *sample = place->sample;
  g_autofree char *words = NULL;

  sample->runs++;
  if (fh_batch_verdict (result, sample, &words))
    sample->passes++;
  else if (place->failed == NULL)
    {
      place->failed = g_object_ref (run);
      place->failed_result = g_object_ref (result);
      place->failed_tests = sample->tests;
    }
}

/* A sample that has its result, which is told when the next one runs in its place. */
typedef struct
{
  FhBatchSample *sample; /* NULL: there is none */
  FhRun *run;
  FhRunResult *result;
  FhSandbox *sandbox;
} Ended;

static void
take_result (Place *place, FhRun *run, FhRunResult *result, Ended *ended)
{
  if (place->failed != NULL)
    place->sample->tests = place->failed_tests;
  ended->sample = g_steal_pointer (&place->sample);
  ended->run = g_object_ref (place->failed != NULL ? place->failed : run);
  ended->result = g_object_ref (place->failed != NULL ? place->failed_result : result);
  ended->sandbox = g_object_ref (fh_executor_get_sandbox (place->executor));
}

static void
tell_result (FhBatch *self, Ended *ended)
{
  if (ended->sample == NULL)
    return;
  g_signal_emit (self,
                 signals[SIGNAL_RESULT],
                 0,
                 ended->sample,
                 ended->result,
                 ended->run,
                 ended->sandbox);
  fh_batch_sample_free (ended->sample);
  g_object_unref (ended->run);
  g_object_unref (ended->result);
  g_object_unref (ended->sandbox);
}

/* `is_doubtful`: the result says more about us than about the sample. The place is free afterwards,
 * unless its sample gets another attempt. */
static void
finish_attempt (Place *place, FhRun *run, FhRunResult *result, gboolean is_doubtful, Ended *ended)
{
  FhBatch *self = place->batch;
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  gboolean was_stopped = outcome->status == FH_RUN_STATUS_STOPPED;
  guint max_retries = fh_run_outcome_is_shortage (outcome) ? MAX_SHORT_RETRIES : MAX_RETRIES;
  gboolean may_retry = !was_stopped && place->retries < max_retries && !self->is_stopped;

  if (fh_batch_result_counts (result) && !(is_doubtful && may_retry))
    {
      self->n_not_run = 0;
      count_run (place, run, result);
      if (place->sample->runs < self->times && !self->is_stopped)
        {
          end_attempt (place);
          place->retries = 0;
          start_run (place);
          return;
        }
      if (place->sample->runs == self->times)
        take_result (place, run, result, ended);
    }
  else if (may_retry)
    {
      end_attempt (place);
      place->timer = g_timeout_add (FIRST_RETRY_MS << place->retries++, retry_cb, place);
      return;
    }
  else if (!was_stopped)
    give_up (self, place, result);
  release (place);
}

static gboolean
has_ended (Place *place)
{
  if (place->split != NULL)
    return fh_batch_split_is_done (place->split);
  return place->run != NULL && fh_run_get_state (place->run) == FH_RUN_FINISHED;
}

static void
finish_run (Place *place, Ended *ended)
{
  g_autoptr (FhRun) run = place->run != NULL ? g_object_ref (place->run) : NULL;
  g_autoptr (FhBatchSplit) split = g_steal_pointer (&place->split);
  FhRunResult *result = split != NULL ? fh_batch_split_get_result (split) : NULL;

  if (split == NULL)
    finish_attempt (place, run, fh_run_get_result (run), FALSE, ended);
  else if (result != NULL)
    finish_attempt (place,
                    fh_batch_split_get_run (split),
                    result,
                    fh_batch_split_has_lost_tests (split),
                    ended);
  else
    {
      /* The tests need more of the program than its answers, or other calls than those that were
       * made for them. */
      if (place->sample->shared != NULL)
        g_clear_pointer (&place->sample->test, json_object_unref);
      start_run (place);
    }
}

/* In a later turn, because the sandbox that emits this is not to be replaced now. */
static void
changed_cb (Place *place)
{
  if (has_ended (place))
    schedule (place->batch);
}

static void
start_run (Place *place)
{
  if (place->sample->test != NULL)
    {
      if (place->tests == NULL)
        place->tests = fh_batch_tests_new (place->batch->probes, place->cpu);
      place->split = fh_batch_split_new (place->executor, place->tests, place->sample);
      g_signal_connect_swapped (place->split, "done", G_CALLBACK (changed_cb), place);
    }
  else
    {
      place->run = fh_executor_run (place->executor, place->sample->request);
      g_signal_connect_swapped (place->run, "notify::state", G_CALLBACK (changed_cb), place);
    }
  changed_cb (place);
}

static gboolean
take_sample (FhBatch *self, Place *place)
{
  GError *error = NULL;

  if (self->has_ended)
    return FALSE;
  place->sample = self->next (self->user_data, &error);
  if (error != NULL)
    end_with (self, error);
  else if (place->sample == NULL)
    self->has_ended = TRUE;
  else
    start_run (place);
  return place->sample != NULL;
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhBatch) self = user_data;
  GError *error = NULL;

  if (!fh_executor_close_finish (FH_EXECUTOR (source), result, &error))
    end_with (self, error);
  if (--self->n_closing > 0)
    return;
  self->is_done = TRUE;
  g_signal_emit (self, signals[SIGNAL_DONE], 0);
}

/* Containers that are not kept are removed now. */
static void
close_executors (FhBatch *self)
{
  for (guint i = 0; i < self->n_places; i++)
    self->n_closing += self->places[i].tests != NULL ? 2 : 1;
  for (guint i = 0; i < self->n_places; i++)
    {
      fh_executor_close_async (self->places[i].executor, closed_cb, g_object_ref (self));
      if (self->places[i].tests != NULL)
        fh_batch_tests_close_async (self->places[i].tests, closed_cb, g_object_ref (self));
    }
}

static gboolean
turn_cb (gpointer user_data)
{
  FhBatch *self = user_data;
  gboolean is_busy = FALSE;

  self->turn = 0;
  for (guint i = 0; i < self->n_places; i++)
    {
      Place *place = &self->places[i];
      Ended ended = { NULL };

      if (has_ended (place))
        finish_run (place, &ended);
      is_busy |= place->sample != NULL || take_sample (self, place);
      tell_result (self, &ended);
    }
  if (!is_busy && self->n_closing == 0 && !self->is_done)
    close_executors (self);
  return G_SOURCE_REMOVE;
}

/* Results first: as soon as there is something to do, and before new output is read. */
static void
schedule (FhBatch *self)
{
  if (self->turn == 0)
    self->turn = g_idle_add_full (G_PRIORITY_DEFAULT, turn_cb, self, NULL);
}

void
fh_batch_keep_warm (FhBatch *self, FhRunRequest *like, const char *const *modules)
{
  g_return_if_fail (FH_IS_BATCH (self));

  for (guint i = 0; i < self->n_places; i++)
    fh_executor_keep_warm (self->places[i].executor, like, modules);
}

void
fh_batch_set_times (FhBatch *self, guint times)
{
  g_return_if_fail (FH_IS_BATCH (self) && times > 0);

  self->times = times;
}

void
fh_batch_start (FhBatch *self)
{
  g_return_if_fail (FH_IS_BATCH (self));

  schedule (self);
}

void
fh_batch_stop (FhBatch *self)
{
  g_return_if_fail (FH_IS_BATCH (self));

  self->has_ended = self->is_stopped = TRUE;
  for (guint i = 0; i < self->n_places; i++)
    {
      Place *place = &self->places[i];

      if (place->run != NULL)
        fh_run_stop (place->run);
      else if (place->split != NULL)
        fh_batch_split_stop (place->split);
      else
        release (place);
    }
  schedule (self);
}

gboolean
fh_batch_is_done (FhBatch *self)
{
  g_return_val_if_fail (FH_IS_BATCH (self), TRUE);

  return self->is_done;
}

const GError *
fh_batch_get_error (FhBatch *self)
{
  g_return_val_if_fail (FH_IS_BATCH (self), NULL);

  return self->error;
}

static void
fh_batch_finalize (GObject *object)
{
  FhBatch *self = FH_BATCH (object);

  g_clear_handle_id (&self->turn, g_source_remove);
  for (guint i = 0; i < self->n_places; i++)
    {
      release (&self->places[i]);
      g_clear_object (&self->places[i].executor);
      g_clear_object (&self->places[i].tests);
    }
  g_free (self->places);
  g_clear_object (&self->probes);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (fh_batch_parent_class)->finalize (object);
}

static void
fh_batch_class_init (FhBatchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_batch_finalize;

  signals[SIGNAL_RESULT] = fh_signal_new ("result",
                                          FH_TYPE_BATCH,
                                          4,
                                          G_TYPE_POINTER,
                                          FH_TYPE_RUN_RESULT,
                                          FH_TYPE_RUN,
                                          FH_TYPE_SANDBOX);
  signals[SIGNAL_NOT_RUN] =
      fh_signal_new ("not-run", FH_TYPE_BATCH, 2, G_TYPE_POINTER, FH_TYPE_RUN_RESULT);
  signals[SIGNAL_DONE] = fh_signal_new ("done", FH_TYPE_BATCH, 0);
}

static void
fh_batch_init (FhBatch *self)
{
}

/* With as many places as processors each has one to itself, on which all processes of a sample
 * stay: they wake each other dozens of times, and waking an idle processor takes longer than what
 * is done in between. With fewer places a sample may use several, and with more they would not be
 * shared equally: then -1 is returned. */
static int
find_processor (const FhBatch *self, guint place)
{
  cpu_set_t set;

  if (sched_getaffinity (0, sizeof set, &set) != 0 || (guint) CPU_COUNT (&set) != self->n_places)
    return -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    {
      if (CPU_ISSET (cpu, &set) && place-- == 0)
        return cpu;
    }
  return -1;
}

FhBatch *
fh_batch_new (FhProbes *probes, guint jobs, FhBatchNextFunc next, gpointer user_data)
{
  FhBatch *self;

  g_return_val_if_fail (jobs > 0 && next != NULL, NULL);

  self = g_object_new (FH_TYPE_BATCH, NULL);
  self->probes = probes != NULL ? g_object_ref (probes) : fh_probes_new (NULL);
  self->places = g_new0 (Place, jobs);
  self->n_places = jobs;
  self->times = 1;
  self->next = next;
  self->user_data = user_data;
  for (guint i = 0; i < jobs; i++)
    {
      self->places[i].batch = self;
      self->places[i].cpu = find_processor (self, i);
      self->places[i].executor = fh_executor_new (self->probes);
      fh_executor_keep_on (self->places[i].executor, self->places[i].cpu);
    }
  return self;
}
