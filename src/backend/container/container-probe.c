/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-probe.h"

#include <glib/gi18n-lib.h>

#include "clients.h"
#include "container-guards.h"
#include "container-preparation.h"
#include "container-program.h"
#include "guard-probe.h"
#include "wire-translation.h"

/* For the runner's answer. */
#define TIMEOUT_MS 60000

typedef struct
{
  FhContainerOptions *options; /* of the runs; the probe's own are reduced */
  FhContainerInstance *instance;
  GPtrArray *guards; /* NULL before the runner's answer */
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

/* The removal is not waited for. */
static void
remove_container (Probing *self)
{
  if (self->instance->state != FH_CONTAINER_NONE)
    fh_container_removals_add (self->instance->removals,
                               self->instance->engine,
                               self->instance->name,
                               TRUE);
  self->instance->state = FH_CONTAINER_NONE;
}

static void
answer (GTask *task, gboolean may_run, const char *reason, const char *advice)
{
  Probing *self = g_task_get_task_data (task);
  FhBackendProbe *probe = g_new0 (FhBackendProbe, 1);

  remove_container (self);
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

static void
complete_guards (Probing *self, GPtrArray *guards)
{
  char *layers[FH_N_LAYERS];

  self->guards = g_ptr_array_ref (guards);
  if (guards->len == 0)
    return;
  fh_container_instance_get_layers (self->instance, layers);
  fh_guard_states_add_layers (guards, layers);
  fh_container_guards_refine (guards, self->options);
  for (gsize i = 0; i < G_N_ELEMENTS (layers); i++)
    g_free (layers[i]);
}

/* The client's own message says more than that it is gone. */
static void
answer_gone (GTask *task, FhRunner *runner, const char *why)
{
  Probing *self = g_task_get_task_data (task);
  g_autofree char *client_stderr = fh_runner_dup_client_stderr (runner);
  g_autoptr (GError) error = NULL;

  if (*client_stderr != '\0')
    error = fh_engine_error_from_text (fh_engine_get_facts (self->instance->engine)->kind,
                                       client_stderr);
  answer (task, FALSE, error != NULL ? error->message : why, NULL);
}

static void
answered_cb (FhRunner *runner,
             GPtrArray *guards,
             const FhRunOutcome *outcome,
             const GError *error,
             gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  Probing *self = g_task_get_task_data (task);

  complete_guards (self, guards);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      remove_container (self);
      g_task_return_error_if_cancelled (task);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    answer (task, FALSE, _ ("The container did not respond in time."), NULL);
  else if (error != NULL)
    answer_gone (task, runner, error->message);
  else if (outcome->status == FH_RUN_STATUS_OK)
    answer (task, TRUE, NULL, NULL);
  else
    {
      g_autofree char *reason = fh_run_outcome_sentence (outcome);
      g_autofree char *advice = fh_run_outcome_advice (outcome);

      answer (task, FALSE, reason, advice);
    }
}

static void
launch (GTask *task)
{
  Probing *self = g_task_get_task_data (task);
  g_autoptr (FhOrder) order = fh_order_new_probe (fh_policy_build_probe (FH_TIER_CONTAINER, NULL));
  g_autoptr (GError) error = NULL;
  FhRunner *runner = NULL;

  if (fh_order_encode (order, &error))
    runner = fh_container_program_start_client (self->instance, &error);
  if (runner == NULL)
    {
      answer (task, FALSE, error->message, NULL);
      return;
    }
  self->instance->state = FH_CONTAINER_CREATED;
  fh_order_send (order, runner);
  fh_guard_probe (runner,
                  TIMEOUT_MS,
                  g_task_get_cancellable (task),
                  answered_cb,
                  g_object_ref (task));
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
  g_autoptr (GError) error = NULL;

  if (fh_container_prepare_finish (result, &error))
    launch (task);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      remove_container (self);
      g_task_return_error (task, g_steal_pointer (&error));
    }
  else if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_IMAGE))
    answer_without_image (task);
  else
    answer (task, FALSE, error->message, NULL);
}

void
fh_container_probe (const FhContainerOptions *options, GTask *task)
{
  FhContainerOptions wanted = *options;
  Probing *self = g_new0 (Probing, 1);

  wanted.name = NULL;
  wanted.is_kept = FALSE;
  wanted.no_pull = TRUE;
  wanted.work_dir = wanted.bind_dir = NULL;
  self->options = fh_container_options_copy (options);
  self->instance = fh_container_instance_new (&wanted, &FH_RUN_LIMITS_DEFAULT, NULL, 0, NULL);
  g_task_set_task_data (task, self, probing_free);
  fh_container_prepare_async (self->instance,
                              NULL,
                              NULL,
                              g_task_get_cancellable (task),
                              prepared_cb,
                              g_object_ref (task));
}
