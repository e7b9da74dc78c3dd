/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox.h"

#include <glib/gi18n-lib.h>

#include "run-error.h"
#include "signals.h"
#include "wire-policy.h"

G_DEFINE_INTERFACE (FhSandbox, fh_sandbox, G_TYPE_OBJECT)

static guint changed_signal;

static void
fh_sandbox_default_init (FhSandboxInterface *iface)
{
  changed_signal = fh_signal_new ("changed", FH_TYPE_SANDBOX, 0);
}

FhRun *
fh_sandbox_run (FhSandbox *self, FhRunRequest *request)
{
  g_return_val_if_fail (FH_IS_SANDBOX (self), NULL);
  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);

  return FH_SANDBOX_GET_IFACE (self)->run (self, request);
}

void
fh_sandbox_prepare (FhSandbox *self, FhRunRequest *request)
{
  g_return_if_fail (FH_IS_SANDBOX (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));

  if (FH_SANDBOX_GET_IFACE (self)->prepare != NULL)
    FH_SANDBOX_GET_IFACE (self)->prepare (self, request);
}

void
fh_sandbox_end_cells (FhSandbox *self)
{
  g_return_if_fail (FH_IS_SANDBOX (self));

  if (FH_SANDBOX_GET_IFACE (self)->end_cells != NULL)
    FH_SANDBOX_GET_IFACE (self)->end_cells (self);
}

void
fh_sandbox_keep_warm (FhSandbox *self, FhRunRequest *like, const char *const *modules)
{
  g_return_if_fail (FH_IS_SANDBOX (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (like) && modules != NULL);

  if (FH_SANDBOX_GET_IFACE (self)->keep_warm != NULL)
    FH_SANDBOX_GET_IFACE (self)->keep_warm (self, like, modules);
}

void
fh_sandbox_keep_on (FhSandbox *self, int cpu)
{
  g_return_if_fail (FH_IS_SANDBOX (self));
  g_return_if_fail (cpu >= 0);

  if (FH_SANDBOX_GET_IFACE (self)->keep_on != NULL)
    FH_SANDBOX_GET_IFACE (self)->keep_on (self, cpu);
}

gboolean
fh_sandbox_check_modules (const char *const *modules, GError **error)
{
  g_return_val_if_fail (modules != NULL, FALSE);

  for (guint i = 0; modules[i] != NULL; i++)
    {
      if (i == FH_POLICY_MAX_PRELOAD)
        return fh_run_error_refuse (error,
                                    _ ("At most %d modules can be imported ahead."),
                                    FH_POLICY_MAX_PRELOAD);
      if (!fh_policy_is_module (modules[i]))
        return fh_run_error_refuse (error, _ ("“%s” is not the name of a module."), modules[i]);
    }
  return TRUE;
}

const char *
fh_sandbox_get_name (FhSandbox *self)
{
  FhSandboxInterface *iface;

  g_return_val_if_fail (FH_IS_SANDBOX (self), NULL);

  iface = FH_SANDBOX_GET_IFACE (self);
  return iface->get_name != NULL ? iface->get_name (self) : NULL;
}

const FhEngineFacts *
fh_sandbox_get_engine (FhSandbox *self)
{
  FhSandboxInterface *iface;

  g_return_val_if_fail (FH_IS_SANDBOX (self), NULL);

  iface = FH_SANDBOX_GET_IFACE (self);
  return iface->get_engine != NULL ? iface->get_engine (self) : NULL;
}

gboolean
fh_sandbox_get_progress (FhSandbox *self, FhSandboxProgress *progress)
{
  FhSandboxInterface *iface;

  g_return_val_if_fail (FH_IS_SANDBOX (self), FALSE);

  iface = FH_SANDBOX_GET_IFACE (self);
  return iface->get_progress != NULL && iface->get_progress (self, progress);
}

void
fh_sandbox_query_state_async (FhSandbox *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_sandbox_query_state_async);
  if (FH_SANDBOX_GET_IFACE (self)->query_state != NULL)
    FH_SANDBOX_GET_IFACE (self)->query_state (self, task);
  else
    g_task_return_int (task, FH_SANDBOX_NONE);
}

FhSandboxState
fh_sandbox_query_state_finish (FhSandbox *self, GAsyncResult *result, GError **error)
{
  gssize state;

  g_return_val_if_fail (g_task_is_valid (result, self), FH_SANDBOX_NONE);

  state = g_task_propagate_int (G_TASK (result), error);
  return state >= 0 ? (FhSandboxState) state : FH_SANDBOX_NONE;
}

void
fh_sandbox_restart_async (FhSandbox *self,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_sandbox_restart_async);
  if (FH_SANDBOX_GET_IFACE (self)->restart != NULL)
    FH_SANDBOX_GET_IFACE (self)->restart (self, task);
  else
    g_task_return_new_error (task,
                             FH_RUN_ERROR,
                             FH_RUN_ERROR_INVALID,
                             "%s",
                             _ ("Only a container that is kept can be restarted."));
}

gboolean
fh_sandbox_restart_finish (FhSandbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
fh_sandbox_stop_async (FhSandbox *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_sandbox_stop_async);
  if (FH_SANDBOX_GET_IFACE (self)->stop != NULL)
    FH_SANDBOX_GET_IFACE (self)->stop (self, task);
  else
    g_task_return_boolean (task, TRUE);
}

void
fh_sandbox_settle_async (FhSandbox *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, fh_sandbox_settle_async);
  if (FH_SANDBOX_GET_IFACE (self)->settle != NULL)
    FH_SANDBOX_GET_IFACE (self)->settle (self, task);
  else
    g_task_return_boolean (task, TRUE);
}

gboolean
fh_sandbox_stop_finish (FhSandbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
fh_sandbox_changed (FhSandbox *self)
{
  g_signal_emit (self, changed_signal, 0);
}
