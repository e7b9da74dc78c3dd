/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-sandbox.h"

#include <glib/gi18n-lib.h>

#include "container-job.h"
#include "container-leftovers.h"
#include "container-life.h"
#include "container-removals.h"
#include "early-end.h"
#include "policy-builder.h"
#include "run-error.h"

/* How long a program may take to end when its container is stopped. */
#define STOP_GRACE_S 1

/* At most one thing happens in it at a time: a run, or a task that changes the container. Of what
 * was one run's container the removal may go on beside that.
 *
 * `place` is that of the present or the last run. What was found for it serves the next one. */
struct _FhContainerSandbox
{
  GObject parent_instance;

  FhContainerOptions *options;
  FhRunLimits limits;
  FhContainerPlace *place;
  FhContainerJob *job;
  GTask *task; /* nullable: start, restart or stop */
  FhImagePull *pull;
  FhContainerRemovals *removals;
};

enum
{
  PROP_0,
  PROP_PULL,
  PROP_CONTAINER_NAME,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void sandbox_iface_init (FhSandboxInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhContainerSandbox,
                               fh_container_sandbox,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_SANDBOX, sandbox_iface_init))

static void
set_pull (FhContainerSandbox *self, FhImagePull *pull)
{
  if (g_set_object (&self->pull, pull))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PULL]);
}

static void
pulling_cb (FhImagePull *pull, gpointer user_data)
{
  set_pull (FH_CONTAINER_SANDBOX (user_data), pull);
}

/* What the last place has, the next one need not look for. A container of one run is another one
 * each time. */
static void
renew_place (FhContainerSandbox *self, const FhRunLimits *limits, FhRunRequest *request)
{
  GBytes *input = request != NULL ? fh_run_request_get_standard_input (request) : NULL;
  g_autoptr (FhContainerPlace) last = g_steal_pointer (&self->place);
  FhContainerPlace *place;

  place = fh_container_place_new (self->options,
                                  self->options->is_kept ? &self->limits : limits,
                                  request != NULL ? fh_run_request_get_guards (request) : NULL,
                                  input != NULL ? g_bytes_get_size (input) : 0);
  if (last != NULL)
    fh_container_place_inherit (place, last);
  self->place = place;
}

static void
remove_container (FhContainerSandbox *self)
{
  FhContainerPlace *place = self->place;
  const gboolean is_certain = self->options->name == NULL && !self->options->is_kept;

  place->may_exist = FALSE;
  fh_container_removals_add (self->removals, place->engine, place->name, is_certain);
}

/* What must not stay after a run or a task. */
static void
clear_away (FhContainerSandbox *self)
{
  FhContainerPlace *place = self->place;

  if (!place->may_exist)
    return;
  if (!self->options->is_kept)
    remove_container (self);
  else if (place->is_half)
    {
      place->may_exist = place->is_half = FALSE;
      fh_container_removals_add_half (self->removals, place->engine, place->name);
    }
}

static void
launched_cb (gpointer user_data)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (user_data);

  if (!self->options->is_kept)
    fh_container_leftovers_note (self->place->engine, self->place->name);
  fh_container_leftovers_reap_once (self->place->engine);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CONTAINER_NAME]);
}

static void
ending_cb (gpointer user_data)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (user_data);

  fh_container_job_free (g_steal_pointer (&self->job));
  set_pull (self, NULL);
  clear_away (self);
}

static FhRun *
fh_container_sandbox_run (FhSandbox *sandbox, FhRunRequest *request)
{
  static const FhContainerJobListener listener = { pulling_cb, launched_cb, ending_cb };
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (sandbox);
  FhRun *run = fh_run_new (request, "container");
  FhRunLimits limits;

  if (self->job != NULL || self->task != NULL)
    {
      fh_run_end_early (run,
                        FH_RUN_STATUS_INTERNAL_ERROR,
                        "busy",
                        _ ("This sandbox is still running something else."));
      return run;
    }
  limits = fh_policy_limits_without (
      fh_policy_limits (&self->limits, fh_run_request_get_limits (request)),
      fh_run_request_get_guards (request)->without);
  renew_place (self, &limits, request);
  self->job = fh_container_job_new (run, self->place, &limits, &listener, self);
  return run;
}

static void
fh_container_sandbox_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (object);

  switch (id)
    {
    case PROP_PULL:
      g_value_set_object (value, self->pull);
      break;
    case PROP_CONTAINER_NAME:
      g_value_set_string (value, fh_container_sandbox_get_name (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* Nobody waits for it; a client that was started goes on without us. */
static void
let_go_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!fh_container_stop_finish (result, &error))
    g_debug ("A container could not be stopped: %s", error->message);
}

/* What was to become of a kept one when nobody needs it any more. */
static void
let_go (FhContainerSandbox *self)
{
  if (self->place == NULL || !self->options->is_kept || !self->place->may_exist)
    return;
  if (self->options->after == FH_CONTAINER_REMOVE)
    remove_container (self);
  else if (self->options->after == FH_CONTAINER_STOP)
    fh_container_stop_async (self->place->engine,
                             self->place->name,
                             STOP_GRACE_S,
                             NULL,
                             let_go_cb,
                             NULL);
}

static void
fh_container_sandbox_dispose (GObject *object)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (object);

  if (self->job != NULL)
    fh_container_job_stop_now (self->job);
  let_go (self);
  g_clear_pointer (&self->place, fh_container_place_unref);
  g_clear_object (&self->pull);

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
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fh_container_sandbox_dispose;
  object_class->finalize = fh_container_sandbox_finalize;
  object_class->get_property = fh_container_sandbox_get_property;

  properties[PROP_PULL] = g_param_spec_object ("pull", NULL, NULL, FH_TYPE_IMAGE_PULL, flags);
  properties[PROP_CONTAINER_NAME] = g_param_spec_string ("container-name", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
sandbox_iface_init (FhSandboxInterface *iface)
{
  iface->run = fh_container_sandbox_run;
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

FhEngine *
fh_container_sandbox_get_engine (FhContainerSandbox *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_SANDBOX (self), NULL);

  return self->place != NULL ? self->place->engine : NULL;
}

const char *
fh_container_sandbox_get_name (FhContainerSandbox *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_SANDBOX (self), NULL);

  return self->place != NULL ? self->place->name : NULL;
}

/* FALSE, and the task is over, when something else is going on. */
static gboolean
begin_task (FhContainerSandbox *self, GTask *task)
{
  if (self->job == NULL && self->task == NULL)
    {
      self->task = g_object_ref (task);
      renew_place (self, &self->limits, NULL);
      return TRUE;
    }
  g_task_return_new_error (task,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_BUSY,
                           "%s",
                           _ ("This sandbox is still running something else."));
  return FALSE;
}

/* Takes the error. */
static void
end_task (FhContainerSandbox *self, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  set_pull (self, NULL);
  clear_away (self);
  if (self->place->name != NULL)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CONTAINER_NAME]);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
start_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhContainerSandbox) self = FH_CONTAINER_SANDBOX (user_data);
  GError *error = NULL;

  fh_container_prepare_finish (result, &error);
  end_task (self, error);
}

void
fh_container_sandbox_start_async (FhContainerSandbox *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_return_if_fail (FH_IS_CONTAINER_SANDBOX (self));

  g_task_set_source_tag (task, fh_container_sandbox_start_async);
  if (!begin_task (self, task))
    return;
  self->place->is_looking = !self->options->is_kept;
  fh_container_prepare_async (self->place,
                              pulling_cb,
                              self,
                              cancellable,
                              start_cb,
                              g_object_ref (self));
}

gboolean
fh_container_sandbox_start_finish (FhContainerSandbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
restarted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhContainerSandbox) self = FH_CONTAINER_SANDBOX (user_data);
  GError *error = NULL;

  fh_container_restart_finish (result, &error);
  end_task (self, error);
}

static void
ready_to_restart_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhContainerSandbox) self = FH_CONTAINER_SANDBOX (user_data);
  GError *error = NULL;

  if (!fh_container_prepare_finish (result, &error))
    end_task (self, error);
  else
    fh_container_restart_async (self->place->engine,
                                self->place->name,
                                g_task_get_cancellable (self->task),
                                restarted_cb,
                                g_object_ref (self));
}

void
fh_container_sandbox_restart_async (FhContainerSandbox *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_return_if_fail (FH_IS_CONTAINER_SANDBOX (self));

  g_task_set_source_tag (task, fh_container_sandbox_restart_async);
  if (!self->options->is_kept)
    {
      g_task_return_new_error (task,
                               FH_RUN_ERROR,
                               FH_RUN_ERROR_INVALID,
                               "%s",
                               _ ("Only a container that is kept can be restarted: any other is "
                                  "new for each run."));
      return;
    }
  if (begin_task (self, task))
    fh_container_prepare_async (self->place,
                                pulling_cb,
                                self,
                                cancellable,
                                ready_to_restart_cb,
                                g_object_ref (self));
}

gboolean
fh_container_sandbox_restart_finish (FhContainerSandbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  GError *error = NULL;

  if (fh_container_stop_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
fh_container_sandbox_stop_async (FhContainerSandbox *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_return_if_fail (FH_IS_CONTAINER_SANDBOX (self));

  g_task_set_source_tag (task, fh_container_sandbox_stop_async);
  if (self->job != NULL)
    fh_container_job_stop_now (self->job);
  if (self->options->is_kept && self->options->after != FH_CONTAINER_REMOVE &&
      self->place != NULL && self->place->may_exist)
    {
      fh_container_stop_async (self->place->engine,
                               self->place->name,
                               STOP_GRACE_S,
                               cancellable,
                               stopped_cb,
                               g_object_ref (task));
      return;
    }
  if (self->options->is_kept && self->place != NULL && self->place->may_exist)
    remove_container (self);
  fh_container_removals_wait (self->removals, task);
}

gboolean
fh_container_sandbox_stop_finish (FhContainerSandbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
