/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/answer-mode.h"

#include <glib/gi18n.h>
#include <string.h>

#include "answer-record.h"
#include "output/output-sources.h"
#include "parts/calls.h"
#include "parts/run-labels.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

struct _FhAnswerMode
{
  GObject parent_instance;

  GPtrArray *blocks;
  guint first; /* number of the first of them */
  FhEditorBlocks *marks;
  FhOutputView *output;
  FhAnswerRun *answer;
  FhOldSeriesRecord *record; /* of all blocks; NULL before the start */
  FhOutputSection *section;  /* of the block that runs; nullable */
  FhRun *run;                /* of the last one; nullable */
  char *ending;              /* nullable: the last run tells it */
  FhRunRequest *request;     /* of the whole, when it is done; nullable */
  FhRunResult *result;       /* likewise */
  guint is_closed : 1;
};

enum
{
  SIGNAL_STARTED,
  SIGNAL_ASKING,
  SIGNAL_DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhAnswerMode, fh_answer_mode, G_TYPE_OBJECT)

static char *
dup_heading (const FhAnswerBlock *block, guint number)
{
  const char *name = block->language != NULL ? block->language->name : block->word;

  if (block->file_name != NULL)
    /* Translators: a number, the name of a language, the name of a file. */
    return g_strdup_printf (_ ("[%u] %s: %s"), number, name, block->file_name);
  /* Translators: a number, the name of a language, the number of a line. */
  return g_strdup_printf (_ ("[%u] %s from line %u on"), number, name, block->line);
}

/* The files of the blocks, and those that all blocks of a language are run from. */
static GPtrArray *
new_sources (FhAnswerMode *self)
{
  GPtrArray *sources = fh_output_sources_new ();

  for (guint i = 0; i < self->blocks->len; i++)
    {
      const FhAnswerBlock *block = self->blocks->pdata[i];

      if (block->language != NULL)
        fh_output_sources_add (sources, block->language->file_name, 0);
    }
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const FhAnswerBlock *block = self->blocks->pdata[i];

      if (block->file_name != NULL && *block->file_name != '\0')
        fh_output_sources_add (sources, block->file_name, self->first + i);
    }
  return sources;
}

/* Marks the line that the output of a failed block names: compilers name the first fault first,
 * interpreters the innermost call last. */
static void
mark_line (FhAnswerMode *self, guint index, FhRun *run)
{
  const FhAnswerBlock *block = self->blocks->pdata[index];
  g_autofree char *text = fh_output_log_dup_text (fh_run_get_output (run), FH_STREAM_STDERR);
  guint line = 0;

  for (const char *at = text; *at != '\0' && (line == 0 || block->language->command == NULL);)
    {
      const gsize size = strcspn (at, "\n");
      FhSourcePlace place;

      if (fh_traceback_find (at, size, block->language->file_name, &place))
        line = place.line;
      at += size;
      at += *at == '\n';
    }
  fh_editor_blocks_mark_line (self->marks, self->first + index, line);
}

/* `run`: nullable. */
static void
begin_section (FhAnswerMode *self, guint index, FhRun *run)
{
  g_autofree char *heading = dup_heading (self->blocks->pdata[index], self->first + index);

  self->section = fh_output_section_new (heading, run);
  fh_output_view_add_section (self->output, self->section);
}

static void
say (FhAnswerMode *self, const char *text)
{
  fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_ENDING, text);
}

static void
end_section (FhAnswerMode *self)
{
  fh_output_section_end (self->section);
  g_clear_object (&self->section);
}

static void
mark (FhAnswerMode *self, guint index, FhBlockState state)
{
  fh_editor_blocks_set_state (self->marks, self->first + index, state);
}

static void
asking_cb (FhAnswerMode *self, guint index)
{
  mark (self, index, FH_BLOCK_STATE_ASKING);
  g_signal_emit (self, signals[SIGNAL_ASKING], 0, self->blocks->pdata[index]);
}

static void
started_cb (FhAnswerMode *self, guint index, FhRun *run)
{
  g_set_object (&self->run, run);
  mark (self, index, FH_BLOCK_STATE_RUNNING);
  begin_section (self, index, run);
  fh_output_status_set_answer (fh_output_view_get_status (self->output),
                               fh_old_series_record_get_attempts (self->record));
  g_signal_emit (self, signals[SIGNAL_STARTED], 0, run);
}

/* NULL if none is left after the one at `index`. (transfer full) */
static char *
dup_left (FhAnswerMode *self, guint index)
{
  const guint n_left = self->blocks->len - index - 1;

  if (n_left == 0)
    return NULL;
  return g_strdup_printf (
      ngettext ("%u block after it does not run.", "%u blocks after it do not run.", n_left),
      n_left);
}

static void
finished_cb (FhAnswerMode *self, guint index, FhRun *run)
{
  FhRunResult *result = fh_run_get_result (run);
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  g_autofree char *left = dup_left (self, index);
  g_autofree char *time = fh_run_label_elapsed (outcome->wall_us);
  /* Translators: how a cell ended, and how long it took */
  g_autofree char *ending =
      g_strdup_printf (_ ("%s (%s)"), fh_run_result_get_sentence (result), time);

  mark (self,
        index,
        fh_run_outcome_exit_status (outcome) == 0  ? FH_BLOCK_STATE_DONE
        : outcome->status == FH_RUN_STATUS_STOPPED ? FH_BLOCK_STATE_STOPPED
                                                   : FH_BLOCK_STATE_FAILED);
  say (self, ending);
  if (fh_run_outcome_exit_status (outcome) != 0)
    mark_line (self, index, run);
  if (fh_run_outcome_exit_status (outcome) != 0 && left != NULL)
    say (self, left);
  end_section (self);
}

static void
saved_cb (FhAnswerMode *self, guint index)
{
  const FhAnswerBlock *block = self->blocks->pdata[index];
  g_autofree char *text = fh_answer_block_dup_saved (block);

  mark (self, index, FH_BLOCK_STATE_SAVED);
  begin_section (self, index, NULL);
  say (self, text);
  end_section (self);
}

static void
refused_cb (FhAnswerMode *self, guint index, const char *message)
{
  g_autofree char *left = dup_left (self, index);
  /* Translators: the number of a block, and why it does not run. */
  g_autofree char *text = g_strdup_printf (_ ("Block %u: %s."), self->first + index, message);

  if (*message != '\0' && strchr (".?!", message[strlen (message) - 1]) != NULL)
    text[strlen (text) - 1] = '\0';
  g_free (self->ending);
  self->ending = left != NULL ? g_strconcat (text, " ", left, NULL) : g_steal_pointer (&text);
  mark (self, index, FH_BLOCK_STATE_REFUSED);
  begin_section (self, index, NULL);
  say (self, message);
  end_section (self);
}

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!fh_old_series_record_save_finish (FH_OLD_SERIES_RECORD (source), result, &error))
    g_warning ("An answer is not in the history: %s", error->message);
}

static void
done_cb (FhAnswerMode *self)
{
  fh_editor_blocks_end (self->marks);
  self->request = fh_old_series_record_dup_request (self->record, NULL);
  self->result = fh_old_series_record_dup_result (self->record);
  fh_old_series_record_save_async (self->record, recorded_cb, NULL);
  g_signal_emit (self, signals[SIGNAL_DONE], 0);
}

void
fh_answer_mode_approve (FhAnswerMode *self, gboolean always)
{
  g_return_if_fail (FH_IS_ANSWER_MODE (self));

  fh_answer_run_approve (self->answer, always);
}

void
fh_answer_mode_refuse (FhAnswerMode *self, const char *reason)
{
  g_return_if_fail (FH_IS_ANSWER_MODE (self));

  fh_answer_run_refuse (self->answer, reason);
}

void
fh_answer_mode_start (FhAnswerMode *self, FhHistory *history, const char *title, const char *text)
{
  g_return_if_fail (FH_IS_ANSWER_MODE (self) && self->record == NULL);

  /* It listens first, so that it has what the others ask it for. */
  self->record = fh_answer_record_new (self->answer, history, title, text);
  fh_connect (self->answer, "asking", asking_cb, self);
  fh_connect (self->answer, "started", started_cb, self);
  fh_connect (self->answer, "finished", finished_cb, self);
  fh_connect (self->answer, "saved", saved_cb, self);
  fh_connect (self->answer, "refused", refused_cb, self);
  fh_connect (self->answer, "done", done_cb, self);
  fh_answer_run_start (self->answer);
}

void
fh_answer_mode_stop (FhAnswerMode *self)
{
  g_return_if_fail (FH_IS_ANSWER_MODE (self));

  fh_answer_run_stop (self->answer);
}

void
fh_answer_mode_close (FhAnswerMode *self)
{
  g_return_if_fail (FH_IS_ANSWER_MODE (self));

  if (self->is_closed)
    return;
  self->is_closed = TRUE;
  g_signal_handlers_disconnect_by_data (self->answer, self);
  fh_answer_run_stop (self->answer);
  fh_editor_blocks_end (self->marks);
  if (self->section != NULL)
    end_section (self);
  if (self->record != NULL && self->result == NULL)
    fh_old_series_record_save_async (self->record, recorded_cb, NULL);
}

gboolean
fh_answer_mode_is_busy (FhAnswerMode *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), FALSE);

  return !fh_answer_run_is_done (self->answer);
}

const char *
fh_answer_mode_get_ending (FhAnswerMode *self, FhRunStatus *status)
{
  FhRunResult *result;

  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), NULL);

  result = self->run != NULL ? fh_run_get_result (self->run) : NULL;
  *status = self->ending != NULL ? FH_RUN_STATUS_FAILED : FH_RUN_STATUS_STOPPED;
  if (self->ending != NULL || fh_answer_run_get_exit_status (self->answer) != FH_ANSWER_STOPPED ||
      (result != NULL && fh_run_result_get_status (result) != FH_RUN_STATUS_OK))
    return self->ending;
  return _ ("Stopped by you.");
}

FhRun *
fh_answer_mode_get_run (FhAnswerMode *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), NULL);

  return self->run;
}

const FhRunOptions *
fh_answer_mode_get_options (FhAnswerMode *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), NULL);

  return fh_answer_run_get_options (self->answer);
}

FhAttemptLog *
fh_answer_mode_get_attempts (FhAnswerMode *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), NULL);

  return fh_old_series_record_get_attempts (self->record);
}

FhRunResult *
fh_answer_mode_get_result (FhAnswerMode *self, FhRunRequest **request)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), NULL);

  if (request != NULL)
    *request = self->request;
  return self->result;
}

FhResultFiles *
fh_answer_mode_dup_files (FhAnswerMode *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), NULL);

  return fh_answer_run_dup_files (self->answer);
}

static void
fh_answer_mode_dispose (GObject *object)
{
  FhAnswerMode *self = FH_ANSWER_MODE (object);

  fh_answer_mode_close (self);
  g_clear_object (&self->run);
  g_clear_object (&self->output);
  g_clear_object (&self->marks);

  G_OBJECT_CLASS (fh_answer_mode_parent_class)->dispose (object);
}

static void
fh_answer_mode_finalize (GObject *object)
{
  FhAnswerMode *self = FH_ANSWER_MODE (object);

  g_object_unref (self->answer);
  g_clear_object (&self->record);
  g_clear_object (&self->request);
  g_clear_object (&self->result);
  g_ptr_array_unref (self->blocks);
  g_free (self->ending);

  G_OBJECT_CLASS (fh_answer_mode_parent_class)->finalize (object);
}

static void
fh_answer_mode_class_init (FhAnswerModeClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_answer_mode_dispose;
  G_OBJECT_CLASS (klass)->finalize = fh_answer_mode_finalize;

  signals[SIGNAL_STARTED] = fh_signal_new ("started", type, 1, FH_TYPE_RUN);
  signals[SIGNAL_ASKING] = fh_signal_new ("asking", type, 1, G_TYPE_POINTER);
  signals[SIGNAL_DONE] = fh_signal_new ("done", type, 0);
}

static void
fh_answer_mode_init (FhAnswerMode *self)
{
}

FhAnswerMode *
fh_answer_mode_new (FhExecutor *executor,
                    GPtrArray *blocks,
                    guint first,
                    FhEditorBlocks *marks,
                    FhResultFiles *files,
                    FhOptions *options,
                    FhOutputView *output)
{
  g_autoptr (FhRunOptions) values = NULL;
  g_autoptr (GPtrArray) sources = NULL;
  FhAnswerMode *self;

  g_return_val_if_fail (FH_IS_EXECUTOR (executor) && FH_IS_OPTIONS (options), NULL);
  g_return_val_if_fail (blocks != NULL && blocks->len > 0 && FH_IS_OUTPUT_VIEW (output), NULL);
  g_return_val_if_fail (first > 0 && FH_IS_EDITOR_BLOCKS (marks), NULL);

  self = g_object_new (FH_TYPE_ANSWER_MODE, NULL);
  values = fh_options_dup_run_values (options);
  self->blocks = g_ptr_array_ref (blocks);
  self->first = first;
  self->marks = g_object_ref (marks);
  self->output = g_object_ref (output);
  sources = new_sources (self);
  self->answer = fh_answer_run_new (executor, blocks, values);
  if (files != NULL)
    fh_answer_run_add_files (self->answer, files);
  fh_output_view_begin_session (output, sources);
  fh_editor_blocks_begin (marks, first, blocks->len);
  return self;
}
