/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "session-record.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "history.h"
#include "message.h"

/* More cells are run, but not kept. */
#define MAX_CELLS      10000
#define MAX_CELL_BYTES ((gsize) 256 << 20)
/* Of the source of all. */
#define MAX_SOURCE ((gsize) 1 << 20)

struct _FhSessionRecord
{
  FhHistory *history;
  gint64 id; /* reserved; -1: not possible */
  guint n_cells;
  gsize cell_bytes;
  GString *source;
  FhRunOptions *options;
  FhOutputLog *table;
  GDateTime *started_at;
  gint64 begin;
  FhRunOutcome sums;
  FhRunResult *last; /* nullable: all cells were protected as it was */
};

FhSessionRecord *
fh_session_record_new (const FhRunOptions *options)
{
  FhSessionRecord *self = g_new0 (FhSessionRecord, 1);

  self->history = fh_history_new (NULL);
  self->id = fh_history_reserve (self->history, NULL);
  self->source = g_string_new (NULL);
  self->options = fh_run_options_copy (options);
  self->table = fh_output_log_new ();
  self->started_at = g_date_time_new_now_utc ();
  self->begin = g_get_monotonic_time ();
  self->sums.signal = -1;
  return self;
}

void
fh_session_record_free (FhSessionRecord *self)
{
  g_object_unref (self->history);
  g_string_free (self->source, TRUE);
  fh_run_options_free (self->options);
  g_object_unref (self->table);
  g_date_time_unref (self->started_at);
  g_clear_object (&self->last);
  g_free (self);
}

static void
add_row (FhSessionRecord *self, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  g_autofree char *sentence =
      g_strdelimit (g_strdup (fh_run_result_get_sentence (result)), "\t\n\r", ' ');
  g_autofree char *row =
      g_strdup_printf ("%u\t%.3f\t%.1f\t%u\t%s\n",
                       self->n_cells,
                       (double) outcome->wall_us / 1e6,
                       (double) outcome->memory_peak / (1 << 20),
                       fh_attempt_log_get_n_stopped (fh_run_result_get_attempts (result)),
                       sentence);

  fh_output_log_append (self->table,
                        FH_STREAM_STDOUT,
                        (guint64) (g_get_monotonic_time () - self->begin),
                        row,
                        strlen (row));
}

void
fh_session_record_add (FhSessionRecord *self, FhRunRequest *request, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  g_autofree char *text = fh_run_request_dup_source_text (request);
  FhOutputLog *output = fh_run_result_get_output (result);
  const gsize size = strlen (text) + fh_output_log_get_kept (output, FH_STREAM_STDOUT) +
                     fh_output_log_get_kept (output, FH_STREAM_STDERR);

  self->n_cells++;
  add_row (self, result);
  if (self->source->len + strlen (text) < MAX_SOURCE)
    g_string_append_printf (self->source, "# %%%% %u\n%s\n", self->n_cells, text);
  self->sums.cpu_user_us += outcome->cpu_user_us;
  self->sums.cpu_system_us += outcome->cpu_system_us;
  self->sums.memory_peak = MAX (self->sums.memory_peak, outcome->memory_peak);
  g_set_object (&self->last, result);
  if (self->id < 0 || self->n_cells > MAX_CELLS || size > MAX_CELL_BYTES - self->cell_bytes)
    return;
  self->cell_bytes += size;
  fh_history_add_sample_async (self->history,
                               self->id,
                               request,
                               result,
                               fh_run_status_to_string (outcome->status),
                               NULL,
                               NULL);
}

static FhRunRequest *
build_request (FhSessionRecord *self, GError **error)
{
  g_autoptr (GBytes) source = g_bytes_new (self->source->str, self->source->len);
  /* Translators: %u is a number. */
  g_autofree char *title = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "Session of %u cell", "Session of %u cells", self->n_cells),
      self->n_cells);

  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .title = title,
                                                  .options = self->options },
                             error);
}

static FhRunResult *
build_result (FhSessionRecord *self)
{
  FhRunResultParts parts = fh_run_result_get_parts (self->last);

  self->sums.wall_us = (guint64) (g_get_monotonic_time () - self->begin);
  fh_output_log_freeze (self->table);
  parts.outcome = &self->sums;
  parts.output = self->table;
  parts.attempts = NULL;
  parts.files = NULL;
  parts.started_at = self->started_at;
  return fh_run_result_new (&parts);
}

void
fh_session_record_save (FhSessionRecord *self)
{
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (self->last == NULL)
    return;
  fh_history_flush (self->history);
  request = build_request (self, &error);
  result = build_result (self);
  if (request == NULL ||
      fh_history_add_reserved (self->history, MAX (self->id, 0), request, result, &error) < 0)
    fh_message (_ ("This session is not in the history: %s"), error->message);
}
