/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "native-sandbox.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "early-end.h"
#include "interpreter.h"
#include "policy-builder.h"
#include "run-driver.h"
#include "run-error.h"
#include "run-feed.h"
#include "runner-locator.h"
#include "runner-order.h"
#include "runner-process.h"
#include "tier-cache.h"
#include "tier-ladder.h"
#include "wire-translation.h"

/* The runner measures time itself. These are for one that does not answer any more: how long it
 * may take beyond what it was told, and after the second Stop. */
#define SETUP_GRACE_MS 30000
#define TIME_GRACE_MS  10000
#define FORCE_GRACE_MS 3000

/* Idle, or busy with one run: then `run` and, unless it failed before, `feed` and `process` are
 * set. The run is finished exactly once, by whatever comes first: the runner's own last word, its
 * death, our patience, or our disposal.
 *
 * When the sandbox cannot be built in the tier that is known to work here, or in the best one when
 * none is known, `climbing` is set while all of them are tried; then the run begins anew in the one
 * that works, once. */
struct _FhNativeSandbox
{
  GObject parent_instance;

  FhRunLimits limits;
  FhRunLimits in_force; /* of the present run */
  FhRun *run;
  FhRunFeed *feed; /* of the present run */
  FhRunnerProcess *process;
  GCancellable *ordering; /* the runner may not have been told yet */
  GSource *patience;
  FhTier tier;            /* of the present run */
  gboolean has_climbed;   /* for the present run */
  GCancellable *climbing; /* nullable */
  char *failed_step;      /* what the tiers were tried for */
  int failed_error;
};

static void sandbox_iface_init (FhSandboxInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhNativeSandbox,
                               fh_native_sandbox,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_SANDBOX, sandbox_iface_init))

static void
stop_patience (FhNativeSandbox *self)
{
  if (self->patience == NULL)
    return;
  g_source_destroy (self->patience);
  g_clear_pointer (&self->patience, g_source_unref);
}

/* Lets go of the run and the runner first, so that whoever hears of the end finds an idle
 * sandbox. */
static void
finish (FhNativeSandbox *self, const FhRunOutcome *outcome)
{
  G_GNUC_UNUSED g_autoptr (FhNativeSandbox) alive = g_object_ref (self);
  g_autoptr (FhRun) run = g_steal_pointer (&self->run);
  g_autoptr (FhRunnerProcess) process = g_steal_pointer (&self->process);
  g_autoptr (GCancellable) ordering = g_steal_pointer (&self->ordering);
  g_autoptr (FhRunFeed) feed = g_steal_pointer (&self->feed);
  g_autoptr (GCancellable) climbing = g_steal_pointer (&self->climbing);

  stop_patience (self);
  g_cancellable_cancel (climbing);
  g_cancellable_cancel (ordering);
  if (process != NULL)
    fh_runner_process_close (process);
  if (run == NULL)
    return;
  g_signal_handlers_disconnect_by_data (run, self);
  if (feed != NULL)
    fh_run_feed_end (feed);
  fh_run_finish (run, outcome);
}

/* What was measured last stands in for the runner's own account. */
static void
finish_ourselves (FhNativeSandbox *self, FhRunStatus status, const char *step, const char *message)
{
  FhRunOutcome outcome = fh_outcome_of_ours (status, step, message);
  FhRunUsage usage = fh_run_get_usage (self->run);
  gint64 started_at = fh_run_get_started_at (self->run);

  if (started_at != 0)
    outcome.wall_us = (guint64) (g_get_monotonic_time () - started_at);
  outcome.cpu_user_us = usage.cpu_us;
  outcome.memory_peak = usage.memory_bytes;
  outcome.processes_peak = usage.processes;
  finish (self, &outcome);
}

static gboolean
patience_ended_cb (gpointer user_data)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (user_data);
  gboolean stopping = fh_run_get_state (self->run) == FH_RUN_STOPPING;

  g_clear_pointer (&self->patience, g_source_unref);
  if (self->process != NULL)
    fh_runner_process_kill (self->process);
  finish_ourselves (self,
                    stopping ? FH_RUN_STATUS_STOPPED : FH_RUN_STATUS_INTERNAL_ERROR,
                    NULL,
                    _ ("The guarded runner did not answer any more and was ended."));
  return G_SOURCE_REMOVE;
}

/* Its priority is below that of reading, so that a runner is not taken for dead while its words
 * wait to be read. */
static void
be_patient (FhNativeSandbox *self, guint64 ms)
{
  stop_patience (self);
  self->patience = g_timeout_source_new ((guint) MIN (ms, G_MAXUINT));
  g_source_set_priority (self->patience, G_PRIORITY_LOW);
  g_source_set_callback (self->patience, patience_ended_cb, self, NULL);
  g_source_attach (self->patience, g_main_context_get_thread_default ());
}

static gboolean
hear_started (FhNativeSandbox *self, const struct fh_frame *frame)
{
  if (frame->size != 0)
    return FALSE;
  if (self->in_force.wall_ms != 0)
    be_patient (self, self->in_force.wall_ms + TIME_GRACE_MS);
  else
    stop_patience (self);
  fh_run_started (self->run);
  return TRUE;
}

/* Nothing ran yet, and the user has not asked for this tier or for the end. */
static gboolean
may_climb (FhNativeSandbox *self)
{
  const FhRunGuards *guards = fh_run_request_get_guards (fh_run_get_request (self->run));

  return guards->tier == FH_TIER_AUTO && !self->has_climbed &&
         fh_run_get_state (self->run) == FH_RUN_PREPARING;
}

static gboolean start (FhNativeSandbox *self, FhTier tier, GError **error);

/* The same tier works after all, or none does: then it was this run that could not be prepared. */
static void
begin_anew (FhNativeSandbox *self, FhTier tier)
{
  FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_GUARD_FAILED, self->failed_step, NULL);
  g_autoptr (GError) error = NULL;

  outcome.error = self->failed_error;
  if (tier == FH_TIER_AUTO || tier == self->tier)
    finish (self, &outcome);
  else if (!start (self, tier, &error))
    finish_ourselves (self, FH_RUN_STATUS_INTERNAL_ERROR, "runner", error->message);
}

static void
climbed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GWeakRef *weak = user_data;
  g_autoptr (FhNativeSandbox) self = g_weak_ref_get (weak);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhTierLadder) ladder = fh_tier_ladder_climb_finish (result, &error);

  g_weak_ref_clear (weak);
  g_free (weak);
  if (self == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->climbing);
  begin_anew (self, ladder != NULL ? fh_tier_ladder_get_tier (ladder) : FH_TIER_AUTO);
}

static void
climb (FhNativeSandbox *self, const FhRunOutcome *outcome)
{
  GWeakRef *weak = g_new (GWeakRef, 1);

  self->has_climbed = TRUE;
  g_free (self->failed_step);
  self->failed_step = g_strdup (outcome->step);
  self->failed_error = outcome->error;
  fh_runner_process_close (self->process);
  g_clear_object (&self->process);
  g_cancellable_cancel (self->ordering);
  g_clear_object (&self->ordering);
  g_clear_pointer (&self->feed, fh_run_feed_free);
  be_patient (self, SETUP_GRACE_MS);
  self->climbing = g_cancellable_new ();
  g_weak_ref_init (weak, self);
  fh_tier_ladder_climb_async (FH_TIER_AUTO, self->climbing, climbed_cb, weak);
}

static gboolean
hear_finished (FhNativeSandbox *self, const struct fh_frame *frame)
{
  struct fh_finished finished;
  FhRunOutcome outcome;

  if (!fh_finished_decode (&finished, frame->payload, frame->size))
    return FALSE;
  outcome = fh_outcome_from_wire (&finished, &self->in_force);
  if (outcome.status == FH_RUN_STATUS_GUARD_FAILED && may_climb (self))
    climb (self, &outcome);
  else
    finish (self, &outcome);
  free ((char *) finished.step);
  return TRUE;
}

static gboolean
runner_frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  g_autoptr (FhNativeSandbox) self = g_object_ref (FH_NATIVE_SANDBOX (user_data));

  switch (frame->kind)
    {
    case FH_FRAME_STARTED:
      return hear_started (self, frame);
    case FH_FRAME_FINISHED:
      return hear_finished (self, frame);
    default:
      return fh_run_feed_hear (self->feed, frame);
    }
}

static void
runner_gone_cb (const char *why, gpointer user_data)
{
  finish_ourselves (FH_NATIVE_SANDBOX (user_data), FH_RUN_STATUS_INTERNAL_ERROR, "runner", why);
}

static void
stop_requested_cb (FhRun *run, gboolean by_force, FhNativeSandbox *self)
{
  if (self->climbing != NULL)
    finish_ourselves (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
  if (self->process == NULL)
    return;
  fh_runner_process_send_stop (self->process);
  if (by_force)
    be_patient (self, FORCE_GRACE_MS);
}

/* The user's zone when it is simply known; a program then shows the user's times. */
static char *
time_zone_of_user (void)
{
  static const char zones[] = "/zoneinfo/";
  const char *chosen = g_getenv ("TZ");
  char target[PATH_MAX];
  const char *zone;
  ssize_t size;

  if (chosen != NULL && *chosen != '\0')
    return g_strdup (*chosen == ':' ? chosen + 1 : chosen);
  size = readlink ("/etc/localtime", target, sizeof target - 1);
  if (size < 0)
    return NULL;
  target[size] = '\0';
  zone = g_strrstr (target, zones);
  return zone != NULL ? g_strdup (zone + sizeof zones - 1) : NULL;
}

static gboolean
check_guest_folder (const char *folder, GError **error)
{
  g_autofree char *bootstrap = g_build_filename (folder, "bootstrap.py", NULL);

  if (access (bootstrap, R_OK) == 0)
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_UNAVAILABLE,
               _ ("“%s” is missing: install Fumehood anew."),
               bootstrap);
  return FALSE;
}

static FhRunnerOrder *
build_order (FhNativeSandbox *self, GError **error)
{
  FhRunRequest *request = fh_run_get_request (self->run);
  const FhLanguage *language = fh_run_request_get_language (request);
  g_autoptr (FhInterpreter) interpreter = NULL;
  g_autofree char *guest_folder = fh_runner_locate_guest_folder ();
  g_autofree char *time_zone = time_zone_of_user ();
  struct fh_policy *policy;

  interpreter = fh_interpreter_resolve (language, fh_run_request_get_interpreter (request), error);
  if (interpreter == NULL || !check_guest_folder (guest_folder, error))
    return NULL;
  self->feed = fh_run_feed_new (self->run,
                                fh_tier_to_string (self->tier),
                                (const char *const *) interpreter->prefixes);
  policy = fh_policy_build (&(FhPolicyParts){
      .request = request,
      .interpreter = interpreter,
      .limits = &self->in_force,
      .guest_folder = guest_folder,
      .time_zone = time_zone,
      .tier = self->tier,
  });
  return fh_runner_order_new (policy,
                              language->file_name,
                              fh_run_request_get_source (request),
                              error);
}

static FhTier
choose_tier (FhRunRequest *request)
{
  FhTier tier = fh_run_request_get_guards (request)->tier;

  if (tier == FH_TIER_AUTO)
    tier = fh_tier_cache_read ();
  return tier != FH_TIER_AUTO ? tier : FH_TIER_NAMESPACES;
}

static gboolean
start (FhNativeSandbox *self, FhTier tier, GError **error)
{
  static const FhRunnerListener listener = { runner_frame_cb, runner_gone_cb };
  FhRunRequest *request = fh_run_get_request (self->run);
  g_autofree char *runner = fh_runner_locate ();
  g_autoptr (FhRunnerOrder) order = NULL;

  self->tier = tier;
  order = build_order (self, error);
  if (order == NULL)
    return FALSE;
  self->process = fh_runner_process_start (runner,
                                           fh_run_request_get_standard_input (request),
                                           &listener,
                                           self,
                                           error);
  if (self->process == NULL)
    return FALSE;
  be_patient (self, SETUP_GRACE_MS);
  self->ordering = g_cancellable_new ();
  fh_runner_order_give (g_steal_pointer (&order), self->process, self->ordering);
  return TRUE;
}

static FhRun *
fh_native_sandbox_run (FhSandbox *sandbox, FhRunRequest *request)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (sandbox);
  g_autoptr (FhRun) run = fh_run_new (request, "native");
  g_autoptr (GError) error = NULL;

  if (self->run != NULL)
    {
      fh_run_end_early (run,
                        FH_RUN_STATUS_INTERNAL_ERROR,
                        "busy",
                        _ ("This sandbox is still running something else."));
      return g_steal_pointer (&run);
    }
  self->run = g_object_ref (run);
  self->has_climbed = FALSE;
  self->in_force = fh_policy_limits_without (
      fh_policy_limits (&self->limits, fh_run_request_get_limits (request)),
      fh_run_request_get_guards (request)->without);
  g_signal_connect_object (run, "stop-requested", G_CALLBACK (stop_requested_cb), self, 0);
  if (!start (self, choose_tier (request), &error))
    {
      gboolean ours = error->domain != FH_RUN_ERROR || error->code == FH_RUN_ERROR_UNAVAILABLE;

      g_clear_object (&self->run);
      g_clear_pointer (&self->feed, fh_run_feed_free);
      fh_run_end_early (run,
                        ours ? FH_RUN_STATUS_INTERNAL_ERROR : FH_RUN_STATUS_NOT_STARTED,
                        ours ? "runner" : "interpreter",
                        error->message);
    }
  return g_steal_pointer (&run);
}

static void
fh_native_sandbox_dispose (GObject *object)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (object);

  if (self->run != NULL)
    finish_ourselves (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
  stop_patience (self);

  G_OBJECT_CLASS (fh_native_sandbox_parent_class)->dispose (object);
}

static void
fh_native_sandbox_finalize (GObject *object)
{
  g_free (FH_NATIVE_SANDBOX (object)->failed_step);

  G_OBJECT_CLASS (fh_native_sandbox_parent_class)->finalize (object);
}

static void
fh_native_sandbox_class_init (FhNativeSandboxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_native_sandbox_dispose;
  object_class->finalize = fh_native_sandbox_finalize;
}

static void
sandbox_iface_init (FhSandboxInterface *iface)
{
  iface->run = fh_native_sandbox_run;
}

static void
fh_native_sandbox_init (FhNativeSandbox *self)
{
}

FhSandbox *
fh_native_sandbox_new (const FhRunLimits *limits)
{
  FhNativeSandbox *self = g_object_new (FH_TYPE_NATIVE_SANDBOX, NULL);

  self->limits = *limits;
  return FH_SANDBOX (self);
}
