/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "approval-prompt.h"
#include "changes-text.h"
#include "command-loop.h"
#include "command.h"
#include "input-file.h"
#include "interpreter.h"
#include "live-output.h"
#include "message.h"
#include "pull-line.h"
#include "run-command-line.h"
#include "run-error.h"
#include "run-explanation.h"
#include "run-report.h"
#include "save-files.h"
#include "stop-signals.h"
#include "terminal-input.h"

/* Longer input is refused; it is kept in memory and in the history. */
#define MAX_STANDARD_INPUT ((gsize) 256 << 20)

/* `output`, `input` and `id` are those of the step that runs or was saved last. */
typedef struct
{
  const FhRunCommandLine *options;
  GPtrArray *blocks; /* of an answer; NULL: it is a program */
  FhExecutor *executor;
  FhSeries *series;
  FhApprovalPrompt *prompt; /* NULL if there is nothing to ask */
  FhRunReport *report;      /* of the blocks of an answer, with --json; nullable */
  FhLiveOutput *output;     /* nullable */
  FhTerminalInput *input;   /* nullable */
  gint64 id;                /* in the history; -1: not there */
  int failure;              /* ours; 0: none */
} Command;

static const FhLanguage *
choose_language (const FhRunCommandLine *options, GBytes *source, GError **error)
{
  const FhLanguage *language;
  g_autofree char *ids = NULL;

  if (options->language == NULL)
    return fh_input_file_guess (options->file, source, error);
  language = fh_language_lookup (options->language);
  if (language != NULL)
    return language;
  ids = fh_language_dup_ids (", ");
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_LANGUAGE,
               _ ("“%s” is not a language that Fumehood can run. Choose one of: %s."),
               options->language,
               ids);
  return NULL;
}

static gboolean
check_language (const FhRunCommandLine *options, const FhLanguage *language, GError **error)
{
  const char *flag = fh_command_flags_find_python (options->flags);

  if (flag == NULL || g_str_equal (language->id, "python"))
    return TRUE;
  g_set_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, _ ("--%s is for Python only."), flag);
  return FALSE;
}

/* `input`: a file, if any. */
static gboolean
can_type (const FhRunCommandLine *options, const char *input)
{
  return input == NULL && !options->json && !g_str_equal (options->file, "-") &&
         fh_terminal_input_is_possible ();
}

static FhRunRequest *
build_request (const FhRunCommandLine *options, GBytes *source, GError **error)
{
  g_autoptr (GBytes) standard_input = NULL;
  g_autofree char *title = NULL;
  const char *input = options->standard_input;
  FhRunRequestInit init = { 0 };

  if (input == NULL && !g_str_equal (options->file, "-") && fh_input_is_piped ())
    input = "-";
  if (input != NULL)
    {
      standard_input = fh_input_file_read (input, MAX_STANDARD_INPUT, error);
      if (standard_input == NULL)
        return NULL;
    }
  init.language = choose_language (options, source, error);
  if (init.language == NULL || !check_language (options, init.language, error))
    return NULL;
  if (!g_str_equal (options->file, "-"))
    title = g_path_get_basename (options->file);
  init.source = source;
  init.title = title;
  init.arguments = (const char *const *) options->arguments;
  init.standard_input = standard_input;
  init.input_stays = can_type (options, input);
  init.options = options->options;
  return fh_run_request_new (&init, error);
}

static FhRunResult *
new_refusal (const FhRunCommandLine *options, const char *message)
{
  const FhRunOutcome outcome = {
    .status = FH_RUN_STATUS_NOT_STARTED,
    .exit_code = -1,
    .signal = -1,
    .step = "request",
    .message = message,
  };
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .started_at = now,
      .backend = options->container != NULL ? "container" : "native",
      .tier = "",
  });
}

/* The request cannot be run. A script that reads JSON gets an object. */
static int
refuse (const FhRunCommandLine *options, const char *message)
{
  if (options->json)
    {
      g_autoptr (FhRunResult) result = new_refusal (options, message);

      fh_run_report_print (result, options->options, NULL);
    }
  else
    fh_message ("%s", message);
  return FH_EXIT_NO_RUN;
}

static void
show_pull (FhExecutor *executor, FhPullLine *line)
{
  FhSandbox *sandbox = fh_executor_get_sandbox (executor);
  FhSandboxProgress progress;

  if (sandbox != NULL && fh_sandbox_get_progress (sandbox, &progress))
    fh_pull_line_update (line, &progress);
  else
    fh_message_progress (NULL);
}

static gboolean
has_more_questions (Command *self, FhStep *step)
{
  for (guint i = fh_step_get_number (step); self->blocks != NULL && i < self->blocks->len; i++)
    {
      const FhAnswerBlock *next = self->blocks->pdata[i];

      if (next->action == FH_BLOCK_ASK && next->language == fh_step_get_language (step))
        return TRUE;
    }
  return FALSE;
}

/* Where the code comes from. (transfer full) */
static char *
dup_place (Command *self, FhStep *step)
{
  g_autofree char *place = fh_step_dup_place (step);

  if (place == NULL)
    return g_strdup_printf ("%s: %s", self->options->file, fh_step_get_language (step)->name);
  /* Translators: two numbers, and where the block stands: "Python, line 9". */
  return g_strdup_printf (_ ("Block %u of %u: %s"),
                          fh_step_get_number (step),
                          self->blocks->len,
                          place);
}

static void
warn_unprotected (const FhRunCommandLine *options)
{
  if (options->options->guards.tier == FH_TIER_UNPROTECTED)
    fh_message (_ ("This runs without protection: the program can do all that you can do, such as "
                   "reading, changing and deleting your files."));
}

static void
asking_cb (FhSeries *series, FhStep *step, Command *self)
{
  const guint number = fh_step_get_number (step);
  const gboolean has_more = has_more_questions (self, step);
  g_autofree char *place = dup_place (self, step);
  g_autofree char *reason = NULL;
  const FhApproval approval =
      fh_approval_prompt_ask (self->prompt, number - 1, place, has_more, &reason);

  if (approval == FH_APPROVAL_STOPPED && self->blocks != NULL)
    fh_series_stop (series);
  else if (approval == FH_APPROVAL_STOPPED || approval == FH_APPROVAL_REFUSED)
    fh_series_refuse (series, reason);
  else
    {
      if (self->blocks == NULL)
        warn_unprotected (self->options);
      fh_series_approve (series, approval == FH_APPROVAL_ALWAYS);
    }
}

/* Tells how the block was read, if that is not as it stands in the answer. */
static void
tell_repairs (FhStep *step)
{
  g_auto (GStrv) repairs = fh_step_dup_repairs (step);

  for (guint i = 0; repairs[i] != NULL; i++)
    /* Translators: the number of a block, and how it was read. */
    fh_message (_ ("Block %u: %s"), fh_step_get_number (step), repairs[i]);
}

static void
begin_step (Command *self, FhStep *step)
{
  g_autofree char *heading = fh_step_dup_heading (step);
  FhRun *run = fh_step_get_run (step);

  if (heading != NULL && !self->options->json && isatty (STDERR_FILENO))
    fh_message ("%s", heading);
  if (!self->options->json)
    tell_repairs (step);
  if (!self->options->json)
    self->output = fh_live_output_new (self->series, run, self->options->raw);
  if (fh_run_request_takes_live_input (fh_run_get_request (run)))
    self->input = fh_terminal_input_new (run);
}

static void
finish_output (Command *self)
{
  fh_live_output_finish (self->output);
  if (fh_live_output_is_unread (self->output))
    self->failure = FH_EXIT_UNREAD;
  else if (fh_live_output_get_error (self->output) != 0)
    self->failure = FH_EXIT_NO_RUN;
  if (self->failure == FH_EXIT_NO_RUN)
    fh_message (_ ("The output could not be written: %s"),
                g_strerror (fh_live_output_get_error (self->output)));
}

static void
finish_step (Command *self, FhStep *step)
{
  if (self->output != NULL)
    finish_output (self);
  if (self->output != NULL && self->failure == 0)
    fh_run_explain (self->options, fh_step_get_run (step), self->output);
  g_clear_pointer (&self->output, fh_live_output_free);
  g_clear_pointer (&self->input, fh_terminal_input_free);
  if (fh_step_get_note (step) != NULL && !self->options->json)
    fh_message ("%s", fh_step_get_note (step));
  if (self->failure != 0)
    fh_series_stop (self->series);
}

static void
tell_note (FhStep *step)
{
  g_autofree char *heading = fh_step_dup_heading (step);

  tell_repairs (step);
  if (heading != NULL && fh_step_get_state (step) == FH_STEP_REFUSED)
    fh_message ("%s: %s", heading, fh_step_get_note (step));
  else
    fh_message ("%s", fh_step_get_note (step));
}

static void
step_cb (FhSeries *series, FhStep *step, Command *self)
{
  const FhStepState state = fh_step_get_state (step);

  if (fh_step_is_silent (step))
    return;
  if (self->report != NULL)
    fh_run_report_take (self->report, step, fh_executor_get_sandbox (self->executor));
  if (state == FH_STEP_RUNNING)
    begin_step (self, step);
  else if (state == FH_STEP_FINISHED)
    finish_step (self, step);
  else if ((state == FH_STEP_SAVED || state == FH_STEP_REFUSED) && !self->options->json)
    tell_note (step);
}

static void
saved_cb (FhRecorder *recorder,
          FhSeries *series,
          FhStep *step,
          gint64 id,
          const char *problem,
          Command *self)
{
  self->id = id;
  if (problem != NULL)
    fh_message (_ ("This run is not in the history: %s"), problem);
}

static void
notice_cb (FhRecorder *recorder, const char *notice)
{
  fh_message ("%s", notice);
}

/* Follows the series before it starts. */
static FhRecorder *
new_recorder (Command *self, const char *text, FhSeriesRecord **record)
{
  const FhRunCommandLine *options = self->options;
  const gboolean is_answer = self->blocks != NULL;
  g_autoptr (FhHistory) history = fh_history_new (NULL);
  FhRecorder *recorder = fh_recorder_new (history);
  g_autofree char *title = NULL;

  if (!g_str_equal (options->file, "-"))
    title = g_path_get_basename (options->file);
  *record = g_object_ref (fh_recorder_follow (recorder,
                                              self->series,
                                              is_answer ? FH_RECORD_ANSWER : FH_RECORD_RUNS,
                                              title,
                                              is_answer ? text : NULL,
                                              NULL));
  g_signal_connect (recorder, "saved", G_CALLBACK (saved_cb), self);
  g_signal_connect (recorder, "notice", G_CALLBACK (notice_cb), NULL);
  return recorder;
}

static gboolean
print (Command *self, FhRunResult *result, int status)
{
  if (self->report != NULL)
    return fh_run_report_print_blocks (self->report, self->series, status);
  return fh_run_report_print (result,
                              self->options->options,
                              fh_executor_get_sandbox (self->executor));
}

/* `text`: of an answer. `folder`: for the files that are left, or -1. */
static int
run (Command *self, const char *text, int folder)
{
  const FhRunCommandLine *options = self->options;
  g_autoptr (FhSeriesRecord) record = NULL;
  g_autoptr (FhRecorder) recorder = new_recorder (self, text, &record);
  g_autoptr (FhResultFiles) files = NULL;
  FhFolderChanges *changes;
  int status;

  if (self->prompt != NULL)
    g_signal_connect (self->series, "asking", G_CALLBACK (asking_cb), self);
  g_signal_connect (self->series, "step-changed", G_CALLBACK (step_cb), self);
  fh_series_start (self->series);
  /* The history is opened while the program runs. */
  if (!options->options->no_history)
    fh_recorder_open (recorder);
  fh_command_loop_run (self->series);
  status = self->failure != 0 ? self->failure : fh_series_get_exit_status (self->series);
  if (options->json && !print (self, fh_series_record_get_result (record), status))
    status = FH_EXIT_UNREAD;
  files = fh_series_dup_files (self->series);
  if (folder >= 0 && !fh_save_files (files, folder))
    status = FH_EXIT_NO_RUN;
  /* Last: the caller already has the output. */
  fh_command_loop_save (recorder);
  changes = fh_series_get_changes (self->series);
  if (changes != NULL && !options->json)
    fh_changes_explain (changes, self->id);
  fh_command_loop_end (self->executor, self->series);
  return status;
}

/* NULL if the source is a program, or is said to be one. */
static GPtrArray *
find_blocks (const FhRunCommandLine *options, const char *text)
{
  const char *name = g_str_equal (options->file, "-") ? NULL : options->file;

  return options->language == NULL ? fh_answer_parse (name, text, options->as_written) : NULL;
}

/* Refuses what has no meaning for the blocks of an answer. */
static gboolean
check_answer (const FhRunCommandLine *options, GPtrArray *blocks, GError **error)
{
  if (*options->arguments != NULL || options->standard_input != NULL)
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("Arguments and standard input are for a program, not for an "
                                   "answer with code blocks."));
  if (fh_run_options_get_project (options->options) != NULL)
    fh_answer_run_diffs (blocks);
  if (options->policies != NULL &&
      !fh_answer_set_policies (blocks, (const char *const *) options->policies, error))
    return FALSE;
  for (guint i = 0; i < blocks->len; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];

      if (options->ask && block->action == FH_BLOCK_RUN)
        block->action = FH_BLOCK_ASK;
      if (block->action <= FH_BLOCK_ASK && !check_language (options, block->language, error))
        return FALSE;
    }
  return TRUE;
}

/* Opens the folder first, because files that cannot be saved after the run would be lost. */
static gboolean
open_folder (const FhRunCommandLine *options, int *folder, GError **error)
{
  *folder = -1;
  if (options->save_files != NULL)
    *folder = fh_save_files_open (options->save_files, error);
  return options->save_files == NULL || *folder >= 0;
}

/* FALSE if there is a question and no one to ask. `prompt`: NULL if there is no question. */
static gboolean
prepare_questions (const FhRunCommandLine *options,
                   GPtrArray *blocks,
                   FhApprovalPrompt **prompt,
                   GError **error)
{
  *prompt = NULL;
  for (guint i = 0; i < blocks->len && *prompt == NULL; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      if (block->action != FH_BLOCK_ASK)
        continue;
      *prompt = fh_approval_prompt_new (options->options, blocks, error);
      if (*prompt == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Said before the run: blocks that come earlier are run all the same. */
static void
tell_of_missing (const FhRunCommandLine *options, GPtrArray *blocks)
{
  for (guint i = 0; i < blocks->len && options->container == NULL; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];
      const char *name = block->language != NULL ? block->language->interpreter : NULL;
      g_autofree char *problem = NULL;
      g_autofree char *path = NULL;

      if (block->action > FH_BLOCK_ASK ||
          (options->options->interpreter != NULL && g_str_equal (block->language->id, "python")))
        continue;
      path = fh_interpreter_find (name);
      if (path != NULL)
        continue;
      problem = g_strdup_printf (_ ("“%s” is not installed here"), name);
      fh_message (_ ("It stops at block %u: %s."), i + 1, problem);
      return;
    }
}

static int
run_answer (const FhRunCommandLine *options, const char *text, GPtrArray *blocks)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhApprovalPrompt) prompt = NULL;
  g_autoptr (FhRunReport) report = NULL;
  g_autoptr (FhExecutor) executor = fh_executor_new (NULL);
  g_autoptr (FhSeries) series = NULL;
  Command self = { .options = options, .blocks = blocks, .executor = executor, .id = -1 };
  int folder;
  int status;

  fh_stop_signals_catch ();
  if (!check_answer (options, blocks, &error) ||
      !prepare_questions (options, blocks, &prompt, &error) ||
      !open_folder (options, &folder, &error))
    return refuse (options, error->message);
  if (options->json)
    report = fh_run_report_new (options->options, blocks);
  else
    tell_of_missing (options, blocks);
  series = fh_series_new_answer (executor,
                                 blocks,
                                 1,
                                 options->options,
                                 NULL,
                                 can_type (options, options->standard_input));
  self.series = series;
  self.prompt = prompt;
  self.report = report;
  status = run (&self, text, folder);
  if (folder >= 0)
    close (folder);
  return status;
}

/* What a person is asked about a program. NULL without an error: nobody is asked. */
static FhApprovalPrompt *
new_prompt (const FhRunCommandLine *options, FhRunRequest *request, GError **error)
{
  g_autofree char *code = fh_run_request_dup_source_text (request);
  g_autoptr (GPtrArray) blocks =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);

  if (!options->ask)
    return NULL;
  g_ptr_array_add (blocks,
                   fh_answer_block_new (fh_run_request_get_parts (request)->language, code));
  return fh_approval_prompt_new (options->options, blocks, error);
}

static int
run_program (const FhRunCommandLine *options, GBytes *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = build_request (options, source, &error);
  g_autoptr (FhApprovalPrompt) prompt = NULL;
  g_autoptr (FhPullLine) pull = fh_pull_line_new ();
  g_autoptr (FhExecutor) executor = fh_executor_new (NULL);
  g_autoptr (FhSeries) series = NULL;
  Command self = { .options = options, .executor = executor, .id = -1 };
  int folder;
  int status;

  if (request == NULL || !open_folder (options, &folder, &error))
    return refuse (options, error->message);
  fh_stop_signals_catch ();
  prompt = new_prompt (options, request, &error);
  if (error != NULL)
    {
      status = refuse (options, error->message);
    }
  else
    {
      if (!options->ask)
        warn_unprotected (options);
      if (options->container != NULL)
        g_signal_connect (executor, "changed", G_CALLBACK (show_pull), pull);
      series = fh_series_new_program (executor, request, options->ask);
      self.series = series;
      self.prompt = prompt;
      status = run (&self, NULL, folder);
    }
  if (folder >= 0)
    close (folder);
  return status;
}

int
fh_command_run (int argc, char **argv)
{
  g_autoptr (FhRunCommandLine) options = NULL;
  g_autoptr (GPtrArray) blocks = NULL;
  g_autoptr (GBytes) source = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gboolean is_notebook;
  const char *data;
  gsize size;

  options = fh_run_command_line_parse (argv, &error);
  if (options == NULL)
    {
      fh_message_usage ("run", error);
      return FH_EXIT_NO_RUN;
    }
  source =
      fh_input_file_read_program (options->file, FH_RUN_REQUEST_MAX_SOURCE, &is_notebook, &error);
  if (source == NULL)
    return refuse (options, error->message);
  if (is_notebook && options->language == NULL)
    options->language = g_strdup ("python");
  options->options->notebook |= is_notebook;
  data = g_bytes_get_data (source, &size);
  text = g_strndup (data != NULL ? data : "", size);
  blocks = find_blocks (options, text);
  if (blocks == NULL && options->policies != NULL)
    return refuse (options, _ ("--policy is for an answer with code blocks."));
  if (blocks == NULL && options->as_written)
    return refuse (options, _ ("--as-written is for an answer with code blocks."));
  return blocks != NULL ? run_answer (options, text, blocks) : run_program (options, source);
}
