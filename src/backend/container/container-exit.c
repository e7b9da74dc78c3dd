/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-exit.h"

#include <glib/gi18n-lib.h>

#include "container-ours.h"
#include "wire-translation.h"

/* Polling, to see whether the engine is removing the container. */
#define INSPECT_INTERVAL_MS 150
#define INSPECTIONS_MAX     5

struct _FhContainerExit
{
  FhContainerInstance *instance;
  gboolean has_started;
  gboolean was_cut_off; /* the client was killed */
  char *why;
  GError *client_error; /* from its standard error; nullable */
  char *message;
};

FhContainerExit *
fh_container_exit_new (FhContainerInstance *instance,
                       gboolean has_started,
                       int exit_status,
                       const char *why,
                       const char *client_stderr)
{
  FhContainerExit *self = g_new0 (FhContainerExit, 1);

  self->instance = fh_container_instance_ref (instance);
  self->has_started = has_started;
  self->was_cut_off = exit_status < 0;
  self->why = g_strdup (why);
  /* A client that was killed had no time to report an error. */
  if (exit_status > 0 && client_stderr != NULL && *client_stderr != '\0')
    self->client_error =
        fh_engine_error_from_text (fh_engine_get_facts (instance->engine)->kind, client_stderr);
  return self;
}

void
fh_container_exit_free (FhContainerExit *self)
{
  if (self == NULL)
    return;
  fh_container_instance_unref (self->instance);
  g_clear_error (&self->client_error);
  g_free (self->why);
  g_free (self->message);
  g_free (self);
}

gboolean
fh_container_exit_is_name_taken (FhContainerExit *self)
{
  return !self->has_started &&
         g_error_matches (self->client_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NAME_TAKEN);
}

/* Whether the engine may be about to remove the container: it stops one first and needs a moment
 * for the rest. */
static gboolean
may_be_removal (FhContainerExit *self, const FhContainer *container)
{
  return self->has_started && !self->was_cut_off && !container->was_out_of_memory &&
         !g_str_equal (container->state, "running") && !g_str_equal (container->state, "removing");
}

gpointer
fh_container_exit_inspect (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  FhContainer *container = NULL;

  for (guint n = 1; n <= INSPECTIONS_MAX; n++)
    {
      g_clear_pointer (&container, fh_container_free);
      container = fh_container_find (order->engine, order->name, cancellable, error);
      if (container == NULL || !may_be_removal (order->data, container) ||
          (n < INSPECTIONS_MAX && !fh_engine_pause (INSPECT_INTERVAL_MS, cancellable, NULL)))
        break;
    }
  return container;
}

/* The container ended without us. */
static FhRunOutcome
lost (FhContainerExit *self, const char *message)
{
  g_free (self->message);
  self->message = g_strdup (message);
  return fh_outcome_of_ours (self->has_started ? FH_RUN_STATUS_INTERNAL_ERROR
                                               : FH_RUN_STATUS_NOT_STARTED,
                             "container",
                             self->message);
}

/* In a kept container it may have been another process at another time. */
static FhRunOutcome
out_of_memory (FhContainerExit *self)
{
  FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_MEMORY_EXCEEDED, NULL, NULL);

  outcome.cause = self->instance->options->is_kept ? FH_RUN_CAUSE_LIKELY : FH_RUN_CAUSE_CERTAIN;
  outcome.limit_bytes = self->instance->limits.memory_bytes;
  return outcome;
}

static FhRunOutcome
diagnose_gone (FhContainerExit *self)
{
  if (self->has_started)
    return lost (self, _ ("The container was removed while the program ran."));
  return lost (self, self->client_error != NULL ? self->client_error->message : self->why);
}

static FhRunOutcome
diagnose_ended (FhContainerExit *self, const FhContainer *container)
{
  g_autofree char *message = g_strdup_printf (
      /* Translators: %d is an exit status. */
      _ ("The container exited with status %d before it reported the result of the run."),
      container->exit_code);

  if (self->instance->options->is_kept)
    return lost (self, _ ("The container was stopped while the program ran."));
  return lost (self, message);
}

FhRunOutcome
fh_container_exit_diagnose (FhContainerExit *self,
                            const FhContainer *container,
                            const GError *error)
{
  if (fh_container_exit_is_name_taken (self))
    return lost (self, self->client_error->message);
  if (container == NULL)
    return g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER)
               ? diagnose_gone (self)
               : lost (self, error->message);
  if (self->has_started && g_str_equal (container->state, "removing"))
    return diagnose_gone (self);
  if (container->was_out_of_memory)
    return out_of_memory (self);
  if (!self->has_started && container->error != NULL && *container->error != '\0')
    return lost (self, container->error);
  if (self->client_error != NULL)
    return lost (self, self->client_error->message);
  /* Without its client a container seems to end normally. */
  if (self->was_cut_off || g_str_equal (container->state, "running"))
    return lost (self, self->why);
  return diagnose_ended (self, container);
}
