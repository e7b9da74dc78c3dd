/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-removals.h"

#include "clients.h"
#include "container-leftovers.h"

FhContainerRemovals *
fh_container_removals_new (void)
{
  FhContainerRemovals *self = g_rc_box_new0 (FhContainerRemovals);

  g_mutex_init (&self->turn);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

static void
clear (gpointer data)
{
  FhContainerRemovals *self = data;

  g_mutex_clear (&self->turn);
  g_ptr_array_unref (self->waiting);
  g_clear_error (&self->error);
}

void
fh_container_removals_unref (FhContainerRemovals *self)
{
  g_rc_box_release_full (self, clear);
}

FhContainerRemovals *
fh_container_removals_ref (FhContainerRemovals *self)
{
  return g_rc_box_acquire (self);
}

static void
flush (FhContainerRemovals *self)
{
  g_autoptr (GPtrArray) waiting = NULL;

  if (self->count > 0)
    return;
  waiting = g_steal_pointer (&self->waiting);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    {
      GTask *task = g_ptr_array_index (waiting, i);

      if (self->error != NULL)
        g_task_return_error (task, g_error_copy (self->error));
      else
        g_task_return_boolean (task, TRUE);
    }
  if (waiting->len > 0)
    g_clear_error (&self->error);
}

void
fh_container_removals_begin (FhContainerRemovals *self)
{
  g_return_if_fail (self != NULL);

  self->count++;
  g_rc_box_acquire (self);
}

void
fh_container_removals_end (FhContainerRemovals *self)
{
  g_return_if_fail (self != NULL);

  self->count--;
  flush (self);
  fh_container_removals_unref (self);
}

static gpointer
remove_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  fh_container_leftovers_remove (order->engine, order->name, order->number != 0, error);
  return NULL;
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerRemovals *self = user_data;

  g_clear_error (&self->error);
  g_task_propagate_boolean (G_TASK (result), &self->error);
  fh_container_removals_end (self);
}

void
fh_container_removals_add (FhContainerRemovals *self,
                           FhEngine *engine,
                           const char *name,
                           gboolean is_certain)
{
  g_return_if_fail (self != NULL);

  fh_container_removals_begin (self);
  /* The process may exit before the thread begins. */
  fh_container_leftovers_note (engine, name);
  fh_engine_start (&(FhEngineOrder){ engine, name, is_certain },
                   remove_in_thread,
                   NULL,
                   removed_cb,
                   self);
}

void
fh_container_removals_wait (FhContainerRemovals *self, GTask *task)
{
  g_return_if_fail (self != NULL && G_IS_TASK (task));

  g_ptr_array_add (self->waiting, g_object_ref (task));
  flush (self);
}
