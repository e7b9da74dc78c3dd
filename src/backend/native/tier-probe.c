/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tier-probe.h"

#include <glib/gi18n-lib.h>

#include "main-source.h"
#include "policy-builder.h"
#include "run-error.h"
#include "runner-command.h"
#include "runner-locator.h"
#include "runner-process.h"
#include "wire-translation.h"

/* A pending probe. Its process holds one reference to the task, which the end of the probe
 * consumes. */
typedef struct
{
  FhTier tier;
  FhRunnerProcess *process;
  GCancellable *sending; /* of the command */
  GPtrArray *guards;
  GSource *cancelled; /* nullable */
} Probing;

static void
probing_free (gpointer data)
{
  Probing *probing = data;

  g_clear_pointer (&probing->guards, g_ptr_array_unref);
  g_object_unref (probing->sending);
  g_free (probing);
}

void
fh_tier_probe_free (FhTierProbe *probe)
{
  if (probe == NULL)
    return;
  g_clear_pointer (&probe->guards, g_ptr_array_unref);
  g_free (probe->step);
  g_free (probe);
}

/* No callbacks after this. */
static void
hang_up (Probing *probing)
{
  g_cancellable_cancel (probing->sending);
  fh_runner_process_close (probing->process);
  g_clear_object (&probing->process);
  fh_source_clear (&probing->cancelled);
}

static FhTierProbe *
make_probe (Probing *probing, const struct fh_finished *finished)
{
  FhTierProbe *probe = g_new0 (FhTierProbe, 1);

  probe->tier = probing->tier;
  probe->works = finished->status == FH_WIRE_EXITED && finished->exit_code == 0;
  probe->guards = g_steal_pointer (&probing->guards);
  if (probe->guards == NULL)
    probe->guards = g_ptr_array_new_with_free_func (g_object_unref);
  probe->step = finished->step[0] != '\0' ? g_strdup (finished->step) : NULL;
  probe->error = finished->error;
  return probe;
}

static gboolean
handle_finished (GTask *task, const struct fh_frame *frame)
{
  g_autoptr (GTask) ended = NULL;
  Probing *probing = g_task_get_task_data (task);
  struct fh_finished finished;

  if (!fh_finished_decode (&finished, frame->payload, frame->size))
    return FALSE;
  ended = task;
  hang_up (probing);
  g_task_return_pointer (task,
                         make_probe (probing, &finished),
                         (GDestroyNotify) fh_tier_probe_free);
  free ((char *) finished.step);
  return TRUE;
}

static gboolean
probe_frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  GTask *task = G_TASK (user_data);
  Probing *probing = g_task_get_task_data (task);

  switch (frame->kind)
    {
    case FH_FRAME_GUARDS:
      g_clear_pointer (&probing->guards, g_ptr_array_unref);
      probing->guards = fh_guard_states_from_wire (frame->payload, frame->size, NULL);
      return probing->guards != NULL;
    case FH_FRAME_USAGE:
      return TRUE;
    case FH_FRAME_FINISHED:
      return handle_finished (task, frame);
    default:
      return FALSE;
    }
}

static void
probe_gone_cb (const char *why, gpointer user_data)
{
  g_autoptr (GTask) ended = G_TASK (user_data);

  hang_up (g_task_get_task_data (ended));
  g_task_return_new_error (ended, FH_RUN_ERROR, FH_RUN_ERROR_UNAVAILABLE, "%s", why);
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) ended = G_TASK (user_data);

  hang_up (g_task_get_task_data (ended));
  g_task_return_error_if_cancelled (ended);
  return G_SOURCE_REMOVE;
}

static FhRunnerCommand *
start_process (Probing *probing, GTask *task, GError **error)
{
  static const FhRunnerListener listener = { probe_frame_cb, probe_gone_cb };
  g_autofree char *guest = fh_runner_locate_guest_folder ();
  /* If that folder is missing, each run says so; the guards are not to blame. */
  const gboolean has_guest = fh_runner_check_guest_folder (guest, NULL);
  struct fh_policy *policy = fh_policy_build_probe (probing->tier, has_guest ? guest : NULL);
  g_autofree char *runner = fh_runner_locate ();
  FhPortalFolder *folder = NULL;

  if (fh_portal_folder_prepare (policy, &folder, error))
    probing->process = fh_runner_process_start (runner, -1, folder, &listener, task, error);
  if (probing->process != NULL)
    return fh_runner_command_new (policy, NULL, NULL, NULL);
  fh_policy_free (policy);
  return NULL;
}

void
fh_tier_probe_async (FhTier tier,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  FhRunnerCommand *command;
  Probing *probing = g_new0 (Probing, 1);
  GError *error = NULL;

  g_return_if_fail (tier != FH_TIER_AUTO);

  g_task_set_source_tag (task, fh_tier_probe_async);
  probing->tier = tier;
  probing->sending = g_cancellable_new ();
  g_task_set_task_data (task, probing, probing_free);
  if (g_task_return_error_if_cancelled (task))
    return;
  command = start_process (probing, task, &error);
  if (command == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (cancellable != NULL)
    probing->cancelled = fh_source_attach (g_cancellable_source_new (cancellable),
                                           G_SOURCE_FUNC (cancelled_cb),
                                           task,
                                           NULL);
  fh_runner_command_send (command, probing->process, probing->sending);
  g_steal_pointer (&task);
}

FhTierProbe *
fh_tier_probe_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
fh_tier_probe_is_temporary (const FhTierProbe *probe)
{
  FhRunOutcome outcome = fh_tier_probe_outcome (probe);

  return !probe->works && fh_run_outcome_is_shortage (&outcome);
}

FhRunOutcome
fh_tier_probe_outcome (const FhTierProbe *probe)
{
  FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_GUARD_FAILED, probe->step, NULL);

  outcome.error = probe->error;
  return outcome;
}

char *
fh_tier_probe_sentence (const FhTierProbe *probe)
{
  /* Translators: a way to separate the program from the user’s things, "A sandbox of Fumehood’s own
   * namespaces"; the technical name of a step, "user-namespace"; the system's words for an error */
  return g_strdup_printf (_ ("%s cannot be used here: the step “%s” failed (%s)."),
                          fh_tier_title (probe->tier),
                          probe->step != NULL ? probe->step : "start",
                          g_strerror (probe->error));
}

char *
fh_tier_probe_advice (const FhTierProbe *probe)
{
  const FhRunOutcome outcome = fh_tier_probe_outcome (probe);

  return fh_run_outcome_advice (&outcome);
}
