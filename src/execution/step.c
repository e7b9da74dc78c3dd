/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "step-private.h"

G_DEFINE_FINAL_TYPE (FhStep, fh_step, G_TYPE_OBJECT)

static void
fh_step_finalize (GObject *object)
{
  FhStep *self = FH_STEP (object);

  g_clear_object (&self->run);
  g_free (self->note);
  g_clear_object (&self->request);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_object (&self->cell);
  g_clear_pointer (&self->answer, json_object_unref);

  G_OBJECT_CLASS (fh_step_parent_class)->finalize (object);
}

static void
fh_step_class_init (FhStepClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_step_finalize;
}

static void
fh_step_init (FhStep *self)
{
  self->ending = FH_STEP_FINISHED;
}

FhStep *
fh_step_new (const FhStepKind *kind)
{
  FhStep *self = g_object_new (FH_TYPE_STEP, NULL);

  self->kind = kind;
  return self;
}

void
fh_step_set_note (FhStep *self, const char *note)
{
  g_free (self->note);
  self->note = g_strdup (note);
}

FhStepState
fh_step_get_state (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), FH_STEP_NOT_RUN);

  return self->state;
}

guint
fh_step_get_number (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), 0);

  return self->number;
}

gboolean
fh_step_is_silent (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), TRUE);

  return self->is_silent;
}

FhRun *
fh_step_get_run (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->run;
}

const char *
fh_step_get_note (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->note;
}

const FhAnswerBlock *
fh_step_get_block (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->block;
}

FhCell *
fh_step_get_cell (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->cell;
}

const FhLanguage *
fh_step_get_language (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->language;
}

guint
fh_step_get_line (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), 0);

  return self->line;
}

FhRunRequest *
fh_step_get_request (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->request;
}

JsonObject *
fh_step_get_answer (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->answer;
}

char *
fh_step_dup_place (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->kind->dup_place != NULL ? self->kind->dup_place (self) : NULL;
}

char *
fh_step_dup_heading (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->kind->dup_heading != NULL ? self->kind->dup_heading (self) : NULL;
}

char *
fh_step_dup_left (FhStep *self, guint n)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return n > 0 && self->kind->dup_left != NULL ? self->kind->dup_left (n) : NULL;
}

char **
fh_step_dup_repairs (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  return self->kind->dup_repairs != NULL ? self->kind->dup_repairs (self) : g_new0 (char *, 1);
}

gboolean
fh_step_is_restarted (FhStep *self)
{
  g_return_val_if_fail (FH_IS_STEP (self), FALSE);

  return self->is_restarted;
}

gboolean
fh_step_has_failed (FhStep *self)
{
  FhRunResult *result;

  g_return_val_if_fail (FH_IS_STEP (self), FALSE);

  result = self->run != NULL ? fh_run_get_result (self->run) : NULL;
  return self->state == FH_STEP_REFUSED ||
         (self->state == FH_STEP_FINISHED && result != NULL &&
          fh_run_outcome_exit_status (fh_run_result_get_parts (result)->outcome) != 0);
}
