/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-figures.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/run-labels.h"

/* A line may break after the dot only. */
#define SEPARATOR "\u00a0\u00a0·  "

static char *
format_bytes (guint64 bytes)
{
  return g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
}

static char *
join (GStrvBuilder *builder)
{
  g_auto (GStrv) figures = g_strv_builder_end (builder);

  for (guint i = 0; figures[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (figures[i], " ", -1);

      g_free (figures[i]);
      figures[i] = g_strjoinv ("\u00a0", words);
    }
  return g_strjoinv (SEPARATOR, figures);
}

char *
fh_output_figures_time_live (guint64 elapsed_us, const FhRunLimits *limits)
{
  g_autofree char *limit = NULL;

  g_return_val_if_fail (limits != NULL, NULL);

  if (limits->wall_ms == 0)
    /* Translators: seconds so far. */
    return g_strdup_printf (_ ("%.1f s"), (double) elapsed_us / 1e6);
  limit = fh_run_limits_format_duration (limits->wall_ms);
  /* Translators: seconds so far, and the limit with its unit: “3.2 s of 30 s”. */
  return g_strdup_printf (_ ("%.1f s of %s"), (double) elapsed_us / 1e6, limit);
}

char *
fh_output_figures_time_final (FhRunResult *result)
{
  g_return_val_if_fail (FH_IS_RUN_RESULT (result), NULL);

  return fh_run_label_elapsed (fh_run_outcome_own_us (fh_run_result_get_parts (result)->outcome));
}

char *
fh_output_figures_live (guint64 elapsed_us, const FhRunUsage *usage, const FhRunLimits *limits)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (usage != NULL && limits != NULL, NULL);

  fh_strv_builder_take (builder, fh_output_figures_time_live (elapsed_us, limits));
  if (usage->memory_bytes > 0)
    {
      g_autofree char *memory = format_bytes (usage->memory_bytes);

      /* Translators: the memory used now; %s is a size. */
      fh_strv_builder_take (builder, g_strdup_printf (_ ("Memory %s"), memory));
    }
  return join (builder);
}

static void
add_end (GStrvBuilder *builder, const FhRunOutcome *outcome)
{
  if (outcome->signal > 0)
    /* Translators: %s is the name of a signal: “Signal SIGSEGV”. */
    fh_strv_builder_take (builder,
                          g_strdup_printf (_ ("Signal %s"), fh_signal_name (outcome->signal)));
  /* Otherwise the sentence says it. */
  else if (outcome->exit_code > 0 && outcome->status != FH_RUN_STATUS_FAILED)
    fh_strv_builder_take (builder, g_strdup_printf (_ ("Exit code %d"), outcome->exit_code));
}

static void
add_stream (GStrvBuilder *builder, FhRunResult *result, FhStream stream)
{
  GPtrArray *blocks = fh_run_result_get_parts (result)->blocks;
  g_autofree char *size = format_bytes (
      blocks != NULL ? fh_block_runs_count_bytes (blocks, stream)
                     : fh_output_log_get_total (fh_run_result_get_parts (result)->output, stream));

  /* Translators: the names of the two streams of every program; %s is a size. */
  fh_strv_builder_take (builder,
                        stream == FH_STREAM_STDOUT ? g_strdup_printf (_ ("stdout %s"), size)
                                                   : g_strdup_printf (_ ("stderr %s"), size));
}

char *
fh_output_figures_final (FhRunResult *result, gboolean is_answer)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const FhRunOutcome *outcome;
  g_autofree char *wall = NULL;
  g_autofree char *cpu = NULL;
  g_autofree char *memory = NULL;

  g_return_val_if_fail (FH_IS_RUN_RESULT (result), NULL);

  outcome = fh_run_result_get_parts (result)->outcome;
  add_end (builder, outcome);
  /* A failure of ours has no figures: nothing ran. */
  if (fh_run_status_severity (outcome->status) == FH_RUN_SEVERITY_OURS && outcome->wall_us == 0)
    return join (builder);
  wall = fh_run_label_elapsed (fh_run_outcome_own_us (outcome));
  fh_strv_builder_take (builder, g_strdup_printf (_ ("Time %s"), wall));
  if (outcome->waited_us > 0)
    {
      g_autofree char *waited = fh_run_label_elapsed (outcome->waited_us);

      /* Translators: for input from a person; %s is a time. */
      fh_strv_builder_take (builder, g_strdup_printf (_ ("Waited %s for input"), waited));
    }
  cpu = fh_run_label_elapsed (outcome->cpu_user_us + outcome->cpu_system_us);
  /* Translators: processor time. */
  fh_strv_builder_take (builder, g_strdup_printf (_ ("CPU %s"), cpu));
  memory = format_bytes (outcome->memory_peak);
  fh_strv_builder_take (builder, g_strdup_printf (_ ("Peak memory %s"), memory));
  if (!is_answer || fh_run_result_get_parts (result)->blocks != NULL)
    {
      add_stream (builder, result, FH_STREAM_STDOUT);
      add_stream (builder, result, FH_STREAM_STDERR);
    }
  return join (builder);
}
