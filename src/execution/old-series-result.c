/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "old-series-record-private.h"

/* The entry of several runs, put together from what was added. */

FhRunRequest *
fh_old_series_record_dup_request (FhOldSeriesRecord *self, GError **error)
{
  g_autoptr (GBytes) source = g_bytes_new (self->source->str, self->source->len);
  /* Translators: %u is a number. */
  g_autofree char *title = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "Session of %u cell", "Session of %u cells", self->n_cells),
      self->n_cells);

  return fh_run_request_new (&(FhRunRequestInit){ .language = self->language,
                                                  .source = source,
                                                  .title = self->is_answer ? self->title : title,
                                                  .options = self->options },
                             error);
}

/* Its strings are those of the record. */
static FhRunOutcome
build_outcome (FhOldSeriesRecord *self)
{
  FhRunOutcome outcome = self->sums;

  if (self->refusal != NULL)
    {
      outcome.status = self->last != NULL ? FH_RUN_STATUS_FAILED : FH_RUN_STATUS_NOT_STARTED;
      outcome.exit_code = self->last != NULL ? 1 : -1;
      outcome.step = self->last != NULL ? NULL : FH_RUN_STEP_APPROVAL;
      outcome.message = self->refusal;
    }
  else if (self->failed != NULL)
    {
      outcome = *fh_run_result_get_outcome (self->failed);
      outcome.cpu_user_us = self->sums.cpu_user_us;
      outcome.cpu_system_us = self->sums.cpu_system_us;
      outcome.memory_peak = self->sums.memory_peak;
      outcome.value = NULL;
    }
  /* An answer may have waited for a person meanwhile. */
  outcome.wall_us =
      self->is_answer ? self->sums.wall_us : (guint64) (g_get_monotonic_time () - self->begin);
  return outcome;
}

FhRunResult *
fh_old_series_record_dup_result (FhOldSeriesRecord *self)
{
  FhRunResultParts parts = { .backend = self->options->in_container ? "container" : "native",
                             .tier = "" };
  FhRunOutcome outcome;

  if (self->last != NULL)
    parts = fh_run_result_get_parts (self->last);
  outcome = build_outcome (self);
  fh_output_log_freeze (self->table);
  parts.outcome = &outcome;
  parts.output = self->table;
  parts.attempts = self->attempts;
  parts.files = self->files;
  if (self->changes != NULL)
    parts.changes = self->changes;
  parts.started_at = self->started_at;
  return fh_run_result_new (&parts);
}
