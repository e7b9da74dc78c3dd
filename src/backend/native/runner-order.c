/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-order.h"

#include "policy-builder.h"
#include "systemd-bus.h"
#include "systemd-scope.h"

struct _FhRunnerOrder
{
  struct fh_policy *policy;
  GBytes *frame; /* the policy, as it is without a control group */
  char *name;
  GBytes *content;
  FhRunnerProcess *process; /* set while it waits for its scope */
};

FhRunnerOrder *
fh_runner_order_new (struct fh_policy *policy, const char *name, GBytes *content, GError **error)
{
  g_autoptr (FhRunnerOrder) order = g_new0 (FhRunnerOrder, 1);

  g_return_val_if_fail (policy != NULL, NULL);

  order->policy = policy;
  order->name = g_strdup (name);
  order->content = content != NULL ? g_bytes_ref (content) : NULL;
  order->frame = fh_policy_to_frame (policy, error);
  return order->frame != NULL ? g_steal_pointer (&order) : NULL;
}

void
fh_runner_order_free (FhRunnerOrder *order)
{
  fh_policy_free (order->policy);
  g_clear_pointer (&order->frame, g_bytes_unref);
  g_clear_pointer (&order->content, g_bytes_unref);
  g_clear_object (&order->process);
  g_free (order->name);
  g_free (order);
}

static void
send_all (FhRunnerOrder *order, FhRunnerProcess *process)
{
  fh_runner_process_send (process, order->frame);
  if (order->content != NULL)
    fh_runner_process_send_file (process, order->name, order->content);
  fh_runner_process_send_start (process);
}

/* The kernel's limits are what a control group is for. */
static gboolean
needs_scope (const struct fh_policy *policy)
{
  return policy->tier != FH_WIRE_TIER_UNPROTECTED &&
         (policy->memory_bytes > 0 || policy->processes > 0);
}

/* The policy is as large as it was. */
static void
tell_of_scope (FhRunnerOrder *order)
{
  g_bytes_unref (order->frame);
  order->policy->flags |= FH_POLICY_SCOPE;
  order->frame = fh_policy_to_frame (order->policy, NULL);
}

static void
scope_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRunnerOrder) order = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_systemd_scope_start_finish (result, &error))
    tell_of_scope (order);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  else
    g_debug ("no control group for this run: %s", error->message);
  send_all (order, order->process);
}

void
fh_runner_order_give (FhRunnerOrder *order, FhRunnerProcess *process, GCancellable *cancellable)
{
  GPid pid = fh_runner_process_get_pid (process);

  if (pid != 0 && needs_scope (order->policy) && fh_systemd_bus_may_exist ())
    {
      order->process = g_object_ref (process);
      fh_systemd_scope_start_async (pid, cancellable, scope_cb, order);
      return;
    }
  send_all (order, process);
  fh_runner_order_free (order);
}
