/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

#include "batch-command-line.h"
#include "batch-input.h"
#include "batch-marker.h"
#include "batch-merge.h"
#include "batch-output.h"
#include "batch-progress.h"
#include "batch-record.h"
#include "batch-score-text.h"
#include "batch-warmth.h"
#include "batch.h"
#include "command.h"
#include "json-text.h"
#include "message.h"
#include "run-error.h"
#include "run-report.h"
#include "stop-signals.h"

#define EXIT_STOPPED 130

/* A batch on its way. `done` are the results that were there before; of the samples that are not in
 * it those of our part are run. */
typedef struct
{
  const FhBatchCommandLine *line;
  FhBatchProblems *problems; /* nullable */
  FhBatchInput *input;
  FhBatchOutput *output;
  FhBatchScore *score;
  GHashTable *done; /* (element-type utf8 FhBatchResult) */
  guint64 n_all;
  guint64 n_here;     /* of our part */
  guint64 n_markdown; /* of these */
  guint64 n_bad;      /* that cannot be run and count as failed */
  guint64 n_marked;   /* that failed, and may not be all Python */
  FhBatchProgress *progress;
  FhBatchWarmth *warmth;
  FhBatchRecord *record; /* nullable: not for the history */
  FhBatch *batch;
  GMainLoop *loop;
  guint64 n_not_run;
  gboolean is_stopped;
  gboolean is_unwritten;
  GError *error; /* in the results that were there before */
} Work;

static void
work_clear (Work *work)
{
  g_clear_object (&work->batch);
  g_clear_pointer (&work->record, fh_batch_record_free);
  g_clear_pointer (&work->progress, fh_batch_progress_free);
  g_clear_pointer (&work->warmth, fh_batch_warmth_free);
  g_clear_pointer (&work->done, g_hash_table_unref);
  g_clear_pointer (&work->score, fh_batch_score_free);
  g_clear_pointer (&work->output, fh_batch_output_free);
  g_clear_pointer (&work->input, fh_batch_input_free);
  g_clear_pointer (&work->problems, fh_batch_problems_free);
  g_clear_pointer (&work->loop, g_main_loop_unref);
  g_clear_error (&work->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static void
known_cb (const FhBatchResult *result, const char *text, gsize size, gpointer user_data)
{
  Work *work = user_data;
  FhBatchResult *copy = g_new0 (FhBatchResult, 1);

  *copy = *result;
  copy->id = g_strdup (result->id);
  copy->task_id = g_strdup (result->task_id);
  copy->hash = g_strdup (result->hash);
  if (g_hash_table_contains (work->done, copy->id) && work->error == NULL)
    fh_run_error_refuse (&work->error, _ ("There are two results of “%s”."), copy->id);
  fh_batch_score_add (work->score, copy);
  g_hash_table_replace (work->done, copy->id, copy);
}

/* Whether this result is of that sample; `of` is checked when the number of samples is known. */
static gboolean
is_result_of (const FhBatchResult *result, const FhBatchSample *sample)
{
  g_autofree char *hash = fh_batch_sample_dup_hash (sample);

  return result->number == sample->number && g_str_equal (result->hash, hash);
}

static gboolean
is_here (const Work *work, const FhBatchSample *sample)
{
  return fh_batch_sample_shard (sample, work->line->n_shards) == work->line->shard;
}

static gboolean
refuse_changed (GError **error)
{
  return fh_run_error_refuse (error,
                              "%s",
                              _ ("The samples or options are not those of the results that are "
                                 "there: --resume cannot continue them."));
}

/* Reads all samples once: faults are found before anything runs. */
static gboolean
survey (Work *work, GError **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_known = 0;

  for (;;)
    {
      GError *local = NULL;
      g_autoptr (FhBatchSample) sample = fh_batch_input_next (work->input, &local);
      const FhBatchResult *result;

      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      if (sample == NULL)
        break;
      result = g_hash_table_lookup (work->done, sample->id);
      work->n_all++;
      work->n_here += is_here (work, sample) ? 1 : 0;
      work->n_markdown += is_here (work, sample) && sample->is_markdown ? 1 : 0;
      if (is_here (work, sample) && result == NULL && sample->fault == NULL)
        fh_batch_warmth_expect (work->warmth, sample);
      n_known += result != NULL ? 1 : 0;
      if (result != NULL && (!is_here (work, sample) || !is_result_of (result, sample)))
        return refuse_changed (error);
      if (!g_hash_table_add (ids, g_strdup (sample->id)))
        return fh_run_error_refuse (error, _ ("There are two samples “%s”."), sample->id);
    }
  if (work->n_all == 0)
    return fh_run_error_refuse (error, "%s", _ ("There are no samples."));
  return n_known == g_hash_table_size (work->done) || refuse_changed (error);
}

/* The number of samples, too, has to be the same. */
static gboolean
check_numbers (const Work *work, GError **error)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, work->done);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const FhBatchResult *result = value;

      if (result->of != work->n_all)
        return refuse_changed (error);
    }
  return TRUE;
}

static gboolean
prepare (Work *work, GError **error)
{
  const FhBatchCommandLine *line = work->line;
  guint64 end;

  work->score = fh_batch_score_new ();
  work->warmth = fh_batch_warmth_new (line);
  work->done =
      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) fh_batch_result_free);
  if (line->problems != NULL &&
      (work->problems = fh_batch_problems_load (line->problems, error)) == NULL)
    return FALSE;
  work->input =
      fh_batch_input_new ((const char *const *) line->files, work->problems, line->options, error);
  if (work->input == NULL)
    return FALSE;
  if (line->resume)
    {
      work->output = fh_batch_output_open (line->output, FH_BATCH_OUTPUT_RESUMED, error);
      if (work->output == NULL || !fh_batch_output_read (line->output, known_cb, work, &end, error))
        return FALSE;
      if (work->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&work->error));
          return FALSE;
        }
    }
  if (!survey (work, error) || !check_numbers (work, error))
    return FALSE;
  fh_batch_input_rewind (work->input);
  if (line->resume)
    return fh_batch_output_cut (work->output, end, error);
  work->output = fh_batch_output_open (line->output, FH_BATCH_OUTPUT_NEW, error);
  return work->output != NULL;
}

/* `sandbox`: nullable. */
static void
write_result (Work *work,
              const FhBatchSample *sample,
              FhRunResult *result,
              FhSandbox *sandbox,
              gboolean is_forked)
{
  g_autoptr (FhRunResult) shown = fh_batch_marker_remove (result, sample->marker);
  g_autoptr (JsonNode) node = fh_run_report_new_run (shown, work->line->options, sandbox);
  JsonObject *object = json_node_get_object (node);
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;
  FhBatchResult told = {
    .id = sample->id,
    .task_id = sample->task_id,
    .is_shared = sample->shared != NULL,
    .is_unsteady = sample->passes > 0 && sample->passes < sample->runs,
  };

  fh_batch_result_add_to_json (object, sample, work->n_all, result);
  json_object_set_boolean_member (object, "forked", is_forked);
  told.is_passed = json_object_get_boolean_member (object, "passed");
  text = fh_json_to_text (node, FALSE);
  line = g_strconcat (text, "\n", NULL);
  if (work->is_unwritten)
    return;
  if (!fh_batch_output_write (work->output, line, strlen (line)))
    {
      work->is_unwritten = TRUE;
      fh_batch_stop (work->batch);
      return;
    }
  fh_batch_score_add (work->score, &told);
  work->n_marked += !told.is_passed && sample->has_marks ? 1 : 0;
  fh_batch_progress_add (work->progress, told.is_passed);
  if (work->record != NULL)
    fh_batch_record_add (work->record, sample, result);
}

static void
result_cb (Work *work,
           const FhBatchSample *sample,
           FhRunResult *result,
           FhRun *run,
           FhSandbox *sandbox)
{
  write_result (work, sample, result, sandbox, fh_run_is_forked (run));
  if (!work->is_unwritten)
    fh_batch_warmth_add (work->warmth, sample, run);
}

/* The sample alone counts as failed, and nothing is run. */
static void
fail_sample (Work *work, const FhBatchSample *sample)
{
  const FhRunOutcome outcome = {
    .status = FH_RUN_STATUS_NOT_STARTED,
    .exit_code = -1,
    .signal = -1,
    .step = "sample",
    .message = sample->fault,
  };
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (FhRunResult) result = NULL;

  fh_output_log_freeze (output);
  result = fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .backend = work->line->options->in_container ? "container" : "native",
      .tier = "",
      .output = output,
      .started_at = now,
  });
  if (work->n_bad++ == 0)
    fh_message (_ ("“%s” counts as failed: %s"), sample->id, sample->fault);
  write_result (work, sample, result, NULL, FALSE);
}

static FhBatchSample *
next_cb (gpointer user_data, GError **error)
{
  Work *work = user_data;
  g_autoptr (FhBatchSample) sample = NULL;

  while (!work->is_unwritten && (sample = fh_batch_input_next (work->input, error)) != NULL)
    {
      const gboolean is_wanted =
          is_here (work, sample) && !g_hash_table_contains (work->done, sample->id);

      if (is_wanted && sample->fault == NULL)
        return g_steal_pointer (&sample);
      if (is_wanted)
        fail_sample (work, sample);
      g_clear_pointer (&sample, fh_batch_sample_free);
    }
  return NULL;
}

static void
not_run_cb (Work *work, const FhBatchSample *sample, FhRunResult *result)
{
  if (work->n_not_run++ == 0)
    fh_message (_ ("“%s” could not be run: %s"),
                sample->id,
                fh_run_result_get_parts (result)->sentence);
}

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer user_data)
{
  Work *work = user_data;

  while (fh_stop_signals_take () != 0)
    {
      work->is_stopped = TRUE;
      fh_batch_stop (work->batch);
    }
  return G_SOURCE_CONTINUE;
}

/* Each run needs some files of ours. */
static void
raise_open_files (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = MIN (limit.rlim_max, 65536);
  setrlimit (RLIMIT_NOFILE, &limit);
}

static int
finish (Work *work)
{
  const GError *error = fh_batch_get_error (work->batch);
  const guint64 n_done =
      fh_batch_progress_get_done (work->progress) + g_hash_table_size (work->done);
  gboolean is_scored = TRUE;

  fh_batch_progress_finish (work->progress);
  if (error != NULL)
    fh_message ("%s", error->message);
  else if (work->n_not_run > 0)
    fh_message (_ ("Samples that could not be run: %" PRIu64), work->n_not_run);
  if (work->n_bad > 1)
    fh_message (_ ("Samples that cannot be run, and count as failed: %" PRIu64), work->n_bad);
  if (work->n_marked > 0)
    fh_message (
        _ ("Samples that failed, and were run as they are, with fences of Markdown or tokens "
           "such as “<|endoftext|>” in them: %" PRIu64),
        work->n_marked);
  if (fh_batch_score_get_counts (work->score)->shared > 0)
    fh_message (_ ("Samples that passed, and could have forged that, because they run in the "
                   "interpreter of their tests: %" PRIu64),
                fh_batch_score_get_counts (work->score)->shared);
  if (fh_batch_score_get_counts (work->score)->unsteady > 0)
    fh_message (_ ("Samples that passed in some of their runs only, and count as failed: %" PRIu64),
                fh_batch_score_get_counts (work->score)->unsteady);
  if (work->record != NULL)
    fh_batch_record_save (work->record, work->score, work->is_stopped);
  if (work->is_stopped)
    return EXIT_STOPPED;
  if (work->is_unwritten)
    return fh_batch_output_is_unread (work->output) ? FH_EXIT_UNREAD : FH_EXIT_FAILED;
  if (work->line->score)
    is_scored = fh_batch_score_print (work->score,
                                      work->problems,
                                      work->n_here - n_done,
                                      work->line->output);
  if (n_done == 0 && work->n_here > 0)
    return FH_EXIT_NO_RUN;
  return n_done == work->n_here && is_scored ? 0 : FH_EXIT_FAILED;
}

static int
run (Work *work)
{
  guint source;

  if (work->n_markdown > 0)
    fh_message (_ ("Samples that are Markdown, of each of which the first code block of Python is "
                   "run: %" PRIu64),
                work->n_markdown);
  raise_open_files ();
  fh_stop_signals_catch ();
  work->loop = g_main_loop_new (NULL, FALSE);
  work->progress = fh_batch_progress_new (work->n_here - g_hash_table_size (work->done));
  work->batch = fh_batch_new (NULL, work->line->jobs, next_cb, work);
  fh_batch_set_times (work->batch, work->line->again);
  fh_batch_warmth_begin (work->warmth, work->batch);
  if (!work->line->options->no_history)
    work->record =
        fh_batch_record_new ((const char *const *) work->line->files, work->line->options);
  g_signal_connect_swapped (work->batch, "result", G_CALLBACK (result_cb), work);
  g_signal_connect_swapped (work->batch, "not-run", G_CALLBACK (not_run_cb), work);
  g_signal_connect_swapped (work->batch, "done", G_CALLBACK (g_main_loop_quit), work->loop);
  source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, work);
  fh_batch_start (work->batch);
  g_main_loop_run (work->loop);
  g_source_remove (source);
  return finish (work);
}

int
fh_command_batch (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhBatchCommandLine) line = fh_batch_command_line_parse (argv, &error);
  g_auto (Work) work = { .line = line };

  if (line == NULL)
    return fh_message_usage ("batch", error);
  if (line->merge)
    return fh_batch_merge (line);
  if (!prepare (&work, &error))
    {
      fh_message ("%s", error->message);
      return FH_EXIT_NO_RUN;
    }
  return run (&work);
}
