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

const char *
fh_backend_get_id (FhBackend *self)
{
  g_return_val_if_fail (FH_IS_BACKEND (self), NULL);

  return FH_BACKEND_GET_IFACE (self)->get_id (self);
}

void
fh_backend_probe_async (FhBackend *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_return_if_fail (FH_IS_BACKEND (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  FH_BACKEND_GET_IFACE (self)->probe_async (self, cancellable, callback, user_data);
}

FhBackendProbe *
fh_backend_probe_finish (FhBackend *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (FH_IS_BACKEND (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return FH_BACKEND_GET_IFACE (self)->probe_finish (self, result, error);
}

FhSandbox *
fh_backend_prepare (FhBackend *self, const FhRunLimits *limits)
{
  g_return_val_if_fail (FH_IS_BACKEND (self), NULL);
  g_return_val_if_fail (limits != NULL, NULL);

  return FH_BACKEND_GET_IFACE (self)->prepare (self, limits);
}
