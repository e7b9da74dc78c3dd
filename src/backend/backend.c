/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend.h"

#include "container-probe.h"
#include "container-sandbox.h"
#include "native-sandbox.h"
#include "tier-selection.h"

typedef struct
{
  FhTier tier;                   /* of this computer: the one to probe, or AUTO */
  FhContainerOptions *container; /* NULL: this computer */
} FhBackendPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (FhBackend, fh_backend, G_TYPE_OBJECT)

static void
fh_backend_real_probe (FhBackend *self, GTask *task)
{
  const FhBackendPrivate *priv = fh_backend_get_instance_private (self);

  if (priv->container != NULL)
    fh_container_probe (priv->container, task);
  else
    fh_native_probe (priv->tier, task);
}

static FhSandbox *
fh_backend_real_prepare (FhBackend *self, FhRunRequest *request)
{
  const FhBackendPrivate *priv = fh_backend_get_instance_private (self);

  if (priv->container == NULL)
    return fh_native_sandbox_new ();
  return fh_container_sandbox_new (priv->container, &fh_run_request_get_parts (request)->limits);
}

static void
fh_backend_finalize (GObject *object)
{
  const FhBackendPrivate *priv = fh_backend_get_instance_private (FH_BACKEND (object));

  fh_container_options_free (priv->container);

  G_OBJECT_CLASS (fh_backend_parent_class)->finalize (object);
}

static void
fh_backend_class_init (FhBackendClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_backend_finalize;
  klass->probe = fh_backend_real_probe;
  klass->prepare = fh_backend_real_prepare;
}

static void
fh_backend_init (FhBackend *self)
{
}

FhBackend *
fh_backend_new (FhTier tier, const FhContainerOptions *container)
{
  FhBackend *self = g_object_new (FH_TYPE_BACKEND, NULL);
  FhBackendPrivate *priv = fh_backend_get_instance_private (self);

  priv->tier = tier;
  priv->container = container != NULL ? fh_container_options_copy (container) : NULL;
  return self;
}

void
fh_backend_probe_free (FhBackendProbe *probe)
{
  if (probe == NULL)
    return;
  g_free (probe->tier);
  g_free (probe->reason);
  g_free (probe->advice);
  g_clear_pointer (&probe->guards, g_ptr_array_unref);
  g_free (probe);
}

void
fh_backend_probe_explain_weakness (FhBackendProbe *probe)
{
  for (guint i = 0; i < probe->guards->len; i++)
    {
      FhGuardState *state = g_ptr_array_index (probe->guards, i);
      FhGuardLevel level = fh_guard_state_get_facts (state)->level;

      if (level == FH_GUARD_LEVEL_DEGRADED || level == FH_GUARD_LEVEL_UNAVAILABLE)
        {
          probe->reason = g_strdup (fh_guard_state_get_facts (state)->sentence);
          return;
        }
    }
}

void
fh_backend_probe_async (FhBackend *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_backend_probe_async);
  FH_BACKEND_GET_CLASS (self)->probe (self, task);
}

FhBackendProbe *
fh_backend_probe_finish (FhBackend *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

FhSandbox *
fh_backend_prepare (FhBackend *self, FhRunRequest *request)
{
  g_return_val_if_fail (FH_IS_BACKEND (self), NULL);
  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);

  return FH_BACKEND_GET_CLASS (self)->prepare (self, request);
}
