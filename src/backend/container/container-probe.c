/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-backend.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "clients.h"
#include "container-guards.h"
#include "container-preparation.h"
#include "main-source.h"
#include "policy-builder.h"
#include "run-error.h"
#include "runner-process.h"
#include "wire-translation.h"

/* For the runner's answer. */
#define TIMEOUT_MS 60000

/* The process holds one reference to the task, which the end of the probe consumes. */
typedef struct
{
  FhContainerOptions *options; /* of the runs; the probe's own are reduced */
  FhContainerInstance *instance;
  FhRunnerProcess *process; /* nullable */
  GPtrArray *guards;
  GSource *cancelled; /* nullable */
  GSource *deadline;
  gboolean lacks_image;
} Probing;

static void
probing_free (gpointer data)
{
  Probing *self = data;

  fh_container_options_free (self->options);
  fh_container_instance_unref (self->instance);
  g_clear_pointer (&self->guards, g_ptr_array_unref);
  g_free (self);
}

/* No callbacks after this. The removal is not waited for. */
static void
clear_away (Probing *self)
{
  fh_source_clear (&self->cancelled);
  fh_source_clear (&self->deadline);
  if (self->process != NULL)
    fh_runner_process_close (self->process);
  g_clear_object (&self->process);
  if (self->instance->state != FH_CONTAINER_NONE)
    fh_container_removals_add (self->instance->removals,
                               self->instance->engine,
                               self->instance->name,
                               TRUE);
  self->instance->state = FH_CONTAINER_NONE;
}

/* Consumes the reference. */
static void
answer (GTask *task, gboolean may_run, const char *reason, const char *advice)
{
  G_GNUC_UNUSED g_autoptr (GTask) ended = task;
  Probing *self = g_task_get_task_data (task);
  FhBackendProbe *probe = g_new0 (FhBackendProbe, 1);

  clear_away (self);
  probe->may_run = may_run;
  probe->lacks_image = self->lacks_image;
  probe->tier = g_strdup (may_run ? fh_tier_to_string (FH_TIER_CONTAINER) : "");
  probe->reason = g_strdup (reason);
  probe->advice = g_strdup (advice);
  probe->guards = g_steal_pointer (&self->guards);
  if (probe->guards == NULL)
    probe->guards = g_ptr_array_new_with_free_func (g_object_unref);
  if (probe->reason == NULL)
    fh_backend_probe_explain_weakness (probe);
  g_task_return_pointer (task, probe, (GDestroyNotify) fh_backend_probe_free);
}

static gboolean
handle_guards (Probing *self, const struct fh_frame *frame)
{
  char *layers[FH_N_LAYERS];

  g_clear_pointer (&self->guards, g_ptr_array_unref);
  self->guards = fh_guard_states_from_wire (frame->payload, frame->size, NULL);
  if (self->guards == NULL)
    return FALSE;
  fh_container_instance_get_layers (self->instance, layers);
  fh_guard_states_add_layers (self->guards, layers);
  fh_container_guards_refine (self->guards, self->options);
  for (gsize i = 0; i < G_N_ELEMENTS (layers); i++)
    g_free (layers[i]);
  return TRUE;
}

static gboolean
handle_finished (GTask *task, const struct fh_frame *frame)
{
  Probing *self = g_task_get_task_data (task);
  struct fh_finished finished;
  FhRunOutcome outcome;

  if (!fh_finished_decode (&finished, frame->payload, frame->size))
    return FALSE;
  outcome = fh_outcome_from_wire (&finished, &self->instance->limits);
  if (outcome.status == FH_RUN_STATUS_OK)
    answer (task, TRUE, NULL, NULL);
  else
    {
      g_autofree char *reason = fh_run_outcome_sentence (&outcome);
      g_autofree char *advice = fh_run_outcome_advice (&outcome);

      answer (task, FALSE, reason, advice);
    }
  free ((char *) finished.step);
  return TRUE;
}

static gboolean
frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  GTask *task = G_TASK (user_data);

  switch (frame->kind)
    {
    case FH_FRAME_GUARDS:
      return handle_guards (g_task_get_task_data (task), frame);
    case FH_FRAME_USAGE:
      return TRUE;
    case FH_FRAME_FINISHED:
      return handle_finished (task, frame);
    default:
      return FALSE;
    }
}

static void
gone_cb (const char *why, gpointer user_data)
{
  GTask *task = G_TASK (user_data);
  Probing *self = g_task_get_task_data (task);
  g_autofree char *client_stderr = fh_runner_process_dup_client_stderr (self->process);
  g_autoptr (GError) error = NULL;

  if (*client_stderr != '\0')
    error = fh_engine_error_from_text (fh_engine_get_facts (self->instance->engine)->kind,
                                       client_stderr);
  answer (task, FALSE, error != NULL ? error->message : why, NULL);
}

static gboolean
deadline_cb (gpointer user_data)
{
  answer (G_TASK (user_data), FALSE, _ ("The container did not respond in time."), NULL);
  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) ended = G_TASK (user_data);

  clear_away (g_task_get_task_data (ended));
  g_task_return_error_if_cancelled (ended);
  return G_SOURCE_REMOVE;
}

static void
send_probe (Probing *self)
{
  struct fh_policy *policy = fh_policy_build_probe (FH_TIER_CONTAINER, NULL);
  g_autoptr (GBytes) frame = fh_policy_to_frame (policy, NULL);

  fh_policy_free (policy);
  fh_runner_process_send (self->process, frame);
  fh_runner_process_send_frame (self->process, FH_FRAME_RUN, NULL);
}

/* Consumes the reference. */
static void
launch (GTask *task)
{
  static const FhRunnerListener listener = { frame_cb, gone_cb };
  Probing *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_auto (GStrv) environment = fh_engine_environment ();
  g_auto (GStrv) argv = fh_container_instance_command (self->instance);
  g_autoptr (GError) error = NULL;

  self->process = fh_runner_process_start_client ((const char *const *) argv,
                                                  (const char *const *) environment,
                                                  &listener,
                                                  task,
                                                  &error);
  if (self->process == NULL)
    {
      answer (task, FALSE, error->message, NULL);
      return;
    }
  self->instance->state = FH_CONTAINER_CREATED;
  fh_container_leftovers_note (self->instance->engine, self->instance->name);
  self->deadline = fh_source_attach (g_timeout_source_new (TIMEOUT_MS), deadline_cb, task, NULL);
  if (cancellable != NULL)
    self->cancelled = fh_source_attach (g_cancellable_source_new (cancellable),
                                        G_SOURCE_FUNC (cancelled_cb),
                                        task,
                                        NULL);
  send_probe (self);
}

/* A run would pull it. */
static void
answer_without_image (GTask *task)
{
  Probing *self = g_task_get_task_data (task);
  const char *image = fh_container_options_image (self->options);
  g_autofree char *reason =
      g_strdup_printf (_ ("The image “%s” is not on this computer yet."), image);
  g_autofree char *advice = g_strdup_printf (
      _ ("It will be pulled for the first run, or with “fumehoodctl image pull %s”."),
      image);

  self->lacks_image = TRUE;
  answer (task, FALSE, reason, advice);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  Probing *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (fh_container_prepare_finish (result, &error))
    launch (g_steal_pointer (&task));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      clear_away (self);
      g_task_return_error (task, error);
    }
  else
    {
      if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_IMAGE))
        answer_without_image (g_steal_pointer (&task));
      else
        answer (g_steal_pointer (&task), FALSE, error->message, NULL);
      g_error_free (error);
    }
}

void
fh_container_probe_async (const FhContainerOptions *options,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  FhContainerOptions wanted = *options;
  Probing *self = g_new0 (Probing, 1);

  g_task_set_source_tag (task, fh_container_probe_async);
  wanted.name = NULL;
  wanted.is_kept = FALSE;
  wanted.no_pull = TRUE;
  wanted.work_dir = wanted.bind_dir = NULL;
  self->options = fh_container_options_copy (options);
  self->instance = fh_container_instance_new (&wanted, &FH_RUN_LIMITS_DEFAULT, NULL, 0, NULL);
  g_task_set_task_data (task, self, probing_free);
  fh_container_prepare_async (self->instance, NULL, NULL, cancellable, prepared_cb, task);
}

FhBackendProbe *
fh_container_probe_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
