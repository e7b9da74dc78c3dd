/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "output/series-output.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "json-member.h"
#include "output/output-sources.h"
#include "parts/calls.h"
#include "parts/run-labels.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

/* Characters. */
#define MAX_HEADING 80

struct _FhSeriesOutput
{
  FhSeries *series;
  FhOutputView *output;
  FhAttemptLog *attempts;   /* nullable */
  FhOutputSection *section; /* of the step that runs; nullable */
  guint n_dropped;          /* steps that were told, since then, not to run any more */
  gboolean is_new;          /* what was shown before is still there */
};

static char *
dup_block_heading (const FhAnswerBlock *block, guint number)
{
  const char *name = block->language != NULL ? block->language->name : block->word;

  if (block->file_name != NULL)
    /* Translators: a number, the name of a language, the name of a file. */
    return g_strdup_printf (_ ("[%u] %s: %s"), number, name, block->file_name);
  /* Translators: a number, the name of a language, the number of a line. */
  return g_strdup_printf (_ ("[%u] %s from line %u on"), number, name, block->line);
}

/* Its title, or its first line. */
static char *
dup_cell_heading (const char *code, guint number)
{
  g_autofree char *first = NULL;
  const char *title;

  code += strspn (code, " \t\r\n");
  title = code + strspn (code, "# \t");
  if (g_str_has_prefix (title, "%%"))
    {
      title += strspn (title, "% \t");
      code = title + strspn (title, "\r\n");
      if (strcspn (title, "\r\n") > 0)
        code = title;
    }
  code += strspn (code, " \t\r\n");
  /* A line of any length, cut between characters. */
  first = g_utf8_substring (code, 0, MIN (g_utf8_strlen (code, -1), MAX_HEADING));
  first[strcspn (first, "\r\n")] = '\0';
  return g_strdup_printf ("[%u] %s", number, first);
}

/* The files of the blocks, and those that all blocks of a language are run from. */
static GPtrArray *
new_sources (GPtrArray *blocks, guint first)
{
  GPtrArray *sources = fh_output_sources_new ();

  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      if (block->language != NULL)
        fh_output_sources_add (sources, block->language->file_name, 0);
    }
  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      if (block->file_name != NULL && *block->file_name != '\0')
        fh_output_sources_add (sources, block->file_name, first + i);
    }
  return sources;
}

static void
clear_output (FhSeriesOutput *self)
{
  g_autoptr (GPtrArray) sources = fh_output_sources_new ();

  fh_output_sources_add (sources, FH_TRACEBACK_CELL, 0);
  fh_output_view_begin_session (self->output, sources);
}

static void
begin_section (FhSeriesOutput *self, FhStep *step)
{
  const FhAnswerBlock *block = fh_step_get_block (step);
  const guint number = fh_step_get_number (step);
  g_autofree char *heading =
      block != NULL ? dup_block_heading (block, number)
                    : dup_cell_heading (fh_cell_get_source (fh_step_get_cell (step)), number);

  if (self->is_new)
    clear_output (self);
  self->is_new = FALSE;
  self->n_dropped = 0;
  self->section = fh_output_section_new (heading, fh_step_get_run (step));
  fh_output_view_add_section (self->output, self->section);
}

static void
say (FhSeriesOutput *self, const char *text)
{
  fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_ENDING, text);
}

/* Tells how the block was read, if that is not as it stands in the answer. */
static void
say_repairs (FhSeriesOutput *self, FhStep *step)
{
  g_auto (GStrv) repairs = fh_step_dup_repairs (step);

  for (guint i = 0; repairs[i] != NULL; i++)
    say (self, repairs[i]);
}

static void
end_section (FhSeriesOutput *self)
{
  fh_output_section_end (self->section);
  g_clear_object (&self->section);
}

/* How many steps did not run because of this one. NULL if none. (transfer full) */
static char *
dup_left (FhSeriesOutput *self, FhStep *step)
{
  const guint n = self->n_dropped + fh_series_get_n_waiting (self->series);

  if (n == 0)
    return NULL;
  if (fh_step_get_block (step) != NULL)
    return g_strdup_printf (
        ngettext ("%u block after it did not run.", "%u blocks after it did not run.", n),
        n);
  return g_strdup_printf (
      ngettext ("%u cell that waited did not run.", "%u cells that waited did not run.", n),
      n);
}

static void
say_left (FhSeriesOutput *self, FhStep *step)
{
  g_autofree char *left = dup_left (self, step);

  if (left != NULL)
    say (self, left);
}

/* All of it is the program's, and shown as text. */
static void
say_answer (FhSeriesOutput *self, JsonObject *answer)
{
  const char *text = NULL;
  guint64 length = 0;

  if (fh_json_get_string (answer, "value", &text, NULL))
    {
      fh_output_section_say (self->section, FH_STREAM_STDOUT, FH_OUTPUT_TAG_VALUE, text);
      fh_json_get_number (answer, "value_length", G_MAXINT64, &length, NULL);
      if ((gint64) length > g_utf8_strlen (text, -1))
        {
          g_autofree char *note = g_strdup_printf (
              /* Translators: of a value, which is longer than what is shown */
              _ ("[… %" PRIu64 " characters in all …]"),
              length);

          fh_output_section_say (self->section, FH_STREAM_STDOUT, FH_OUTPUT_TAG_ENDING, note);
        }
    }
  if (fh_json_get_string (answer, "exception", &text, NULL))
    fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_STDERR, text);
}

/* `sentence`: NULL for that of the result. */
static void
say_ending (FhSeriesOutput *self, FhRunResult *result, const char *sentence)
{
  g_autofree char *time = fh_run_label_elapsed (fh_run_result_get_outcome (result)->wall_us);
  /* Translators: how a cell ended, and how long it took */
  g_autofree char *ending =
      g_strdup_printf (_ ("%s (%s)"),
                       sentence != NULL ? sentence : fh_run_result_get_sentence (result),
                       time);

  say (self, ending);
}

static gboolean
asks_for_input (JsonObject *answer)
{
  const char *exception;

  return answer != NULL && fh_json_get_string (answer, "exception", &exception, NULL) &&
         g_str_has_suffix (exception, "EOFError: EOF when reading a line");
}

/* Whether the variables are still there is what people want to know. */
static void
say_cell_ending (FhSeriesOutput *self, FhRun *run, JsonObject *answer)
{
  FhRunResult *result = fh_run_get_result (run);
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  const gboolean lives = fh_run_get_answer (run) != NULL;

  /* The exception stands above. */
  say_ending (self,
              result,
              outcome->status == FH_RUN_STATUS_FAILED && lives ? _ ("Failed.") : NULL);
  if (asks_for_input (answer))
    say (self,
         _ ("A cell cannot ask for input. Write the text into its code, or run the program without "
            "a session."));
  if (!lives && fh_run_outcome_has_run (outcome))
    say (self,
         _ ("The session has ended: its variables are gone. The next cell starts a new one."));
  else if (lives && outcome->status != FH_RUN_STATUS_OK && outcome->status != FH_RUN_STATUS_FAILED)
    say (self, _ ("The session goes on: its variables are still there."));
}

static void
finish (FhSeriesOutput *self, FhStep *step)
{
  FhRun *run = fh_step_get_run (step);
  g_autofree char *restarted = fh_series_output_dup_restarted (step);

  if (restarted != NULL)
    say (self, restarted);
  if (fh_step_get_answer (step) != NULL)
    say_answer (self, fh_step_get_answer (step));
  if (fh_step_get_cell (step) != NULL)
    {
      say_repairs (self, step);
      say_cell_ending (self, run, fh_step_get_answer (step));
    }
  else
    say_ending (self, fh_run_get_result (run), NULL);
  if (fh_step_get_note (step) != NULL)
    say (self, fh_step_get_note (step));
  if (fh_step_has_failed (step))
    say_left (self, step);
  end_section (self);
}

static void
say_note (FhSeriesOutput *self, FhStep *step)
{
  const gboolean is_refused = fh_step_get_state (step) == FH_STEP_REFUSED;
  const char *note = fh_step_get_note (step) != NULL ? fh_step_get_note (step) : "";

  begin_section (self, step);
  if (fh_step_get_block (step) != NULL)
    say_repairs (self, step);
  say (self, note);
  if (is_refused && fh_step_get_cell (step) != NULL)
    say_left (self, step);
  end_section (self);
}

static void
step_cb (FhSeriesOutput *self, FhStep *step)
{
  if (fh_step_is_silent (step))
    return;
  switch (fh_step_get_state (step))
    {
    case FH_STEP_RUNNING:
      begin_section (self, step);
      say_repairs (self, step);
      if (self->attempts != NULL)
        fh_output_status_set_answer (fh_output_view_get_status (self->output), self->attempts);
      break;
    case FH_STEP_FINISHED:
      finish (self, step);
      break;
    case FH_STEP_SAVED:
    case FH_STEP_REFUSED:
      say_note (self, step);
      break;
    case FH_STEP_NOT_RUN:
      self->n_dropped++;
      break;
    case FH_STEP_WAITING:
    case FH_STEP_ASKING:
      break;
    }
}

char *
fh_series_output_dup_restarted (FhStep *step)
{
  g_return_val_if_fail (FH_IS_STEP (step), NULL);

  if (!fh_step_is_restarted (step))
    return NULL;
  return g_strjoin (" ",
                    _ ("The interpreter had ended. A new one was started: variables of earlier "
                       "cells are gone."),
                    fh_run_get_earlier_end (fh_step_get_run (step)),
                    NULL);
}

void
fh_series_output_free (FhSeriesOutput *self)
{
  g_signal_handlers_disconnect_by_data (self->series, self);
  if (self->section != NULL)
    end_section (self);
  g_object_unref (self->series);
  g_object_unref (self->output);
  g_clear_object (&self->attempts);
  g_free (self);
}

FhSeriesOutput *
fh_series_output_new (FhSeries *series,
                      FhOutputView *output,
                      GPtrArray *blocks,
                      guint first,
                      FhAttemptLog *attempts)
{
  FhSeriesOutput *self;

  g_return_val_if_fail (FH_IS_SERIES (series) && FH_IS_OUTPUT_VIEW (output), NULL);

  self = g_new0 (FhSeriesOutput, 1);
  self->series = g_object_ref (series);
  self->output = g_object_ref (output);
  g_set_object (&self->attempts, attempts);
  self->is_new = blocks == NULL;
  if (blocks != NULL)
    {
      g_autoptr (GPtrArray) sources = new_sources (blocks, first);

      fh_output_view_begin_session (output, sources);
    }
  g_signal_connect_swapped (series, "step-changed", G_CALLBACK (step_cb), self);
  return self;
}
