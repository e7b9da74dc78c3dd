/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program is a series of one step, whose request is known from the beginning. */
#include "config.h"

#include "series-builder.h"

static FhRunRequest *
next_request (gpointer self,
              FhStep *step,
              const FhRunOptions *options,
              gboolean *is_last,
              GError **error)
{
  *is_last = TRUE;
  return g_object_ref (step->request);
}

static FhStep *
new_step (FhRunRequest *request, gboolean asks)
{
  static const FhStepKind kind = { .dup_place = NULL };
  FhStep *step = fh_step_new (&kind);

  step->number = 1;
  step->language = fh_run_request_get_parts (request)->language;
  step->request = g_object_ref (request);
  step->asks = asks ? step->language : NULL;
  return step;
}

static const FhSeriesBuilder builder = {
  .next_request = next_request,
  .free = g_object_unref,
};

FhSeries *
fh_series_new_program (FhExecutor *executor, FhRunRequest *request, gboolean asks)
{
  FhSeries *series;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);

  series = fh_series_new (executor,
                          &builder,
                          g_object_ref (request),
                          fh_run_request_get_parts (request)->options,
                          FH_AFTER_FAILURE_END);
  fh_series_add_step (series, new_step (request, asks));
  return series;
}
