/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "json-member.h"
#include "step-private.h"

/* As in data/guest/notebook.py. */
#define MAX_LINES 50

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
fh_step_new (void)
{
  return g_object_new (FH_TYPE_STEP, NULL);
}

FhStep *
fh_step_new_program (FhRunRequest *request, gboolean asks)
{
  FhStep *self = fh_step_new ();

  self->number = 1;
  self->request = g_object_ref (request);
  self->asks = asks ? fh_run_request_get_language (request) : NULL;
  return self;
}

FhStep *
fh_step_new_block (GPtrArray *blocks, guint index, guint number)
{
  FhStep *self = fh_step_new ();

  self->number = number;
  self->blocks = g_ptr_array_ref (blocks);
  self->block = g_ptr_array_index (blocks, index);
  self->asks = self->block->action == FH_BLOCK_ASK ? self->block->language : NULL;
  return self;
}

FhStep *
fh_step_new_cell (FhCell *cell)
{
  FhStep *self = fh_step_new ();

  self->cell = g_object_ref (cell);
  self->is_silent = fh_cell_get_kind (cell) != FH_CELL_EXECUTE;
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

/* "3, 5": the lines that the interpreter names. NULL if there are none. The program chooses them.
 */
static char *
dup_lines (JsonObject *answer, const char *name)
{
  JsonArray *lines = fh_json_get_array (answer, name, MAX_LINES, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; lines != NULL && i < json_array_get_length (lines); i++)
    {
      JsonNode *node = json_array_get_element (lines, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64)
        g_string_append_printf (text,
                                "%s%" G_GINT64_FORMAT,
                                text->len > 0 ? ", " : "",
                                json_node_get_int (node));
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
add_lines (FhStep *self, const char *name, const char *sentence, GStrvBuilder *repairs)
{
  g_autofree char *lines = dup_lines (self->answer, name);
  g_autofree char *repair = lines != NULL ? g_strdup_printf ("%s: %s", sentence, lines) : NULL;

  if (repair != NULL)
    g_strv_builder_add (repairs, repair);
}

char **
fh_step_dup_repairs (FhStep *self)
{
  g_autoptr (GStrvBuilder) repairs = g_strv_builder_new ();

  g_return_val_if_fail (FH_IS_STEP (self), NULL);

  if (fh_step_get_block (self) != NULL)
    return fh_answer_block_dup_repairs (fh_step_get_block (self));
  if (self->answer != NULL)
    {
      /* Translators: followed by numbers of lines */
      add_lines (self,
                 "notebook_lines",
                 _ ("Lines for a notebook that were run as what they mean there"),
                 repairs);
      add_lines (self,
                 "left_out_lines",
                 _ ("Lines for a notebook that mean nothing here and were left out"),
                 repairs);
    }
  return g_strv_builder_end (repairs);
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
          fh_run_outcome_exit_status (fh_run_result_get_outcome (result)) != 0);
}
