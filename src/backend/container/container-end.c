/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-end.h"

#include <glib/gi18n-lib.h>

#include "engine-call.h"
#include "wire-translation.h"

struct _FhContainerEnd
{
  FhContainerPlace *place;
  gboolean has_started;
  gboolean was_cut_off; /* the client was killed */
  char *why;
  GError *complaint; /* NULL: it said nothing */
  char *message;
};

FhContainerEnd *
fh_container_end_new (FhContainerPlace *place,
                      gboolean has_started,
                      int exit_status,
                      const char *why,
                      const char *complaint)
{
  FhContainerEnd *self = g_new0 (FhContainerEnd, 1);

  self->place = fh_container_place_ref (place);
  self->has_started = has_started;
  self->was_cut_off = exit_status < 0;
  self->why = g_strdup (why);
  /* One that was killed had no time to say what it means. */
  if (exit_status > 0 && complaint != NULL && *complaint != '\0')
    self->complaint =
        fh_engine_error_from_text (fh_engine_get_facts (place->engine)->kind, complaint);
  return self;
}

void
fh_container_end_free (FhContainerEnd *self)
{
  if (self == NULL)
    return;
  fh_container_place_unref (self->place);
  g_clear_error (&self->complaint);
  g_free (self->why);
  g_free (self->message);
  g_free (self);
}

gboolean
fh_container_end_is_name_taken (FhContainerEnd *self)
{
  return !self->has_started &&
         g_error_matches (self->complaint, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NAME_TAKEN);
}

gboolean
fh_container_end_may_be_removal (FhContainerEnd *self, const FhContainer *container)
{
  return self->has_started && !self->was_cut_off && !container->was_out_of_memory &&
         !g_str_equal (container->state, "running") && !g_str_equal (container->state, "removing");
}

/* The container ended without us. */
static FhRunOutcome
lost (FhContainerEnd *self, char *message)
{
  g_free (self->message);
  self->message = message;
  return fh_outcome_of_ours (self->has_started ? FH_RUN_STATUS_INTERNAL_ERROR
                                               : FH_RUN_STATUS_NOT_STARTED,
                             "container",
                             self->message);
}

/* In a kept one it may have been another process at another time. */
static FhRunOutcome
out_of_memory (FhContainerEnd *self)
{
  FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_MEMORY_EXCEEDED, NULL, NULL);

  outcome.cause = self->place->options->is_kept ? FH_RUN_CAUSE_LIKELY : FH_RUN_CAUSE_CERTAIN;
  outcome.limit_bytes = self->place->limits.memory_bytes;
  return outcome;
}

static FhRunOutcome
judge_gone (FhContainerEnd *self)
{
  if (self->has_started)
    return lost (self, g_strdup (_ ("The container was removed while the program ran.")));
  return lost (self, g_strdup (self->complaint != NULL ? self->complaint->message : self->why));
}

static FhRunOutcome
judge_ended (FhContainerEnd *self, const FhContainer *container)
{
  if (self->place->options->is_kept)
    return lost (self, g_strdup (_ ("The container was stopped while the program ran.")));
  /* Translators: %d is an exit status. */
  return lost (self,
               g_strdup_printf (_ ("The container ended with status %d before Fumehood heard how "
                                   "the run ended."),
                                container->exit_code));
}

FhRunOutcome
fh_container_end_judge (FhContainerEnd *self, const FhContainer *container, const GError *error)
{
  if (fh_container_end_is_name_taken (self))
    return lost (self, g_strdup (self->complaint->message));
  if (container == NULL)
    return g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER)
               ? judge_gone (self)
               : lost (self, g_strdup (error->message));
  if (self->has_started && g_str_equal (container->state, "removing"))
    return judge_gone (self);
  if (container->was_out_of_memory)
    return out_of_memory (self);
  if (!self->has_started && container->error != NULL && *container->error != '\0')
    return lost (self, g_strdup (container->error));
  if (self->complaint != NULL)
    return lost (self, g_strdup (self->complaint->message));
  /* Without its client a container ends as if all were well. */
  if (self->was_cut_off || g_str_equal (container->state, "running"))
    return lost (self, g_strdup (self->why));
  return judge_ended (self, container);
}
