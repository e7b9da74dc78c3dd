/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-waiting.h"

#include "clients.h"
#include "container-preparation.h"
#include "prepared-runner.h"
#include "runner-locator.h"

/* A pending callback holds a reference. */
struct _FhContainerWaiting
{
  FhContainerInstance *instance;
  FhRunRequest *request; /* NULL of one that has run cells */
  GCancellable *cancellable;
  GStrv command;            /* the client's */
  FhPreparedRunner *runner; /* in the container; NULL before it is started, and once it was taken */
  FhRunner *claimed;        /* taken from it, for a further cell; nullable */
  guint32 n_cells;
  gboolean is_started;
  gboolean is_taken; /* the container is that of a run */
};

static void
clear (gpointer data)
{
  FhContainerWaiting *self = data;

  fh_container_instance_unref (self->instance);
  g_clear_object (&self->request);
  g_clear_object (&self->claimed);
  g_object_unref (self->cancellable);
  g_strfreev (self->command);
}

static void
launch (FhContainerWaiting *self, FhOrder *order)
{
  FhContainerInstance *instance = self->instance;
  FhRunner *runner = fh_container_program_start_client (instance, NULL);

  if (runner == NULL)
    return;
  self->command = fh_container_instance_command (instance);
  self->runner = fh_prepared_runner_new (runner, order->frame);
  order->is_ahead = TRUE;
  fh_order_send (order, runner);
  self->is_started = TRUE;
  fh_container_removals_reap_once (instance->removals, instance->engine);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerWaiting *self = user_data;
  g_autoptr (FhOrder) order = NULL;

  if (fh_container_prepare_finish (result, NULL) &&
      !g_cancellable_is_cancelled (self->cancellable) &&
      fh_runner_check_guest_folder (self->instance->guest_folder, NULL))
    order = fh_container_program_order (self->instance, self->request, NULL, FALSE, NULL);
  if (order != NULL && fh_policy_can_wait (order->policy))
    launch (self, order);
  g_rc_box_release_full (self, clear);
}

FhContainerWaiting *
fh_container_waiting_new (FhContainerInstance *instance, FhRunRequest *request)
{
  FhContainerWaiting *self;

  self = g_rc_box_new0 (FhContainerWaiting);
  self->instance = instance;
  self->request = g_object_ref (request);
  self->cancellable = g_cancellable_new ();
  instance->is_ahead = TRUE;
  fh_container_prepare_async (instance,
                              NULL,
                              NULL,
                              self->cancellable,
                              prepared_cb,
                              g_rc_box_acquire (self));
  return self;
}

FhContainerWaiting *
fh_container_waiting_new_used (FhContainerInstance *instance,
                               FhRunner *runner,
                               GBytes *policy,
                               guint32 n_cells)
{
  FhContainerWaiting *self;

  self = g_rc_box_new0 (FhContainerWaiting);
  self->instance = fh_container_instance_ref (instance);
  self->cancellable = g_cancellable_new ();
  self->runner = fh_prepared_runner_new (runner, policy);
  self->n_cells = n_cells;
  self->is_started = TRUE;
  return self;
}

gboolean
fh_container_waiting_has_cells (FhContainerWaiting *self)
{
  return self->n_cells > 0;
}

gboolean
fh_container_waiting_claim (FhContainerWaiting *self, FhRunRequest *request)
{
  g_autoptr (FhOrder) order = NULL;
  g_autoptr (GBytes) guards = NULL;

  if (self->n_cells == 0 || fh_run_request_get_parts (request)->cell == NULL)
    return FALSE;
  order = fh_container_program_order (self->instance,
                                      request,
                                      NULL,
                                      fh_container_instance_needs_files (self->instance, request),
                                      NULL);
  if (order != NULL)
    self->claimed = fh_prepared_runner_steal (self->runner, order->frame, &guards);
  return self->claimed != NULL;
}

const char *
fh_container_waiting_get_end (FhContainerWaiting *self)
{
  return self->runner != NULL ? self->runner->end : NULL;
}

guint32
fh_container_waiting_get_claimed (FhContainerWaiting *self)
{
  return self != NULL && (self->claimed != NULL || self->is_taken) ? self->n_cells : 0;
}

static void
drop (FhContainerWaiting *self)
{
  g_clear_pointer (&self->runner, fh_prepared_runner_free);
  if (self->claimed != NULL)
    fh_runner_close (self->claimed);
  g_clear_object (&self->claimed);
  if (self->is_started && !self->is_taken && !self->instance->options->is_kept)
    fh_container_removals_add (self->instance->removals,
                               self->instance->engine,
                               self->instance->name,
                               TRUE);
  self->is_started = FALSE;
}

void
fh_container_waiting_free (FhContainerWaiting *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  drop (self);
  g_rc_box_release_full (self, clear);
}

gboolean
fh_container_waiting_lend (FhContainerWaiting *self, FhContainerInstance *instance)
{
  g_return_val_if_fail (instance != NULL && instance->name == NULL, FALSE);

  if (!self->is_started)
    return FALSE;
  g_set_object (&instance->engine, self->instance->engine);
  instance->name = g_strdup (self->instance->name);
  return TRUE;
}

FhRunner *
fh_container_waiting_take (FhContainerWaiting *self,
                           FhContainerInstance *instance,
                           const FhOrder *order,
                           GBytes **guards)
{
  g_auto (GStrv) command = fh_container_instance_command (instance);
  FhRunner *runner = g_steal_pointer (&self->claimed);

  if (runner == NULL && self->runner != NULL &&
      g_strv_equal ((const char *const *) command, (const char *const *) self->command))
    runner = fh_prepared_runner_steal (self->runner, order->frame, guards);
  g_clear_pointer (&self->runner, fh_prepared_runner_free);
  self->is_taken = runner != NULL;
  if (runner != NULL)
    return runner;
  drop (self);
  g_free (instance->name);
  instance->name = fh_container_new_name ();
  return NULL;
}

gboolean
fh_container_waiting_give_back (FhContainerWaiting *self)
{
  const gboolean was_taken = self->is_taken;

  self->is_taken = FALSE;
  return was_taken;
}
