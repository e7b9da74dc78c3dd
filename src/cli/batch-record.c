/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-record.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "batch-result.h"
#include "history.h"
#include "message.h"

/* The file of results has all samples; the history, which is for people, those that came first. */
#define MAX_SAMPLES      10000
#define MAX_SAMPLE_BYTES ((gsize) 256 << 20)

struct _FhBatchRecord
{
  FhHistory *history;
  gint64 id; /* reserved; -1: not possible */
  guint n_samples;
  gsize sample_bytes;
  char *title;  /* of the first file */
  char *source; /* the command */
  FhRunOptions *options;
  FhOutputLog *table;
  GDateTime *started_at;
  gint64 begin;
  guint64 memory_peak;
  guint64 cpu_user_us;
  guint64 cpu_system_us;
  FhRunResult *first; /* nullable: all runs were protected as it was */
};

static void
append (FhBatchRecord *self, const char *line)
{
  fh_output_log_append (self->table,
                        FH_STREAM_STDOUT,
                        (guint64) (g_get_monotonic_time () - self->begin),
                        line,
                        strlen (line));
}

FhBatchRecord *
fh_batch_record_new (const char *const *files, const FhRunOptions *options)
{
  FhBatchRecord *self = g_new0 (FhBatchRecord, 1);
  GString *source = g_string_new ("fumehoodctl batch");

  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autofree char *word = g_shell_quote (files[i]);

      g_string_append_printf (source, " %s", word);
    }
  self->history = fh_history_new (NULL);
  self->id = fh_history_reserve (self->history, NULL);
  self->source = g_string_free (source, FALSE);
  self->title = g_filename_display_basename (files[0]);
  self->options = fh_run_options_copy (options);
  self->table = fh_output_log_new ();
  self->started_at = g_date_time_new_now_utc ();
  self->begin = g_get_monotonic_time ();
  append (self, "result\tseconds\tMiB\tattempts\tid\n");
  return self;
}

void
fh_batch_record_free (FhBatchRecord *self)
{
  g_object_unref (self->history);
  g_free (self->title);
  g_free (self->source);
  fh_run_options_free (self->options);
  g_object_unref (self->table);
  g_date_time_unref (self->started_at);
  g_clear_object (&self->first);
  g_free (self);
}

/* A sample that is not kept is a row of the table all the same. */
static void
keep_sample (FhBatchRecord *self,
             const FhBatchSample *sample,
             FhRunResult *result,
             const char *verdict)
{
  FhOutputLog *output = fh_run_result_get_parts (result)->output;
  gsize size = fh_output_log_get_kept (output, FH_STREAM_STDOUT) +
               fh_output_log_get_kept (output, FH_STREAM_STDERR) +
               g_bytes_get_size (fh_run_request_get_parts (sample->request)->source);

  if (self->id < 0 || self->n_samples >= MAX_SAMPLES ||
      size > MAX_SAMPLE_BYTES - self->sample_bytes)
    return;
  self->n_samples++;
  self->sample_bytes += size;
  fh_history_add_sample_async (self->history,
                               self->id,
                               sample->request,
                               result,
                               verdict,
                               NULL,
                               NULL);
}

/* The verdict with what one has to know of it: the tests could not be kept from the program, or it
 * is not the same each time. */
static char *
describe (const FhBatchSample *sample, FhRunResult *result)
{
  g_autofree char *words = NULL;
  const gboolean is_passed = fh_batch_verdict (result, sample, &words);
  g_autoptr (GString) text = g_string_new (words);

  if (is_passed && sample->shared != NULL)
    g_string_append (text, ", shared");
  if (sample->runs > 1)
    g_string_append_printf (text, ", %u of %u passed", sample->passes, sample->runs);
  return g_strdelimit (g_string_free (g_steal_pointer (&text), FALSE), "\t\n\r", ' ');
}

void
fh_batch_record_add (FhBatchRecord *self, const FhBatchSample *sample, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  FhAttemptLog *attempts = fh_run_result_get_parts (result)->attempts;
  g_autofree char *id = g_strdelimit (g_strdup (sample->id), "\t\n\r", ' ');
  g_autofree char *words = describe (sample, result);
  g_autofree char *row = NULL;

  keep_sample (self, sample, result, words);
  row = g_strdup_printf ("%s\t%.3f\t%.1f\t%u\t%s\n",
                         words,
                         (double) outcome->wall_us / 1e6,
                         (double) outcome->memory_peak / (1 << 20),
                         fh_attempt_log_get_n_stopped (attempts),
                         id);
  append (self, row);
  self->memory_peak = MAX (self->memory_peak, outcome->memory_peak);
  self->cpu_user_us += outcome->cpu_user_us;
  self->cpu_system_us += outcome->cpu_system_us;
  /* A sample that was not run tells nothing about the guards of the others. */
  if (self->first == NULL && sample->fault == NULL)
    self->first = g_object_ref (result);
}

static FhRunRequest *
build_request (FhBatchRecord *self, const FhBatchScore *score, GError **error)
{
  g_autoptr (GBytes) source = g_bytes_new (self->source, strlen (self->source));
  /* Translators: the name of a file, and two numbers. */
  g_autofree char *title = g_strdup_printf (_ ("Batch %s: %" PRIu64 " of %" PRIu64 " passed"),
                                            self->title,
                                            fh_batch_score_get_counts (score)->passed,
                                            fh_batch_score_get_counts (score)->samples);

  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("sh"),
                                                  .source = source,
                                                  .title = title,
                                                  .options = self->options },
                             error);
}

static FhRunResult *
build_result (FhBatchRecord *self, gboolean is_stopped)
{
  const FhRunOutcome outcome = {
    .status = is_stopped ? FH_RUN_STATUS_STOPPED : FH_RUN_STATUS_OK,
    .exit_code = is_stopped ? -1 : 0,
    .signal = -1,
    .wall_us = (guint64) (g_get_monotonic_time () - self->begin),
    .cpu_user_us = self->cpu_user_us,
    .cpu_system_us = self->cpu_system_us,
    .memory_peak = self->memory_peak,
  };
  FhRunResultParts parts = { 0 };

  parts = *fh_run_result_get_parts (self->first);
  parts.outcome = &outcome;
  parts.output = self->table;
  parts.attempts = NULL;
  parts.files = NULL;
  parts.started_at = self->started_at;
  fh_output_log_freeze (self->table);
  return fh_run_result_new (&parts);
}

void
fh_batch_record_save (FhBatchRecord *self, const FhBatchScore *score, gboolean is_stopped)
{
  const FhHistoryScore passed = { .n_passed = fh_batch_score_get_counts (score)->passed,
                                  .n_samples = fh_batch_score_get_counts (score)->samples };
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (self->first == NULL)
    return;
  fh_history_flush (self->history);
  request = build_request (self, score, &error);
  result = build_result (self, is_stopped);
  if (request == NULL ||
      fh_history_add_scored (self->history, MAX (self->id, 0), &passed, request, result, &error) <
          0)
    fh_message (_ ("This batch is not in the history: %s"), error->message);
}
