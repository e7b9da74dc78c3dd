/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "executor-private.h"

#include <glib/gi18n-lib.h>

gboolean
fh_executor_is_running (FhExecutor *self)
{
  return self->run != NULL && fh_run_get_state (self->run) != FH_RUN_FINISHED;
}

static void
changed (FhExecutor *self)
{
  if (!self->is_closed)
    g_signal_emit_by_name (self, "changed");
}

static void
set_state (FhExecutor *self, const char *sentence)
{
  g_free (self->kept_state);
  self->kept_state = g_strdup (sentence);
  changed (self);
}

static void
cancel_query (FhExecutor *self)
{
  g_cancellable_cancel (self->query);
  g_clear_object (&self->query);
}

static const char *const state_sentences[] = {
  [FH_SANDBOX_READY] = N_ ("The container is ready"),
  [FH_SANDBOX_PAUSED] = N_ ("The container is paused"),
  [FH_SANDBOX_STOPPED] = N_ ("The container is stopped"),
  [FH_SANDBOX_GONE] = N_ ("The container is gone; the next run makes a new one"),
};

static void
queried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhExecutor) self = user_data;
  g_autoptr (GError) error = NULL;
  FhSandboxState state = fh_sandbox_query_state_finish (FH_SANDBOX (source), result, &error);

  if (error == NULL)
    set_state (self, state != FH_SANDBOX_NONE ? _ (state_sentences[state]) : NULL);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    set_state (self, error->message);
}

void
fh_executor_update_state (FhExecutor *self, gboolean may_ask)
{
  if (self->is_changing)
    {
      changed (self);
      return;
    }
  cancel_query (self);
  if (fh_executor_get_container (self) == NULL)
    set_state (self, NULL);
  else if (fh_executor_is_running (self))
    set_state (self, _ ("The container is in use"));
  else if (!may_ask)
    changed (self);
  else
    {
      set_state (self, _ ("Asking the engine…"));
      self->query = g_cancellable_new ();
      fh_sandbox_query_state_async (self->kept, self->query, queried_cb, g_object_ref (self));
    }
}

void
fh_executor_refresh (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!self->is_closed)
    fh_executor_update_state (self, TRUE);
}

void
fh_executor_release_container (FhExecutor *self)
{
  cancel_query (self);
  if (self->kept != NULL)
    g_signal_handlers_disconnect_by_data (self->kept, self);
  g_clear_object (&self->kept);
  g_clear_pointer (&self->kept_key, g_free);
  g_clear_pointer (&self->kept_state, g_free);
}

const char *
fh_executor_get_container (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);

  return self->kept != NULL ? fh_sandbox_get_name (self->kept) : NULL;
}

const char *
fh_executor_get_container_state (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), NULL);

  return self->kept_state;
}

gboolean
fh_executor_can_change_container (FhExecutor *self)
{
  g_return_val_if_fail (FH_IS_EXECUTOR (self), FALSE);

  return fh_executor_get_container (self) != NULL && !self->is_changing &&
         !fh_executor_is_running (self);
}

static void
begin_change (FhExecutor *self, const char *sentence)
{
  cancel_query (self);
  self->is_changing = TRUE;
  set_state (self, sentence);
}

static void
end_change (FhExecutor *self, const GError *error)
{
  self->is_changing = FALSE;
  if (self->is_closed)
    return;
  if (error != NULL)
    g_signal_emit_by_name (self, "failed", error->message);
  fh_executor_refresh (self);
}

static void
restarted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhExecutor) self = user_data;
  g_autoptr (GError) error = NULL;

  fh_sandbox_restart_finish (FH_SANDBOX (source), result, &error);
  end_change (self, error);
}

void
fh_executor_restart_container (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!fh_executor_can_change_container (self))
    return;
  begin_change (self, _ ("Restarting the container…"));
  fh_sandbox_restart_async (self->kept, NULL, restarted_cb, g_object_ref (self));
}

/* If it was removed, the next run makes another one. */
static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhExecutor) self = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_sandbox_stop_finish (FH_SANDBOX (source), result, &error) &&
      self->kept_after == FH_CONTAINER_REMOVE && self->kept == FH_SANDBOX (source))
    fh_executor_release_container (self);
  end_change (self, error);
}

void
fh_executor_stop_container (FhExecutor *self)
{
  g_return_if_fail (FH_IS_EXECUTOR (self));

  if (!fh_executor_can_change_container (self))
    return;
  begin_change (self, _ ("Stopping the container…"));
  fh_sandbox_stop_async (self->kept, NULL, stopped_cb, g_object_ref (self));
}
