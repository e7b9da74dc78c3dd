/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of an answer: each gets what those before it have left. */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "answer-files.h"
#include "run-error.h"
#include "run-files.h"
#include "series-builder.h"

typedef struct
{
  FhExecutor *executor;
  GStrv shares; /* the languages of all blocks that run */
  GPtrArray *blocks;
  guint first; /* the number of the first one */
  FhRunOptions *options;
  GHashTable *files;        /* path to FhRunFile: what the blocks have left until now */
  FhFolderChanges *changes; /* in a project folder, of all blocks until now; nullable */
  gboolean is_written;      /* the file of the block whose turn it is was, by a program */
  guint n_ahead;            /* so many blocks have their file if earlier ones need it */
  gboolean is_ahead;        /* the program that runs writes such a file */
  gboolean takes_input;     /* a person can type to a block that waits for it */
  guint n_left;             /* processes that go on in the sandbox of the blocks */
  gboolean is_unseen;       /* a file was saved, and no run has told since then what has changed */
} Answer;

static char *
dup_place (FhStep *step)
{
  return step->block != NULL ? fh_answer_block_dup_place (step->block) : NULL;
}

static char *
dup_heading (FhStep *step)
{
  g_autofree char *place = dup_place (step);
  const char *file = step->block != NULL ? step->block->file_name : NULL;

  if (file != NULL && *file != '\0')
    return g_strdup_printf ("[%u] %s: %s", step->number, place, file);
  return place != NULL ? g_strdup_printf ("[%u] %s", step->number, place) : NULL;
}

static char *
dup_left (guint n)
{
  return g_strdup_printf (
      ngettext ("%u block after it did not run.", "%u blocks after it did not run.", n),
      n);
}

static char **
dup_repairs (FhStep *step)
{
  return step->block != NULL ? fh_answer_block_dup_repairs (step->block) : g_new0 (char *, 1);
}

static const FhStepKind block_kind = {
  .dup_heading = dup_heading,
  .dup_place = dup_place,
  .dup_left = dup_left,
  .dup_repairs = dup_repairs,
};

static FhStep *
new_step (GPtrArray *blocks, guint index, guint number)
{
  FhStep *step = fh_step_new (&block_kind);
  const FhAnswerBlock *block = blocks->pdata[index];

  step->number = number;
  step->language = block->language;
  step->line = block->line - 1;
  step->n_blocks = block->n_blocks;
  step->blocks = g_ptr_array_ref (blocks);
  step->block = block;
  step->asks = block->action == FH_BLOCK_ASK ? block->language : NULL;
  return step;
}

static gboolean
has_own_workspace (Answer *self)
{
  return fh_run_options_get_work_dir (self->options) == NULL &&
         !(self->options->in_container && self->options->container.is_kept);
}

/* A single block has none after it, unless people add some. */
static gboolean
hands_on (Answer *self)
{
  return has_own_workspace (self) && (self->blocks->len > 1 || self->first > 1);
}

static void
keep_code (Answer *self, const FhAnswerBlock *block)
{
  g_autoptr (GBytes) code = g_bytes_new (block->code, strlen (block->code));

  fh_answer_files_put (self->files, block->file_name, code);
}

/* `number`: in the title; 0: none. */
static FhRunRequest *
new_request (Answer *self, const FhAnswerBlock *block, guint number, GError **error)
{
  /* In a project folder the program has a name of its own. */
  const gboolean is_beside = fh_run_options_get_project (self->options) == NULL;
  const char *program = is_beside ? block->language->file_name : NULL;
  g_autoptr (GPtrArray) files =
      has_own_workspace (self) ? fh_answer_files_dup_beside (self->files, program) : NULL;
  g_autoptr (GPtrArray) removed = fh_answer_files_list_removed (self->files, self->changes);
  g_autoptr (GBytes) source = g_bytes_new (block->code, strlen (block->code));
  g_autoptr (FhRunOptions) options = fh_answer_files_copy_options (self->options, block->language);
  g_autofree char *title = fh_answer_files_dup_title (block, number, source);
  const char *const *shares = (const char *const *) self->shares;

  return fh_run_request_new (&(FhRunRequestInit){ .language = block->language,
                                                  .source = source,
                                                  .title = title,
                                                  .files = files,
                                                  .removed = (const char *const *) removed->pdata,
                                                  .hands_on = hands_on (self),
                                                  .shares = hands_on (self) ? shares : NULL,
                                                  .shared_python = self->options->interpreter,
                                                  .stays = number < self->blocks->len,
                                                  .is_typed = block->is_typed,
                                                  .input_stays = self->takes_input,
                                                  .options = options },
                             error);
}

/* A run that does nothing tells what has changed in the project folder. */
static FhRunRequest *
new_look (Answer *self, GError **error)
{
  const FhAnswerBlock block = { .language = fh_language_lookup ("sh"), .code = (char *) ":\n" };

  return new_request (self, &block, 0, error);
}

static void
save (Answer *self, FhStep *step)
{
  g_autofree char *note = fh_answer_block_dup_saved (step->block);

  keep_code (self, step->block);
  self->is_unseen = fh_run_options_get_project (self->options) != NULL;
  self->is_written = FALSE;
  step->ending = FH_STEP_SAVED;
  fh_step_set_note (step, note);
}

/* Returns the next block whose file one before it needs. NULL if all such files are there. */
static const FhAnswerBlock *
next_ahead (Answer *self)
{
  while (self->n_ahead < self->blocks->len)
    {
      const FhAnswerBlock *block = self->blocks->pdata[self->n_ahead++];

      if (block->needed_by != 0 && block->needed_by < block->number &&
          fh_run_file_path_is_safe (block->file_name))
        return block;
    }
  return NULL;
}

/* Writes files that are needed before their blocks have their turn. Returns the request that writes
 * the next one; NULL if there is none, also after an error. */
static FhRunRequest *
next_write_ahead (Answer *self, GError **error)
{
  for (const FhAnswerBlock *block = next_ahead (self); block != NULL; block = next_ahead (self))
    {
      self->is_ahead = !has_own_workspace (self);
      if (self->is_ahead)
        return fh_answer_files_new_writer (block, self->options, error);
      keep_code (self, block);
    }
  return NULL;
}

static FhRunRequest *
next_request (gpointer data,
              FhStep *step,
              const FhRunOptions *options,
              gboolean *is_last,
              GError **error)
{
  Answer *self = data;
  const FhAnswerBlock *block = step->block;
  g_autofree char *problem = NULL;
  FhRunRequest *write;

  *is_last = TRUE;
  if (step->is_silent)
    return new_look (self, error);
  problem = block != NULL ? fh_answer_block_dup_problem (block)
                          : g_strdup (_ ("No code blocks to execute."));
  if (problem != NULL)
    {
      fh_run_error_refuse (error, "%s", problem);
      return NULL;
    }
  write = next_write_ahead (self, error);
  if (write != NULL || self->is_ahead)
    {
      *is_last = FALSE;
      return write;
    }
  if (block->file_name != NULL && !self->is_written && !has_own_workspace (self))
    {
      *is_last = FALSE;
      return fh_answer_files_new_writer (block, self->options, error);
    }
  if (block->action == FH_BLOCK_SAVE)
    {
      save (self, step);
      return NULL;
    }
  if (block->file_name != NULL)
    keep_code (self, block);
  return new_request (self,
                      block,
                      self->blocks->len > 1 ? step->number - self->first + 1 : 0,
                      error);
}

static gboolean
take_written (Answer *self, FhRunResult *result, GError **error)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  const gboolean is_ahead = self->is_ahead;

  self->is_ahead = FALSE;
  /* A file that was written in the sandbox may still not have got into the work folder. */
  if (fh_run_outcome_exit_status (outcome) == 0 && outcome->message == NULL)
    {
      self->is_written = !is_ahead;
      return TRUE;
    }
  if (outcome->exit_code == FH_ANSWER_FILES_LINK)
    return fh_run_error_refuse (error, "%s", _ ("Filename is not in the workspace"));
  return fh_run_error_refuse (
      error,
      "%s",
      outcome->message != NULL ? outcome->message : fh_run_result_get_parts (result)->sentence);
}

/* Nobody can tell what this block does from what processes do that earlier ones have left. */
static void
add_earlier (Answer *self, FhRun *run, GStrvBuilder *sentences)
{
  const char *end = fh_run_get_earlier_end (run);
  g_autofree char *sentence = NULL;

  if (end != NULL)
    sentence = g_strdup_printf (
        /* Translators: followed by a sentence */
        _ ("The sandbox had ended before this block, and a new one was made: what earlier blocks "
           "left running is gone, and of their files only what could be handed on is there. %s"),
        end);
  else if (self->n_left > 0)
    sentence = g_strdup_printf (
        ngettext ("%u process that earlier blocks left went on meanwhile: some of the output and "
                  "of the attempts may be its own.",
                  "%u processes that earlier blocks left went on meanwhile: some of the output and "
                  "of the attempts may be theirs.",
                  self->n_left),
        self->n_left);
  if (sentence != NULL)
    g_strv_builder_add (sentences, sentence);
}

static char *
dup_left_running (const FhRunOutcome *outcome, guint n)
{
  if (outcome->stays)
    return g_strdup_printf (ngettext ("%u process goes on after this block. Other blocks can reach "
                                      "it until the answer ends.",
                                      "%u processes go on after this block. Other blocks can reach "
                                      "them until the answer ends.",
                                      n),
                            n);
  return g_strdup_printf (
      ngettext ("%u process that this block left running was ended with it. If another block "
                "needs it, start it there.",
                "%u processes that this block left running were ended with it. If another "
                "block needs them, start them there.",
                n),
      n);
}

/* Tells people what was there from earlier blocks, and what later ones do not find: what was too
 * much, and what was still running. */
static void
set_note (Answer *self, FhStep *step, gboolean is_whole)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (fh_run_get_result (step->run))->outcome;
  const gboolean is_last = step->number - self->first + 1 >= self->blocks->len;
  const guint n_left = outcome->processes_ended + outcome->quiet_processes;
  g_autoptr (GStrvBuilder) sentences = g_strv_builder_new ();
  g_autofree char *left = NULL;
  g_auto (GStrv) list = NULL;
  g_autofree char *note = NULL;

  add_earlier (self, step->run, sentences);
  if (!is_whole && !is_last && !outcome->stays)
    g_strv_builder_add (sentences,
                        _ ("Not everything that this block left is there for the next one: some "
                           "of it is too large or too much, or could not be read."));
  if (n_left > 0 && !is_last)
    {
      left = dup_left_running (outcome, n_left);
      g_strv_builder_add (sentences, left);
    }
  self->n_left = outcome->stays ? n_left : 0;
  list = g_strv_builder_end (sentences);
  note = g_strjoinv (" ", list);
  if (*note != '\0')
    fh_step_set_note (step, note);
}

static gboolean
take_result (gpointer data, FhStep *step, FhRun *run, GError **error)
{
  Answer *self = data;
  FhRunResult *result = fh_run_get_result (run);
  gboolean is_whole;

  if (run != step->run)
    return take_written (self, result, error);
  if (step->is_silent && fh_run_result_get_parts (result)->changes == NULL)
    return TRUE;
  g_set_object (&self->changes, fh_run_result_get_parts (result)->changes);
  if (step->is_silent)
    return TRUE;
  self->is_written = FALSE;
  self->is_unseen = FALSE;
  is_whole = fh_answer_files_take (self->files,
                                   fh_run_result_get_parts (result)->files,
                                   fh_answer_files_max_bytes (self->options));
  set_note (self, step, is_whole);
  return TRUE;
}

/* What was saved last in a project folder is a change, too. */
static FhStep *
last_step (gpointer data)
{
  Answer *self = data;
  FhStep *step;

  if (!self->is_unseen)
    return NULL;
  self->is_unseen = FALSE;
  step = fh_step_new (&block_kind);
  step->is_silent = TRUE;
  return step;
}

static FhResultFiles *
dup_files (gpointer data)
{
  return fh_answer_files_dup_results (((Answer *) data)->files);
}

static FhFolderChanges *
get_changes (gpointer data)
{
  return ((Answer *) data)->changes;
}

/* Ends what the blocks have left running. */
static void
end_sandbox (gpointer data)
{
  fh_executor_reset_cells (((Answer *) data)->executor);
}

static void
answer_free (gpointer data)
{
  Answer *self = data;

  g_object_unref (self->executor);
  g_strfreev (self->shares);
  g_ptr_array_unref (self->blocks);
  fh_run_options_free (self->options);
  g_hash_table_unref (self->files);
  g_clear_object (&self->changes);
  g_free (self);
}

static const FhSeriesBuilder builder = {
  .next_request = next_request,
  .take_result = take_result,
  .last_step = last_step,
  .dup_files = dup_files,
  .get_changes = get_changes,
  .close = end_sandbox,
  .free = answer_free,
};

static GStrv
list_languages (GPtrArray *blocks)
{
  g_autoptr (GPtrArray) languages = g_ptr_array_new ();

  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      if (block->language != NULL && block->action != FH_BLOCK_SAVE &&
          !g_ptr_array_find (languages, block->language->id, NULL))
        g_ptr_array_add (languages, (gpointer) block->language->id);
    }
  g_ptr_array_add (languages, NULL);
  return g_strdupv ((GStrv) languages->pdata);
}

FhSeries *
fh_series_new_answer (FhExecutor *executor,
                      GPtrArray *blocks,
                      guint first,
                      const FhRunOptions *options,
                      FhResultFiles *left,
                      gboolean takes_input)
{
  FhSeries *series;
  Answer *self;

  g_return_val_if_fail (blocks != NULL && options != NULL && first > 0, NULL);
  g_return_val_if_fail (left == NULL || FH_IS_RESULT_FILES (left), NULL);

  self = g_new0 (Answer, 1);
  self->executor = g_object_ref (executor);
  self->shares = list_languages (blocks);
  self->blocks = g_ptr_array_ref (blocks);
  self->first = first;
  self->options = fh_run_options_copy (options);
  self->takes_input = takes_input;
  self->files = fh_answer_files_new ();
  if (left != NULL)
    fh_answer_files_take (self->files, left, fh_answer_files_max_bytes (options));
  series = fh_series_new (executor, &builder, self, options, FH_AFTER_FAILURE_END);
  for (guint i = 0; i < blocks->len; i++)
    fh_series_add_step (series, new_step (blocks, i, first + i));
  /* Someone has to be told that there is nothing to run. */
  if (blocks->len == 0)
    fh_series_add_step (series, fh_step_new (&block_kind));
  return series;
}
