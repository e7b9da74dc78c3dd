/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "answer-command.h"
#include "answer.h"
#include "approval-prompt.h"
#include "changes-text.h"
#include "command.h"
#include "executor-end.h"
#include "executor.h"
#include "input-file.h"
#include "interpreter.h"
#include "json-output.h"
#include "live-output.h"
#include "message.h"
#include "pull-line.h"
#include "run-command-line.h"
#include "run-error.h"
#include "run-explanation.h"
#include "run-json.h"
#include "save-files.h"
#include "stop-signals.h"
#include "terminal-input.h"

/* Longer input is refused; it is kept in memory and in the history. */
#define MAX_STANDARD_INPUT ((gsize) 256 << 20)

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

/* `sandbox`: NULL when nothing was run. */
static gboolean
print_json (const FhRunCommandLine *options, FhRunResult *result, FhSandbox *sandbox)
{
  g_autoptr (JsonNode) node = fh_run_json_new (result, options->options, sandbox);

  return fh_print_json (json_node_get_object (node), FALSE);
}

static FhRunResult *
new_refusal (const FhRunCommandLine *options, const char *step, const char *message)
{
  const FhRunOutcome outcome = {
    .status = FH_RUN_STATUS_NOT_STARTED,
    .exit_code = -1,
    .signal = -1,
    .step = step,
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
      g_autoptr (FhRunResult) result = new_refusal (options, "request", message);

      print_json (options, result, NULL);
    }
  else
    fh_message ("%s", message);
  return FH_EXIT_NO_RUN;
}

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer user_data)
{
  fh_live_output_obey_signals (FH_RUN (user_data));
  return G_SOURCE_CONTINUE;
}

static void
state_changed_cb (FhRun *run, GParamSpec *pspec, GMainLoop *loop)
{
  if (fh_run_get_state (run) == FH_RUN_FINISHED)
    g_main_loop_quit (loop);
}

static void
wait_for_end (FhRun *run)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  gulong handler = g_signal_connect (run, "notify::state", G_CALLBACK (state_changed_cb), loop);
  guint source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, run);

  if (fh_run_get_state (run) != FH_RUN_FINISHED)
    g_main_loop_run (loop);
  g_source_remove (source);
  g_signal_handler_disconnect (run, handler);
}

static int
report (const FhRunCommandLine *options, FhRun *run, FhLiveOutput *output, FhSandbox *sandbox)
{
  FhRunResult *result = fh_run_get_result (run);

  if (options->json && !print_json (options, result, sandbox))
    return FH_EXIT_UNREAD;
  if (output != NULL && fh_live_output_is_unread (output))
    return FH_EXIT_UNREAD;
  if (output != NULL && fh_live_output_get_error (output) != 0)
    {
      fh_message (_ ("The output could not be written: %s"),
                  g_strerror (fh_live_output_get_error (output)));
      return FH_EXIT_NO_RUN;
    }
  if (!options->json)
    fh_run_explain (options, run, output);
  return fh_run_outcome_exit_status (fh_run_result_get_outcome (result));
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

static void
not_recorded_cb (FhRecorder *recorder, const char *message)
{
  fh_message (_ ("This run is not in the history: %s"), message);
}

static void
notice_cb (FhRecorder *recorder, const char *notice)
{
  fh_message ("%s", notice);
}

/* Opens the history while the program runs. */
static FhRecorder *
prepare_recorder (void)
{
  g_autoptr (FhHistory) history = fh_history_new (NULL);
  FhRecorder *recorder = fh_recorder_new (history);

  g_signal_connect (recorder, "failed", G_CALLBACK (not_recorded_cb), NULL);
  g_signal_connect (recorder, "notice", G_CALLBACK (notice_cb), NULL);
  fh_recorder_open (recorder);
  return recorder;
}

/* `folder`: for the files that it leaves behind, or -1. */
static int
run (const FhRunCommandLine *options, FhRunRequest *request, int folder)
{
  g_autoptr (FhExecutor) executor = fh_executor_new (NULL, NULL);
  g_autoptr (FhPullLine) pull = fh_pull_line_new ();
  g_autoptr (FhRecorder) recorder = NULL;
  g_autoptr (FhRun) one_run = NULL;
  g_autoptr (FhLiveOutput) output = NULL;
  g_autoptr (FhTerminalInput) input = NULL;
  FhFolderChanges *changes;
  gint64 id = -1;
  int status;

  if (options->options->guards.tier == FH_TIER_UNPROTECTED)
    fh_message (_ ("This runs without protection: the program can do all that you can do, such as "
                   "reading, changing and deleting your files."));
  fh_stop_signals_catch ();
  if (options->container != NULL)
    g_signal_connect (executor, "changed", G_CALLBACK (show_pull), pull);
  one_run = fh_executor_run (executor, request, NULL, FALSE);
  if (!options->json)
    output = fh_live_output_new (one_run, options->raw);
  if (fh_run_request_takes_live_input (request))
    input = fh_terminal_input_new (one_run);
  if (!options->options->no_history)
    recorder = prepare_recorder ();
  wait_for_end (one_run);
  if (output != NULL)
    fh_live_output_finish (output);
  changes = fh_run_result_get_changes (fh_run_get_result (one_run));
  status = report (options, one_run, output, fh_executor_get_sandbox (executor));
  if (folder >= 0 && !fh_save_files (fh_run_result_get_files (fh_run_get_result (one_run)), folder))
    status = FH_EXIT_NO_RUN;
  /* Last: the caller already has the output. */
  if (recorder != NULL)
    id = fh_recorder_save (recorder, one_run);
  if (changes != NULL && !options->json)
    fh_changes_explain (changes, id);
  fh_executor_end (executor);
  return status;
}

/* NULL if the source is a program, or is said to be one. */
static GPtrArray *
find_blocks (const FhRunCommandLine *options, const char *text)
{
  const char *name = g_str_equal (options->file, "-") ? NULL : options->file;

  return options->language == NULL ? fh_answer_parse (name, text) : NULL;
}

/* What has no meaning for the blocks of an answer. */
static gboolean
check_answer (const FhRunCommandLine *options, GPtrArray *blocks, GError **error)
{
  if (*options->arguments != NULL || options->standard_input != NULL)
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("Arguments and standard input are for a program, not for an "
                                   "answer with code blocks."));
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
  int folder;
  int status;

  fh_stop_signals_catch ();
  if (!check_answer (options, blocks, &error) ||
      !prepare_questions (options, blocks, &prompt, &error) ||
      !open_folder (options, &folder, &error))
    return refuse (options, error->message);
  if (!options->json)
    tell_of_missing (options, blocks);
  status = fh_command_answer (options, text, blocks, prompt, folder);
  if (folder >= 0)
    close (folder);
  return status;
}

/* A refusal is kept as the result of the run. `message`: why it may not run. */
static int
keep_refusal (const FhRunCommandLine *options, FhRunRequest *request, const char *message)
{
  g_autoptr (FhRunResult) result = new_refusal (options, FH_RUN_STEP_APPROVAL, message);
  g_autoptr (FhHistory) history = fh_history_new (NULL);
  g_autoptr (GError) error = NULL;

  if (options->json)
    print_json (options, result, NULL);
  else
    fh_message ("%s", message);
  if (!options->options->no_history && fh_history_add (history, request, result, &error) < 0)
    fh_message (_ ("This run is not in the history: %s"), error->message);
  return FH_EXIT_REFUSED;
}

/* 0: it may run. */
static int
ask_about (const FhRunCommandLine *options, FhRunRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhApprovalPrompt) prompt = NULL;
  g_autoptr (GPtrArray) blocks = NULL;
  g_autofree char *code = fh_run_request_dup_source_text (request);
  const FhLanguage *language = fh_run_request_get_language (request);
  g_autofree char *place = g_strdup_printf ("%s: %s", options->file, language->name);
  g_autofree char *reason = NULL;
  g_autofree char *message = NULL;
  FhApproval approval;

  fh_stop_signals_catch ();
  blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  g_ptr_array_add (blocks, fh_answer_block_new (language, code));
  prompt = fh_approval_prompt_new (options->options, blocks, &error);
  if (prompt == NULL)
    return refuse (options, error->message);
  approval = fh_approval_prompt_ask (prompt, 0, place, FALSE, &reason);
  if (approval == FH_APPROVAL_ONCE)
    return 0;
  message = fh_answer_dup_refusal (reason);
  return keep_refusal (options, request, message);
}

static int
run_program (const FhRunCommandLine *options, GBytes *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = build_request (options, source, &error);
  int folder;
  int status = 0;

  if (request == NULL || !open_folder (options, &folder, &error))
    return refuse (options, error->message);
  if (options->ask)
    status = ask_about (options, request);
  if (status == 0)
    status = run (options, request, folder);
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
  const char *data;
  gsize size;

  options = fh_run_command_line_parse (argc, argv, &error);
  if (options == NULL)
    {
      fh_message_usage ("run", error);
      return FH_EXIT_NO_RUN;
    }
  source = fh_input_file_read (options->file, FH_RUN_REQUEST_MAX_SOURCE, &error);
  if (source == NULL)
    return refuse (options, error->message);
  data = g_bytes_get_data (source, &size);
  text = g_strndup (data != NULL ? data : "", size);
  blocks = find_blocks (options, text);
  if (blocks == NULL && options->policies != NULL)
    return refuse (options, _ ("--policy is for an answer with code blocks."));
  return blocks != NULL ? run_answer (options, text, blocks) : run_program (options, source);
}
