/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend.h"

G_DEFINE_INTERFACE (FhBackend, fh_backend, G_TYPE_OBJECT)

static void
fh_backend_default_init (FhBackendInterface *iface)
{
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
      FhGuardLevel level = fh_guard_state_get_level (state);

      if (level == FH_GUARD_LEVEL_DEGRADED || level == FH_GUARD_LEVEL_UNAVAILABLE)
        {
          probe->reason = g_strdup (fh_guard_state_get_sentence (state));
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
  FH_BACKEND_GET_IFACE (self)->probe (self, task);
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

  return FH_BACKEND_GET_IFACE (self)->prepare (self, request);
}
