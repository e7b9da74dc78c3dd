/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "native-sandbox.h"

#include <glib/gi18n-lib.h>

#include "native-order.h"
#include "prepared-runner.h"
#include "run-conversation.h"
#include "run-driver.h"
#include "tier-selection.h"
#include "wire-translation.h"

/* All tiers are tried within this time. */
#define SELECT_GRACE_MS 30000
/* A new interpreter starts, and imports what it is to have ahead, within this time. */
#define WARM_GRACE_MS 120000

/* After so many failures in succession no interpreter is kept warm any more. */
#define MAX_FAILURES 3
/* A warm interpreter has so many runs left when its successor is started: time for that to start,
 * and to import what is imported ahead. */
#define LAST_RUNS 100

/* These modules are what solutions import most, and each import takes milliseconds. They are
 * Python's own, and a program can notice of them only that they are there. */
static const char *const common_modules[] = { "bisect", "collections", "copy",   "functools",
                                              "heapq",  "itertools",   "math",   "operator",
                                              "re",     "string",      "typing", NULL };

#define FH_TYPE_NATIVE_SANDBOX (fh_native_sandbox_get_type ())
G_DECLARE_FINAL_TYPE (FhNativeSandbox, fh_native_sandbox, FH, NATIVE_SANDBOX, GObject)

/* `conversation` is set while a run is active. The run is finished exactly once, by the first of:
 * the runner's result, its death, a deadline, our disposal.
 *
 * If the setup fails in the tier that is known to work here, or in the best one when none is known,
 * all tiers are tried (`selection` is set meanwhile) and the run is restarted once, in the one that
 * works. A run that could not be forked is restarted in a sandbox of its own.
 *
 * `waiting` is what was prepared for the next run, or has served a run and stays for the next: an
 * interpreter with cells, a sandbox for further programs, or the interpreter that is kept warm, of
 * which runs that are alike get a copy each (FH_POLICY_FORKED). Never one that is in doubt. */
struct _FhNativeSandbox
{
  GObject parent_instance;

  FhPreparedRunner *waiting; /* nullable */
  GBytes *policy;            /* of the one that runs or waits, by which it is found; nullable */
  guint32 n_runs;            /* that it was given, this one too */
  FhRunRequest *like;        /* runs like it are forked; NULL: none is */
  GStrv modules;             /* that are imported before */
  GBytes *alike;             /* the policy of a single run like it; NULL until needed */
  FhPreparedRunner *next;    /* the warm interpreter's successor, before it retires; else NULL */
  guint n_failures;          /* of warm interpreters */
  gboolean is_cold;          /* the current run is not to be forked */
  gboolean is_forked;        /* it is */
  int cpu;                   /* where runners are started; -1: anywhere */
  FhRunConversation *conversation;
  FhNativeWork *work;      /* of the current run; nullable */
  FhTier tier;             /* of the current run */
  gboolean has_selected;   /* for the current run */
  GCancellable *selection; /* nullable */
  char *failed_step;       /* why tiers are tried */
  int failed_error;
};

static void sandbox_iface_init (FhSandboxInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhNativeSandbox,
                               fh_native_sandbox,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_SANDBOX, sandbox_iface_init))

/* Clears the state before the run ends, so that its listeners can start another one. */
static FhRunConversation *
steal_conversation (FhNativeSandbox *self)
{
  g_cancellable_cancel (self->selection);
  g_clear_object (&self->selection);
  g_clear_pointer (&self->work, fh_native_work_free);
  return g_steal_pointer (&self->conversation);
}

/* A warm interpreter serves another run only after one that began and ended by itself or by a
 * limit. */
static gboolean
is_as_it_should_be (FhRun *run, const FhRunOutcome *outcome)
{
  return fh_run_get_state (run) == FH_RUN_RUNNING && outcome->status < FH_RUN_STATUS_STOPPED;
}

static gboolean
is_cell (FhRun *run)
{
  return fh_run_request_get_parts (fh_run_get_request (run))->cell != NULL;
}

static gboolean
is_shared (FhRun *run)
{
  return fh_run_request_get_parts (fh_run_get_request (run))->shares != NULL;
}

/* Makes it one for many runs; see fh_policy_can_fork. */
static void
fork_order (FhNativeSandbox *self, FhOrder *order)
{
  order->policy->kind = FH_POLICY_FORKED;
  order->policy->preload = g_strdupv (self->modules);
  fh_order_encode (order, NULL);
}

static FhPreparedRunner *
start_successor (FhNativeSandbox *self)
{
  g_autoptr (FhOrder) order = fh_native_order_new (self->like, self->tier, NULL, NULL);

  if (order == NULL)
    return NULL;
  order->cpu = self->cpu;
  fork_order (self, order);
  return order->frame != NULL ? fh_prepared_runner_start (order) : NULL;
}

static void
finish_now (FhNativeSandbox *self, const FhRunOutcome *outcome)
{
  FhRunConversation *conversation = steal_conversation (self);
  FhRun *run = conversation->run;
  gboolean stays = fh_run_get_answer (run) != NULL || outcome->stays;

  if (self->is_forked && is_as_it_should_be (run, outcome))
    {
      fh_run_set_forked (run);
      self->n_failures = 0;
      if (self->n_runs == FH_FORKED_RUNS_MAX - LAST_RUNS)
        self->next = start_successor (self);
      stays = self->n_runs < FH_FORKED_RUNS_MAX;
    }
  if (stays)
    self->waiting =
        fh_prepared_runner_new (fh_run_conversation_release (conversation), self->policy);
  fh_run_conversation_end (conversation, outcome);
}

static void
saved_cb (const GError *error, gpointer user_data)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (user_data);
  g_autoptr (FhNativeWork) work = g_steal_pointer (&self->work);

  finish_now (self, &work->outcome);
}

/* The files of a work folder are copied back first. */
static void
finish (FhNativeSandbox *self, const FhRunOutcome *outcome)
{
  if (self->work != NULL && fh_run_get_started_at (self->conversation->run) != 0)
    {
      fh_native_work_save (self->work, self->conversation, outcome, saved_cb, self);
      return;
    }
  finish_now (self, outcome);
}

static void
abort_run (FhNativeSandbox *self, FhRunStatus status, const char *step, const char *message)
{
  fh_run_conversation_abort (steal_conversation (self), status, step, message);
}

/* Only before the program was started, and if the user asked neither for this tier nor for the end.
 * A temporary shortage is no reason to run in a weaker sandbox. */
static gboolean
may_select_again (FhNativeSandbox *self, const FhRunOutcome *outcome)
{
  FhRun *run = self->conversation->run;
  const FhRunGuards *guards = fh_run_request_get_parts (fh_run_get_request (run))->guards;

  return outcome->status == FH_RUN_STATUS_GUARD_FAILED && !fh_run_outcome_is_shortage (outcome) &&
         guards->tier == FH_TIER_AUTO && !self->has_selected &&
         fh_run_get_state (run) == FH_RUN_PREPARING;
}

static gboolean start (FhNativeSandbox *self, FhTier tier, GError **error);
static void opened_cb (const GError *error, gpointer user_data);

/* If the same tier works after all, or none does, the failure stands. */
static void
restart (FhNativeSandbox *self, FhTier tier)
{
  FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_GUARD_FAILED, self->failed_step, NULL);
  g_autoptr (GError) error = NULL;

  outcome.error = self->failed_error;
  if (tier == FH_TIER_AUTO || tier == self->tier)
    finish (self, &outcome);
  else if (!start (self, tier, &error))
    abort_run (self, FH_RUN_STATUS_INTERNAL_ERROR, "runner", error->message);
}

static void
selected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhNativeSandbox *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhTierSelection) selection = fh_tier_select_finish (result, &error);

  /* The sandbox cancels it before it is gone. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->selection);
  restart (self, selection != NULL ? fh_tier_selection_get_tier (selection) : FH_TIER_AUTO);
}

static void
select_tier (FhNativeSandbox *self, const FhRunOutcome *outcome)
{
  self->has_selected = TRUE;
  g_free (self->failed_step);
  self->failed_step = g_strdup (outcome->step);
  self->failed_error = outcome->error;
  fh_run_conversation_reset (self->conversation);
  fh_run_conversation_set_deadline (self->conversation, SELECT_GRACE_MS);
  self->selection = g_cancellable_new ();
  fh_tier_select_async (FH_TIER_AUTO, self->selection, selected_cb, self);
}

/* Starts anew, which is safe because nothing of the program has run yet. */
static void
start_again (FhNativeSandbox *self)
{
  g_autoptr (GError) error = NULL;

  fh_run_conversation_reset (self->conversation);
  if (!start (self, self->tier, &error))
    abort_run (self, FH_RUN_STATUS_INTERNAL_ERROR, "runner", error->message);
}

static void
ended_cb (FhRunEnd end, const FhRunOutcome *outcome, const char *why, gpointer user_data)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (user_data);
  FhRun *run = self->conversation->run;

  if (self->work != NULL && self->work->is_saving)
    return;
  /* It could not be forked, or the interpreter that waited had ended meanwhile. */
  if (fh_run_get_state (run) == FH_RUN_PREPARING && end != FH_RUN_END_STOPPED &&
      (self->is_forked || (self->n_runs > 1 && (is_cell (run) || is_shared (run)))))
    {
      self->n_failures += self->is_forked;
      self->is_cold |= self->is_forked;
      if (!self->is_forked && outcome != NULL)
        fh_run_set_earlier_end (run, fh_prepared_runner_tell_end (outcome));
      start_again (self);
      return;
    }
  switch (end)
    {
    case FH_RUN_END_FINISHED:
      if (self->work != NULL && fh_native_work_is_refused (self->work, outcome))
        start_again (self);
      else if (may_select_again (self, outcome))
        select_tier (self, outcome);
      else
        finish (self, outcome);
      break;
    case FH_RUN_END_GONE:
      abort_run (self, FH_RUN_STATUS_INTERNAL_ERROR, "runner", why);
      break;
    case FH_RUN_END_UNRESPONSIVE:
      abort_run (self,
                 fh_run_get_state (run) == FH_RUN_STOPPING ? FH_RUN_STATUS_STOPPED
                                                           : FH_RUN_STATUS_INTERNAL_ERROR,
                 NULL,
                 _ ("The guarded runner stopped responding and was killed."));
      break;
    case FH_RUN_END_RETIRED:
      abort_run (self,
                 self->is_forked ? FH_RUN_STATUS_STOPPED : FH_RUN_STATUS_INTERNAL_ERROR,
                 NULL,
                 NULL);
      break;
    case FH_RUN_END_STOPPED:
    default:
      abort_run (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
    }
}

/* Only in tier A can an interpreter fork, so the policies are the same for all its runs. */
static gboolean
is_alike (FhNativeSandbox *self, const FhOrder *order)
{
  if (self->alike == NULL)
    {
      g_autoptr (FhOrder) like = fh_native_order_new (self->like, order->tier, NULL, NULL);

      self->alike = like != NULL ? g_bytes_ref (like->frame) : NULL;
    }
  return self->alike != NULL && g_bytes_equal (order->frame, self->alike);
}

/* A file of the program's that is called like a module wins over that, but not if the module is
 * there already. It may be in a folder that the program searches. */
static gboolean
brings_module (FhNativeSandbox *self, FhRunRequest *request)
{
  GPtrArray *files = fh_run_request_get_parts (request)->files;

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const FhRunFile *file = files->pdata[i];
      g_auto (GStrv) parts = g_strsplit_set (file->path, "/.", -1);

      for (guint part = 0; parts[part] != NULL; part++)
        if (g_strv_contains ((const char *const *) self->modules, parts[part]))
          return TRUE;
    }
  return FALSE;
}

/* FALSE if the run needs another sandbox than the others, or interpreters failed too often. A
 * forked run gets no input before it begins, if more may come later. */
static gboolean
can_fork (FhNativeSandbox *self, const FhOrder *order)
{
  if (self->like == NULL || self->is_cold ||
      fh_run_request_get_parts (order->request)->cell != NULL ||
      (fh_run_request_get_parts (order->request)->input_stays &&
       !fh_run_request_takes_live_input (order->request)))
    return FALSE;
  return self->n_failures < MAX_FAILURES && fh_policy_can_fork (order->policy) &&
         !brings_module (self, order->request) && is_alike (self, order);
}

/* The next run is told how what waited has ended, and what it has tried since the last one. */
static void
tell_of_waiting (FhRun *run, const FhPreparedRunner *waiting)
{
  GPtrArray *attempts = waiting->attempts;

  fh_run_set_earlier_end (run, waiting->end);
  for (guint i = 0; attempts != NULL && i < attempts->len; i++)
    fh_run_add_attempt (run, attempts->pdata[i]);
}

/* Returns NULL if nothing waits for this run. What was prepared for another one is dropped, but for
 * an interpreter that is kept warm. */
static FhRunner *
steal_waiting (FhNativeSandbox *self, FhOrder *order, GBytes **guards)
{
  FhRun *run = self->conversation->run;
  const gboolean is_program = order->is_shared && !is_cell (run);
  g_autoptr (FhPreparedRunner) waiting = NULL;
  FhRunner *runner;

  if (self->like != NULL && !self->is_forked && !order->is_shared && !is_cell (run))
    return NULL;
  waiting = g_steal_pointer (&self->waiting);
  g_clear_pointer (&self->policy, g_bytes_unref);
  if (is_program)
    self->policy = fh_policy_to_shared_frame (order->policy, NULL);
  else if (order->frame != NULL)
    self->policy = g_bytes_ref (order->frame);
  runner = fh_prepared_runner_steal (waiting, self->policy, guards);
  if (waiting != NULL && (is_program || is_cell (run)))
    tell_of_waiting (run, waiting);
  if (runner != NULL && is_program)
    order->next =
        fh_policy_to_program_frame (order->policy,
                                    fh_run_request_get_parts (fh_run_get_request (run))->stays,
                                    NULL);
  if (is_program && order->next == NULL)
    g_clear_object (&runner);
  /* A new interpreter begins with its first cell, and a new sandbox with its first program. */
  if (runner == NULL)
    self->n_runs = 0;
  if (runner == NULL && self->is_forked)
    {
      g_autoptr (FhPreparedRunner) next = g_steal_pointer (&self->next);

      runner = fh_prepared_runner_steal (next, self->policy, guards);
    }
  self->n_runs++;
  if (is_cell (run))
    fh_order_set_cell (order, self->n_runs);
  return runner;
}

static gboolean
start (FhNativeSandbox *self, FhTier tier, GError **error)
{
  FhRun *run = self->conversation->run;
  const gboolean is_open = self->work != NULL && fh_native_work_is_open (self->work, tier);
  g_autoptr (FhOrder) order =
      fh_native_order_new (fh_run_get_request (run), tier, is_open ? self->work : NULL, error);
  g_autoptr (GBytes) guards = NULL;
  FhRunner *runner;
  gboolean is_cold;

  self->tier = tier;
  if (order == NULL)
    return FALSE;
  order->cpu = self->cpu;
  if (self->work != NULL && !is_open)
    {
      fh_native_work_open (self->work, tier, opened_cb, self);
      return TRUE;
    }
  self->is_forked = can_fork (self, order);
  if (self->is_forked)
    fork_order (self, order);
  runner = steal_waiting (self, order, &guards);
  is_cold = runner == NULL;
  if (is_cold)
    runner = fh_order_start (order, error);
  else
    fh_order_send_program (order, runner);
  if (runner == NULL)
    return FALSE;
  fh_run_conversation_take (self->conversation, order, runner, guards);
  if (is_cold && self->is_forked)
    fh_run_conversation_set_deadline (self->conversation, WARM_GRACE_MS);
  return TRUE;
}

static void
opened_cb (const GError *error, gpointer user_data)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (user_data);
  g_autoptr (GError) problem = NULL;

  if (error != NULL)
    abort_run (self, FH_RUN_STATUS_NOT_STARTED, "work-folder", error->message);
  else if (!start (self, self->tier, &problem))
    abort_run (self, fh_native_order_status_of (problem), "interpreter", problem->message);
}

/* Where the last run was forked, the next one can be. */
static FhTier
choose_tier (FhNativeSandbox *self, FhRunRequest *request)
{
  return self->is_forked && fh_run_request_get_parts (request)->guards->tier == FH_TIER_AUTO
             ? self->tier
             : fh_tier_choose (request);
}

static FhRun *
fh_native_sandbox_run (FhSandbox *sandbox, FhRunRequest *request)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (sandbox);
  g_autoptr (FhRun) run = fh_run_new (request, "native");
  g_autoptr (GError) error = NULL;

  if (self->conversation != NULL)
    {
      fh_run_finish_early (run,
                           FH_RUN_STATUS_INTERNAL_ERROR,
                           "busy",
                           _ ("This sandbox is still running something else."));
      return g_steal_pointer (&run);
    }
  self->conversation = fh_run_conversation_new (run, ended_cb, self);
  self->has_selected = FALSE;
  self->is_cold = FALSE;
  self->work = fh_native_work_new (run);
  if (!start (self, choose_tier (self, request), &error))
    {
      const FhRunStatus status = fh_native_order_status_of (error);

      g_clear_pointer (&self->conversation, fh_run_conversation_free);
      g_clear_pointer (&self->work, fh_native_work_free);
      fh_run_finish_early (run,
                           status,
                           status == FH_RUN_STATUS_INTERNAL_ERROR ? "runner" : "interpreter",
                           error->message);
    }
  return g_steal_pointer (&run);
}

/* Errors are reported by the run. */
static void
fh_native_sandbox_prepare (FhSandbox *sandbox, FhRunRequest *request)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (sandbox);
  g_autoptr (FhOrder) order = NULL;

  g_clear_pointer (&self->waiting, fh_prepared_runner_free);
  if (self->conversation != NULL)
    return;
  order = fh_native_order_new (request, fh_tier_choose (request), NULL, NULL);
  self->n_runs = 0;
  if (order != NULL)
    self->waiting = fh_prepared_runner_start (order);
}

static void
fh_native_sandbox_end_cells (FhSandbox *sandbox)
{
  g_clear_pointer (&FH_NATIVE_SANDBOX (sandbox)->waiting, fh_prepared_runner_free);
}

static void
fh_native_sandbox_keep_on (FhSandbox *sandbox, int cpu)
{
  FH_NATIVE_SANDBOX (sandbox)->cpu = cpu;
}

static void
stop_warm (FhNativeSandbox *self)
{
  g_clear_pointer (&self->waiting, fh_prepared_runner_free);
  g_clear_pointer (&self->next, fh_prepared_runner_free);
  g_clear_pointer (&self->alike, g_bytes_unref);
  g_clear_pointer (&self->modules, g_strfreev);
  g_clear_object (&self->like);
  self->n_failures = 0;
}

static void
fh_native_sandbox_keep_warm (FhSandbox *sandbox, FhRunRequest *like, const char *const *modules)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (sandbox);
  const guint n = g_strv_length ((GStrv) (gpointer) modules);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  /* The present run may use the interpreter that would be dropped here. */
  g_return_if_fail (self->conversation == NULL);

  stop_warm (self);
  self->like = g_object_ref (like);
  g_strv_builder_addv (builder, (const char **) (gpointer) modules);
  for (guint i = 0; common_modules[i] != NULL && n + i < FH_POLICY_MAX_PRELOAD; i++)
    g_strv_builder_add (builder, common_modules[i]);
  self->modules = g_strv_builder_end (builder);
}

static void
fh_native_sandbox_dispose (GObject *object)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (object);

  if (self->conversation != NULL)
    abort_run (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
  stop_warm (self);
  g_clear_pointer (&self->policy, g_bytes_unref);
  g_clear_pointer (&self->failed_step, g_free);

  G_OBJECT_CLASS (fh_native_sandbox_parent_class)->dispose (object);
}

static void
fh_native_sandbox_class_init (FhNativeSandboxClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_native_sandbox_dispose;
}

static void
sandbox_iface_init (FhSandboxInterface *iface)
{
  iface->run = fh_native_sandbox_run;
  iface->prepare = fh_native_sandbox_prepare;
  iface->end_cells = fh_native_sandbox_end_cells;
  iface->keep_warm = fh_native_sandbox_keep_warm;
  iface->keep_on = fh_native_sandbox_keep_on;
}

static void
fh_native_sandbox_init (FhNativeSandbox *self)
{
  self->cpu = -1;
}

FhSandbox *
fh_native_sandbox_new (void)
{
  return g_object_new (FH_TYPE_NATIVE_SANDBOX, NULL);
}
