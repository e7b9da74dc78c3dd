/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "native-backend.h"

#include <glib/gi18n-lib.h>

#include "native-sandbox.h"
#include "policy-builder.h"
#include "run-error.h"
#include "runner-locator.h"
#include "runner-order.h"
#include "runner-process.h"
#include "wire-translation.h"

struct _FhNativeBackend
{
  GObject parent_instance;
};

static void backend_iface_init (FhBackendInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhNativeBackend,
                               fh_native_backend,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_BACKEND, backend_iface_init))

/* One probe under way: the runner builds every guard around nothing and tells. The conversation
 * holds one reference to the task, which whatever ends it takes over. */
typedef struct
{
  FhRunnerProcess *process;
  GCancellable *ordering; /* the runner may not have been told yet */
  GPtrArray *guards;
  GSource *cancelled; /* NULL when it cannot be cancelled */
} Probing;

static void
probing_free (gpointer data)
{
  Probing *probing = data;

  g_clear_pointer (&probing->guards, g_ptr_array_unref);
  g_object_unref (probing->ordering);
  g_free (probing);
}

/* Nothing is heard after this. */
static void
hang_up (Probing *probing)
{
  g_cancellable_cancel (probing->ordering);
  fh_runner_process_close (probing->process);
  g_clear_object (&probing->process);
  if (probing->cancelled != NULL)
    {
      g_source_destroy (probing->cancelled);
      g_clear_pointer (&probing->cancelled, g_source_unref);
    }
}

/* The first guard that is weaker than usual gives the reason. */
static void
explain_weakness (FhBackendProbe *probe)
{
  for (guint i = 0; i < probe->guards->len; i++)
    {
      FhGuardState *state = g_ptr_array_index (probe->guards, i);
      FhGuardLevel level = fh_guard_state_get_level (state);

      if (level == FH_GUARD_LEVEL_DEGRADED || level == FH_GUARD_LEVEL_UNAVAILABLE)
        {
          probe->reason = g_strdup (fh_guard_state_get_sentence (state));
          return;
        }
    }
}

static FhBackendProbe *
make_probe (Probing *probing, const FhRunOutcome *outcome)
{
  FhBackendProbe *probe = g_new0 (FhBackendProbe, 1);

  probe->may_run = outcome->status == FH_RUN_STATUS_OK;
  probe->tier = g_strdup (probe->may_run ? "A" : "");
  probe->guards = g_steal_pointer (&probing->guards);
  if (probe->guards == NULL)
    probe->guards = g_ptr_array_new_with_free_func (g_object_unref);
  if (probe->may_run)
    {
      explain_weakness (probe);
      return probe;
    }
  probe->reason = fh_run_outcome_sentence (outcome);
  probe->advice = fh_run_outcome_advice (outcome);
  return probe;
}

static gboolean
hear_finished (GTask *task, const struct fh_frame *frame)
{
  g_autoptr (GTask) ended = NULL;
  Probing *probing = g_task_get_task_data (task);
  struct fh_finished finished;
  FhRunOutcome outcome;

  if (!fh_finished_decode (&finished, frame->payload, frame->size))
    return FALSE;
  ended = task;
  hang_up (probing);
  outcome = fh_outcome_from_wire (&finished, &FH_RUN_LIMITS_DEFAULT);
  g_task_return_pointer (task,
                         make_probe (probing, &outcome),
                         (GDestroyNotify) fh_backend_probe_free);
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
      return hear_finished (task, frame);
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

static void
watch_cancellable (GTask *task)
{
  Probing *probing = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  if (cancellable == NULL)
    return;
  probing->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_callback (probing->cancelled, G_SOURCE_FUNC (cancelled_cb), task, NULL);
  g_source_attach (probing->cancelled, g_main_context_get_thread_default ());
}

static void
send_probe (Probing *probing)
{
  FhRunnerOrder *order = fh_runner_order_new (fh_policy_build_probe (), NULL, NULL, NULL);

  fh_runner_order_give (order, probing->process, probing->ordering);
}

static void
fh_native_backend_probe_async (FhBackend *backend,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  static const FhRunnerListener listener = { probe_frame_cb, probe_gone_cb };
  g_autoptr (GTask) task = g_task_new (backend, cancellable, callback, user_data);
  g_autofree char *runner = fh_runner_locate ();
  Probing *probing = g_new0 (Probing, 1);
  GError *error = NULL;

  g_task_set_source_tag (task, fh_native_backend_probe_async);
  probing->ordering = g_cancellable_new ();
  g_task_set_task_data (task, probing, probing_free);
  if (g_task_return_error_if_cancelled (task))
    return;
  probing->process = fh_runner_process_start (runner, NULL, &listener, task, &error);
  if (probing->process == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  watch_cancellable (task);
  send_probe (probing);
  g_steal_pointer (&task);
}

static FhBackendProbe *
fh_native_backend_probe_finish (FhBackend *backend, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, backend), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static const char *
fh_native_backend_get_id (FhBackend *backend)
{
  return "native";
}

static FhSandbox *
fh_native_backend_prepare (FhBackend *backend, const FhRunLimits *limits)
{
  return fh_native_sandbox_new (limits);
}

static void
fh_native_backend_class_init (FhNativeBackendClass *klass)
{
}

static void
backend_iface_init (FhBackendInterface *iface)
{
  iface->get_id = fh_native_backend_get_id;
  iface->probe_async = fh_native_backend_probe_async;
  iface->probe_finish = fh_native_backend_probe_finish;
  iface->prepare = fh_native_backend_prepare;
}

static void
fh_native_backend_init (FhNativeBackend *self)
{
}

FhNativeBackend *
fh_native_backend_new (void)
{
  return g_object_new (FH_TYPE_NATIVE_BACKEND, NULL);
}
