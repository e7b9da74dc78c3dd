/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-sandbox.h"

#include <glib/gi18n-lib.h>

#include "container-job.h"
#include "container-ours.h"
#include "container-removals.h"
#include "run-driver.h"
#include "run-error.h"

/* Either a run or a restart is going on, never both. Containers of earlier runs may still be being
 * removed.
 *
 * `instance` is that of the current or the last run. What was found for it serves the next one. */
struct _FhContainerSandbox
{
  GObject parent_instance;

  FhContainerOptions *options;
  FhRunLimits limits;
  FhContainerInstance *instance;
  FhContainerWaiting *waiting; /* for the next run, or cell; nullable */
  FhContainerJob *job;
  GTask *task;       /* of a restart; nullable */
  FhImagePull *pull; /* nullable */
  gboolean is_pulled;
  guint64 pulled_size; /* in bytes, once it is pulled */
  FhContainerRemovals *removals;
};

static void sandbox_iface_init (FhSandboxInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhContainerSandbox,
                               fh_container_sandbox,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_SANDBOX, sandbox_iface_init))

static void
pulled_cb (FhContainerSandbox *self, FhImage *image)
{
  if (image == NULL)
    return;
  self->is_pulled = TRUE;
  self->pulled_size = image->size;
  fh_sandbox_changed (FH_SANDBOX (self));
}

static void
pulling_cb (FhImagePull *pull, gpointer user_data)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (user_data);

  if (self->pull == pull)
    return;
  if (self->pull != NULL)
    g_signal_handlers_disconnect_by_data (self->pull, self);
  self->is_pulled = FALSE;
  g_set_object (&self->pull, pull);
  if (pull != NULL)
    {
      g_signal_connect_swapped (pull, "changed", G_CALLBACK (fh_sandbox_changed), self);
      g_signal_connect_swapped (pull, "finished", G_CALLBACK (pulled_cb), self);
    }
  fh_sandbox_changed (FH_SANDBOX (self));
}

/* `request`: NULL for a restart. */
static FhContainerInstance *
new_instance (FhContainerSandbox *self, FhRunRequest *request)
{
  GBytes *input = request != NULL ? fh_run_request_get_parts (request)->standard_input : NULL;

  return fh_container_instance_new (
      self->options,
      request == NULL || self->options->is_kept ? &self->limits
                                                : &fh_run_request_get_parts (request)->limits,
      request != NULL ? fh_run_request_get_parts (request)->guards : NULL,
      input != NULL ? g_bytes_get_size (input) : 0,
      self->removals);
}

/* Takes over what is known from the last instance. Only a kept container stays the same. */
static void
renew_instance (FhContainerSandbox *self, FhRunRequest *request)
{
  g_autoptr (FhContainerInstance) last = g_steal_pointer (&self->instance);

  self->instance = new_instance (self, request);
  if (last != NULL)
    fh_container_instance_inherit (self->instance, last);
}

static void
unlock (FhContainerSandbox *self)
{
  if (self->instance->folders != NULL)
    fh_container_folders_unlock (self->instance->folders);
}

static void
launched_cb (gpointer user_data)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (user_data);

  fh_container_removals_reap_once (self->removals, self->instance->engine);
  fh_sandbox_changed (FH_SANDBOX (self));
}

static void
ending_cb (gpointer user_data)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (user_data);

  fh_container_job_free (g_steal_pointer (&self->job));
  pulling_cb (NULL, self);
  if (self->waiting != NULL)
    return;
  unlock (self);
  if (self->instance->state != FH_CONTAINER_NONE && !self->options->is_kept)
    fh_container_instance_remove (self->instance);
}

static void
kept_cb (FhRunner *runner, GBytes *policy, guint32 cell, gpointer user_data)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (user_data);

  self->waiting = fh_container_waiting_new_used (self->instance, runner, policy, cell);
}

/* The container stays locked until then. */
static void
drop_waiting (FhContainerSandbox *self)
{
  if (self->waiting != NULL && fh_container_waiting_has_cells (self->waiting))
    {
      unlock (self);
      if (!self->options->is_kept)
        self->instance->state = FH_CONTAINER_NONE;
    }
  g_clear_pointer (&self->waiting, fh_container_waiting_free);
}

/* What waits for this run: a container, or in it the interpreter of earlier cells. */
static FhContainerWaiting *
take_waiting (FhContainerSandbox *self, FhRun *run)
{
  FhRunRequest *request = fh_run_get_request (run);
  FhContainerWaiting *waiting = self->waiting;

  if (waiting != NULL && fh_container_waiting_has_cells (waiting))
    {
      if (fh_container_waiting_claim (waiting, request))
        return g_steal_pointer (&self->waiting);
      fh_run_set_earlier_end (run, fh_container_waiting_get_end (waiting));
      drop_waiting (self);
    }
  renew_instance (self, request);
  if (self->waiting != NULL && !fh_container_waiting_lend (self->waiting, self->instance))
    drop_waiting (self);
  return g_steal_pointer (&self->waiting);
}

static FhRun *
fh_container_sandbox_run (FhSandbox *sandbox, FhRunRequest *request)
{
  static const FhContainerJobListener listener = { pulling_cb, launched_cb, kept_cb, ending_cb };
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);
  FhContainerWaiting *waiting;
  FhRun *run = fh_run_new (request, "container");

  if (self->job != NULL || self->task != NULL)
    {
      fh_run_finish_early (run,
                           FH_RUN_STATUS_INTERNAL_ERROR,
                           "busy",
                           _ ("This sandbox is still running something else."));
      return run;
    }
  waiting = take_waiting (self, run);
  self->job = fh_container_job_new (run, self->instance, waiting, &listener, self);
  return run;
}

/* Only where a run has a container of its own: in a shared folder files would be seen too early. */
static void
fh_container_sandbox_prepare (FhSandbox *sandbox, FhRunRequest *request)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);
  const FhContainerOptions *options = self->options;

  drop_waiting (self);
  if (self->job == NULL && self->task == NULL && !options->is_kept && options->name == NULL &&
      options->work_dir == NULL)
    self->waiting = fh_container_waiting_new (new_instance (self, request), request);
}

static const char *
fh_container_sandbox_get_name (FhSandbox *sandbox)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);

  return self->instance != NULL ? self->instance->name : NULL;
}

static const FhEngineFacts *
fh_container_sandbox_get_engine (FhSandbox *sandbox)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);

  if (self->instance == NULL || self->instance->engine == NULL)
    return NULL;
  return fh_engine_get_facts (self->instance->engine);
}

static gboolean
fh_container_sandbox_get_progress (FhSandbox *sandbox, FhSandboxProgress *progress)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);

  if (self->pull == NULL)
    return FALSE;
  *progress = (FhSandboxProgress){
    .image = fh_container_options_image (self->options),
    .text = fh_image_pull_get_text (self->pull),
    .fraction = fh_image_pull_get_fraction (self->pull),
    .is_done = self->is_pulled,
    .size = self->pulled_size,
  };
  return TRUE;
}

static void
fh_container_sandbox_dispose (GObject *object)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (object);

  if (self->job != NULL)
    fh_container_job_stop_now (self->job);
  drop_waiting (self);
  if (self->instance != NULL)
    fh_container_instance_release (self->instance);
  if (self->pull != NULL)
    g_signal_handlers_disconnect_by_data (self->pull, self);
  g_clear_object (&self->pull);
  g_clear_pointer (&self->instance, fh_container_instance_unref);

  G_OBJECT_CLASS (fh_container_sandbox_parent_class)->dispose (object);
}

static void
fh_container_sandbox_finalize (GObject *object)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (object);

  fh_container_options_free (self->options);
  fh_container_removals_unref (self->removals);

  G_OBJECT_CLASS (fh_container_sandbox_parent_class)->finalize (object);
}

static void
fh_container_sandbox_class_init (FhContainerSandboxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_container_sandbox_dispose;
  object_class->finalize = fh_container_sandbox_finalize;
}

static void
restarted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhContainerSandbox) self = FH_CONTAINER_SANDBOX (user_data);
  g_autoptr (GTask) task = g_steal_pointer (&self->task);
  GError *error = NULL;

  fh_container_prepare_finish (result, &error);
  pulling_cb (NULL, self);
  unlock (self);
  fh_sandbox_changed (FH_SANDBOX (self));
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
fh_container_sandbox_restart (FhSandbox *sandbox, GTask *task)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);
  const gboolean is_busy = self->job != NULL || self->task != NULL;

  if (!self->options->is_kept || is_busy)
    {
      g_task_return_new_error (task,
                               FH_RUN_ERROR,
                               self->options->is_kept ? FH_RUN_ERROR_BUSY : FH_RUN_ERROR_INVALID,
                               "%s",
                               self->options->is_kept
                                   ? _ ("This sandbox is still running something else.")
                                   : _ ("Only a container that is kept can be restarted."));
      return;
    }
  self->task = g_object_ref (task);
  drop_waiting (self);
  renew_instance (self, NULL);
  self->instance->is_restart = TRUE;
  fh_container_prepare_async (self->instance,
                              pulling_cb,
                              self,
                              g_task_get_cancellable (task),
                              restarted_cb,
                              g_object_ref (self));
}

/* A container that was being made is known now, and the others are removed. */
static void
settled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (source);
  FhContainerInstance *instance = self->instance;
  const gboolean is_there =
      self->options->is_kept && instance != NULL && instance->state != FH_CONTAINER_NONE;
  GError *error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_error (task, error);
  else if (is_there && self->options->after != FH_CONTAINER_REMOVE)
    fh_engine_start_task (
        task,
        &(FhEngineOrder){ instance->engine, instance->name, FH_CONTAINER_GRACE_S },
        fh_container_stop_in_thread);
  else
    {
      if (is_there)
        fh_container_instance_remove (instance);
      fh_container_removals_wait (self->removals, task);
    }
}

static void
fh_container_sandbox_settle (FhSandbox *sandbox, GTask *task)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);

  if (self->job != NULL)
    fh_container_job_stop_now (self->job);
  drop_waiting (self);
  fh_container_removals_wait (self->removals, task);
}

static void
fh_container_sandbox_stop (FhSandbox *sandbox, GTask *task)
{
  g_autoptr (GTask) settling = g_task_new (sandbox, NULL, settled_cb, g_object_ref (task));

  fh_container_sandbox_settle (sandbox, settling);
}

static gpointer
find_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  return fh_container_find (order->engine, order->name, cancellable, error);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) found = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    g_task_return_int (task, FH_SANDBOX_GONE);
  else if (found == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (g_str_equal (found->state, "running"))
    g_task_return_int (task, FH_SANDBOX_READY);
  else
    g_task_return_int (task,
                       g_str_equal (found->state, "paused") ? FH_SANDBOX_PAUSED
                                                            : FH_SANDBOX_STOPPED);
}

static void
fh_container_sandbox_query_state (FhSandbox *sandbox, GTask *task)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);
  FhContainerInstance *instance = self->instance;

  if (!self->options->is_kept || instance == NULL || instance->name == NULL ||
      instance->engine == NULL)
    g_task_return_int (task, FH_SANDBOX_NONE);
  else
    fh_engine_start (&(FhEngineOrder){ instance->engine,
                                       instance->name,
                                       .destroy = (GDestroyNotify) fh_container_free },
                     find_in_thread,
                     g_task_get_cancellable (task),
                     found_cb,
                     g_object_ref (task));
}

static void
fh_container_sandbox_end_cells (FhSandbox *sandbox)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);

  if (self->waiting != NULL && fh_container_waiting_has_cells (self->waiting))
    drop_waiting (self);
}

static void
sandbox_iface_init (FhSandboxInterface *iface)
{
  iface->run = fh_container_sandbox_run;
  iface->prepare = fh_container_sandbox_prepare;
  iface->end_cells = fh_container_sandbox_end_cells;
  iface->get_name = fh_container_sandbox_get_name;
  iface->get_engine = fh_container_sandbox_get_engine;
  iface->get_progress = fh_container_sandbox_get_progress;
  iface->query_state = fh_container_sandbox_query_state;
  iface->restart = fh_container_sandbox_restart;
  iface->stop = fh_container_sandbox_stop;
  iface->settle = fh_container_sandbox_settle;
}

static void
fh_container_sandbox_init (FhContainerSandbox *self)
{
  self->removals = fh_container_removals_new ();
}

FhSandbox *
fh_container_sandbox_new (const FhContainerOptions *options, const FhRunLimits *limits)
{
  FhContainerSandbox *self = g_object_new (FH_TYPE_CONTAINER_SANDBOX, NULL);

  self->options = fh_container_options_copy (options);
  self->limits = *limits;
  return FH_SANDBOX (self);
}
