/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "native-backend.h"

#include "native-sandbox.h"
#include "tier-ladder.h"

struct _FhNativeBackend
{
  GObject parent_instance;

  FhTier tier; /* the one to probe, or AUTO */
};

static void backend_iface_init (FhBackendInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhNativeBackend,
                               fh_native_backend,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_BACKEND, backend_iface_init))

static FhBackendProbe *
make_probe (const FhTierLadder *ladder)
{
  FhBackendProbe *probe = g_new0 (FhBackendProbe, 1);
  const FhTierProbe *last = g_ptr_array_index (ladder->probes, ladder->probes->len - 1);
  const FhRunOutcome failure = fh_tier_probe_outcome (last);

  probe->may_run = last->works;
  probe->tier = g_strdup (last->works ? fh_tier_to_string (last->tier) : "");
  probe->guards = g_ptr_array_ref (last->guards);
  probe->reason = fh_tier_ladder_explain (ladder);
  probe->advice = fh_tier_ladder_advise (ladder);
  if (!last->works && ladder->probes->len == 1)
    {
      g_free (probe->reason);
      probe->reason = fh_run_outcome_sentence (&failure);
    }
  if (probe->reason == NULL)
    fh_backend_probe_explain_weakness (probe);
  return probe;
}

static void
climbed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (FhTierLadder) ladder = NULL;
  GError *error = NULL;

  ladder = fh_tier_ladder_climb_finish (result, &error);
  if (ladder == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, make_probe (ladder), (GDestroyNotify) fh_backend_probe_free);
}

static void
fh_native_backend_probe_async (FhBackend *backend,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (backend, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_native_backend_probe_async);
  fh_tier_ladder_climb_async (FH_NATIVE_BACKEND (backend)->tier, cancellable, climbed_cb, task);
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

void
fh_native_backend_set_probed_tier (FhNativeBackend *self, FhTier tier)
{
  g_return_if_fail (FH_IS_NATIVE_BACKEND (self));

  self->tier = tier;
}
