/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "native-sandbox.h"

#include <glib/gi18n-lib.h>

#include "early-end.h"
#include "interpreter.h"
#include "policy-builder.h"
#include "run-conversation.h"
#include "run-error.h"
#include "runner-locator.h"
#include "runner-order.h"
#include "tier-cache.h"
#include "tier-ladder.h"
#include "time-zone.h"
#include "wire-translation.h"

/* How long it may take to try all tiers. */
#define CLIMB_PATIENCE_MS 30000

/* Idle, or busy with one run: then `conversation` is set. The run is finished exactly once, by
 * whatever comes first: the runner's own last word, its death, our patience, or our disposal.
 *
 * When the sandbox cannot be built in the tier that is known to work here, or in the best one when
 * none is known, `climbing` is set while all of them are tried; then the run begins anew in the one
 * that works, once. */
struct _FhNativeSandbox
{
  GObject parent_instance;

  FhRunLimits limits;
  FhRunConversation *conversation;
  GCancellable *ordering; /* the runner may not have been told yet */
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

/* Lets go of the run first, so that whoever hears of the end finds an idle sandbox. */
static FhRunConversation *
steal_conversation (FhNativeSandbox *self)
{
  g_cancellable_cancel (self->climbing);
  g_clear_object (&self->climbing);
  g_cancellable_cancel (self->ordering);
  g_clear_object (&self->ordering);
  return g_steal_pointer (&self->conversation);
}

static void
finish (FhNativeSandbox *self, const FhRunOutcome *outcome)
{
  fh_run_conversation_end (steal_conversation (self), outcome);
}

static void
finish_ourselves (FhNativeSandbox *self, FhRunStatus status, const char *step, const char *message)
{
  fh_run_conversation_end_ourselves (steal_conversation (self), status, step, message);
}

static void
silent_cb (gpointer user_data)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (user_data);
  FhRun *run = fh_run_conversation_get_run (self->conversation);
  gboolean stopping = fh_run_get_state (run) == FH_RUN_STOPPING;

  finish_ourselves (self,
                    stopping ? FH_RUN_STATUS_STOPPED : FH_RUN_STATUS_INTERNAL_ERROR,
                    NULL,
                    _ ("The guarded runner did not answer any more and was ended."));
}

/* Nothing ran yet, and the user has not asked for this tier or for the end. */
static gboolean
may_climb (FhNativeSandbox *self)
{
  FhRun *run = fh_run_conversation_get_run (self->conversation);
  const FhRunGuards *guards = fh_run_request_get_guards (fh_run_get_request (run));

  return guards->tier == FH_TIER_AUTO && !self->has_climbed &&
         fh_run_get_state (run) == FH_RUN_PREPARING;
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
  fh_run_conversation_break_off (self->conversation);
  g_cancellable_cancel (self->ordering);
  g_clear_object (&self->ordering);
  fh_run_conversation_be_patient (self->conversation, CLIMB_PATIENCE_MS);
  self->climbing = g_cancellable_new ();
  g_weak_ref_init (weak, self);
  fh_tier_ladder_climb_async (FH_TIER_AUTO, self->climbing, climbed_cb, weak);
}

static void
finished_cb (const FhRunOutcome *outcome, gpointer user_data)
{
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (user_data);

  if (outcome->status == FH_RUN_STATUS_GUARD_FAILED && may_climb (self))
    climb (self, outcome);
  else
    finish (self, outcome);
}

static void
gone_cb (const char *why, gpointer user_data)
{
  finish_ourselves (FH_NATIVE_SANDBOX (user_data), FH_RUN_STATUS_INTERNAL_ERROR, "runner", why);
}

/* While the tiers are tried. */
static void
stopped_cb (gpointer user_data)
{
  finish_ourselves (FH_NATIVE_SANDBOX (user_data), FH_RUN_STATUS_STOPPED, NULL, NULL);
}

static FhRunnerOrder *
build_order (FhNativeSandbox *self, FhRunFeed **feed, GError **error)
{
  FhRun *run = fh_run_conversation_get_run (self->conversation);
  FhRunRequest *request = fh_run_get_request (run);
  const FhLanguage *language = fh_run_request_get_language (request);
  g_autoptr (FhInterpreter) interpreter = NULL;
  g_autofree char *guest_folder = fh_runner_locate_guest_folder ();
  g_autofree char *time_zone = fh_time_zone_of_user ();
  struct fh_policy *policy;

  interpreter = fh_interpreter_resolve (language, fh_run_request_get_interpreter (request), error);
  if (interpreter == NULL || !fh_runner_check_guest_folder (guest_folder, error))
    return NULL;
  *feed = fh_run_feed_new (run,
                           fh_tier_to_string (self->tier),
                           (const char *const *) interpreter->prefixes);
  policy = fh_policy_build (&(FhPolicyParts){
      .request = request,
      .interpreter = interpreter,
      .limits = fh_run_conversation_get_limits (self->conversation),
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
  FhRun *run = fh_run_conversation_get_run (self->conversation);
  g_autofree char *runner = fh_runner_locate ();
  g_autoptr (FhRunnerOrder) order = NULL;
  g_autoptr (FhRunFeed) feed = NULL;

  self->tier = tier;
  order = build_order (self, &feed, error);
  if (order == NULL ||
      !fh_run_conversation_start (self->conversation,
                                  g_steal_pointer (&feed),
                                  runner,
                                  fh_run_request_get_standard_input (fh_run_get_request (run)),
                                  error))
    return FALSE;
  self->ordering = g_cancellable_new ();
  fh_runner_order_give (g_steal_pointer (&order),
                        fh_run_conversation_get_process (self->conversation),
                        self->ordering);
  return TRUE;
}

static FhRun *
fh_native_sandbox_run (FhSandbox *sandbox, FhRunRequest *request)
{
  static const FhRunConversationListener listener = { finished_cb, gone_cb, silent_cb, stopped_cb };
  FhNativeSandbox *self = FH_NATIVE_SANDBOX (sandbox);
  g_autoptr (FhRun) run = fh_run_new (request, "native");
  g_autoptr (GError) error = NULL;
  FhRunLimits limits;

  if (self->conversation != NULL)
    {
      fh_run_end_early (run,
                        FH_RUN_STATUS_INTERNAL_ERROR,
                        "busy",
                        _ ("This sandbox is still running something else."));
      return g_steal_pointer (&run);
    }
  limits = fh_policy_limits_without (
      fh_policy_limits (&self->limits, fh_run_request_get_limits (request)),
      fh_run_request_get_guards (request)->without);
  self->conversation = fh_run_conversation_new (run, &limits, &listener, self);
  self->has_climbed = FALSE;
  if (!start (self, choose_tier (request), &error))
    {
      gboolean ours = error->domain != FH_RUN_ERROR || error->code == FH_RUN_ERROR_UNAVAILABLE;

      g_clear_pointer (&self->conversation, fh_run_conversation_free);
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

  if (self->conversation != NULL)
    finish_ourselves (self, FH_RUN_STATUS_STOPPED, NULL, NULL);

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
