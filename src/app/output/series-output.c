/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/series-output.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "json-member.h"
#include "output/output-sources.h"
#include "parts/calls.h"
#include "parts/run-labels.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

struct _FhSeriesOutput
{
  FhSeries *series;
  FhOutputView *output;
  FhAttemptLog *attempts;   /* nullable */
  FhOutputSection *section; /* of the step that runs; nullable */
  guint n_dropped;          /* steps that were told, since then, not to run any more */
  guint n_repairs;          /* that the section tells */
  gboolean is_new;          /* what was shown before is still there */
};

/* Adds the file that all blocks of a language are run from, or that of a block, which has a number.
 */
static void
add_source (GPtrArray *sources, const FhLanguage *language, const char *file_name, guint number)
{
  if (number == 0 && language != NULL)
    fh_output_sources_add (sources, language->file_name, 0);
  else if (number > 0 && file_name != NULL && *file_name != '\0')
    fh_output_sources_add (sources, file_name, number);
}

/* The sources of the languages come first. */
static GPtrArray *
new_sources (GPtrArray *blocks, guint first)
{
  GPtrArray *sources = fh_output_sources_new ();

  for (guint i = 0; i < 2 * blocks->len; i++)
    {
      const guint index = i % blocks->len;
      const FhAnswerBlock *block = blocks->pdata[index];

      add_source (sources, block->language, block->file_name, i == index ? 0 : first + index);
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
  g_autofree char *heading = fh_step_dup_heading (step);

  if (self->is_new)
    clear_output (self);
  self->is_new = FALSE;
  self->n_dropped = 0;
  self->n_repairs = 0;
  self->section = fh_output_section_new (heading, fh_step_get_run (step), NULL);
  fh_output_view_add_section (self->output, self->section);
}

static void
say (FhSeriesOutput *self, const char *text)
{
  fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_ENDING, text);
}

/* Tells how the code was read, if that is not as it stands in the text, as soon as it is known. */
static void
say_repairs (FhSeriesOutput *self, FhStep *step)
{
  g_auto (GStrv) repairs = fh_step_dup_repairs (step);

  for (; repairs[self->n_repairs] != NULL; self->n_repairs++)
    say (self, repairs[self->n_repairs]);
}

static void
end_section (FhSeriesOutput *self)
{
  fh_output_section_end (self->section);
  g_clear_object (&self->section);
}

static void
say_left (FhSeriesOutput *self, FhStep *step)
{
  g_autofree char *left =
      fh_step_dup_left (step, self->n_dropped + fh_series_get_n_waiting (self->series));

  if (left != NULL)
    say (self, left);
}

/* The last frame of a traceback that is in a cell is where its error happened. */
static void
show_cell_line (FhSeriesOutput *self, const char *traceback)
{
  FhSourcePlace place = { 0 };
  FhSourcePlace found;

  for (const char *at = traceback; *at != '\0'; at += strspn (at, "\n"))
    {
      const gsize size = strcspn (at, "\n");

      if (fh_traceback_find (at, size, FH_TRACEBACK_CELL, &found))
        place = found;
      at += size;
    }
  if (place.line > 0 && place.cell > 0)
    fh_output_status_set_cell_line (fh_output_view_get_status (self->output),
                                    place.line,
                                    place.cell);
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
    {
      fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_STDERR, text);
      show_cell_line (self, text);
    }
}

static void
say_ending (FhSeriesOutput *self, FhStep *step)
{
  FhRunResult *result = fh_run_get_result (fh_step_get_run (step));
  g_autofree char *time =
      fh_run_label_elapsed (fh_run_outcome_own_us (fh_run_result_get_parts (result)->outcome));
  /* The exception that the interpreter answered stands above. */
  const gboolean is_explained =
      fh_step_get_answer (step) != NULL &&
      fh_run_result_get_parts (result)->outcome->status == FH_RUN_STATUS_FAILED;
  /* Translators: how a cell ended, and how long it took */
  g_autofree char *ending =
      g_strdup_printf (_ ("%s (%s)"),
                       is_explained ? _ ("Failed.") : fh_run_result_get_parts (result)->sentence,
                       time);

  say (self, ending);
}

static void
finish (FhSeriesOutput *self, FhStep *step)
{
  g_autofree char *restarted = fh_series_output_dup_restarted (step);

  if (restarted != NULL)
    say (self, restarted);
  if (fh_step_get_answer (step) != NULL)
    say_answer (self, fh_step_get_answer (step));
  say_repairs (self, step);
  say_ending (self, step);
  if (fh_step_get_note (step) != NULL)
    say (self, fh_step_get_note (step));
  if (fh_step_has_failed (step))
    say_left (self, step);
  end_section (self);
}

static void
say_note (FhSeriesOutput *self, FhStep *step)
{
  const char *note = fh_step_get_note (step) != NULL ? fh_step_get_note (step) : "";

  begin_section (self, step);
  say_repairs (self, step);
  say (self, note);
  if (fh_step_has_failed (step))
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

static GPtrArray *
new_past_sources (GPtrArray *runs)
{
  GPtrArray *sources = fh_output_sources_new ();

  for (guint i = 0; i < 2 * runs->len; i++)
    {
      const FhBlockRun *run = runs->pdata[i % runs->len];

      add_source (sources, run->language, run->file_name, i < runs->len ? 0 : run->number);
    }
  return sources;
}

/* Says how it ended, and what else was said below its output. */
static void
say_past_words (FhOutputSection *section, const FhBlockRun *run)
{
  g_auto (GStrv) lines = g_strsplit (run->words != NULL ? run->words : "", "\n", -1);
  g_autofree char *time = fh_run_label_elapsed (run->own_us);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const gboolean has_time = i == 0 && run->own_us > 0;
      g_autofree char *ending =
          has_time ? g_strdup_printf (_ ("%s (%s)"), lines[i], time) : g_strdup (lines[i]);

      fh_output_section_say (section, BOTH, FH_OUTPUT_TAG_ENDING, ending);
    }
}

static void
add_past_section (FhOutputView *output, const FhBlockRun *run, FhOutputLog *answer)
{
  g_autoptr (FhOutputLog) log = fh_block_run_dup_output (run, answer);
  g_autoptr (FhOutputSection) section = fh_output_section_new (run->heading, NULL, log);

  say_past_words (section, run);
  fh_output_section_end (section);
  fh_output_view_add_section (output, section);
}

void
fh_series_output_show_past (FhOutputView *output, FhRunRequest *request, FhRunResult *result)
{
  GPtrArray *runs = fh_run_result_get_parts (result)->blocks;
  g_autoptr (GPtrArray) sources = NULL;

  g_return_if_fail (FH_IS_OUTPUT_VIEW (output) && runs != NULL);

  sources = new_past_sources (runs);
  fh_output_view_begin_session (output, sources);
  for (guint i = 0; i < runs->len; i++)
    {
      const FhBlockRun *run = runs->pdata[i];

      if (run->heading != NULL)
        add_past_section (output, run, fh_run_result_get_parts (result)->output);
    }
  fh_output_pictures_add (fh_output_view_get_pictures (output),
                          fh_run_result_get_parts (result)->files);
  fh_output_status_show_result (fh_output_view_get_status (output), request, result, TRUE);
}
