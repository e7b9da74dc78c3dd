/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "answer-command.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "answer-record.h"
#include "approval-prompt.h"
#include "changes-text.h"
#include "command.h"
#include "executor-end.h"
#include "json-output.h"
#include "live-output.h"
#include "message.h"
#include "run-explanation.h"
#include "run-json.h"
#include "save-files.h"
#include "stop-signals.h"
#include "sync-wait.h"

typedef struct
{
  const FhRunCommandLine *options;
  GPtrArray *blocks;
  GMainLoop *loop;
  FhExecutor *executor;
  FhAnswerRun *answer;
  FhLiveOutput *output;     /* of the block that runs; nullable */
  FhRun *run;               /* likewise */
  JsonArray *told;          /* with --json */
  FhApprovalPrompt *prompt; /* nullable */
  FhRunOutcome sum;         /* of the answer as a whole */
  char *error;              /* why it is no success; nullable */
  gboolean has_run;         /* one of its blocks */
  int failure;              /* ours; 0: none */
} Command;

static void
tell_place (const FhAnswerBlock *block, guint index)
{
  if (isatty (STDERR_FILENO))
    fh_message (_ ("Block %u, line %u: %s"),
                index + 1,
                block->line,
                block->language != NULL ? block->language->name : block->word);
}

/* (transfer full) */
static JsonObject *
describe (const FhAnswerBlock *block)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "line", block->line);
  fh_json_set_text (object, "word", block->word);
  fh_json_set_text (object, "language", block->language != NULL ? block->language->id : NULL);
  json_object_set_boolean_member (object, "is_guess", block->is_guess);
  json_object_set_string_member (object, "action", fh_block_action_to_string (block->action));
  fh_json_set_text (object, "file_name", block->file_name);
  return object;
}

/* Takes the result. `result`, `message`: nullable. */
static void
tell (Command *self, guint index, const char *state, JsonNode *result, const char *message)
{
  JsonObject *object = describe (self->blocks->pdata[index]);

  json_object_set_string_member (object, "state", state);
  json_object_set_member (object,
                          "result",
                          result != NULL ? result : json_node_init_null (json_node_alloc ()));
  fh_json_set_text (object, "message", message);
  json_array_add_object_element (self->told, object);
}

static gboolean
has_more_questions (Command *self, guint index)
{
  const FhAnswerBlock *block = self->blocks->pdata[index];

  while (++index < self->blocks->len)
    {
      const FhAnswerBlock *next = self->blocks->pdata[index];

      if (next->action == FH_BLOCK_ASK && next->language == block->language)
        return TRUE;
    }
  return FALSE;
}

static void
asking_cb (FhAnswerRun *answer, guint index, Command *self)
{
  const FhAnswerBlock *block = self->blocks->pdata[index];
  const gboolean has_more = has_more_questions (self, index);
  /* Translators: three numbers, the name of a language. */
  g_autofree char *place = g_strdup_printf (_ ("Block %u of %u, line %u: %s"),
                                            index + 1,
                                            self->blocks->len,
                                            block->line,
                                            block->language->name);
  g_autofree char *reason = NULL;
  const FhApproval approval =
      fh_approval_prompt_ask (self->prompt, index, place, has_more, &reason);

  if (approval == FH_APPROVAL_STOPPED)
    fh_answer_run_stop (answer);
  else if (approval == FH_APPROVAL_REFUSED)
    fh_answer_run_refuse (answer, reason);
  else
    fh_answer_run_approve (answer, approval == FH_APPROVAL_ALWAYS);
}

static void
started_cb (FhAnswerRun *answer, guint index, FhRun *run, Command *self)
{
  g_set_object (&self->run, run);
  if (self->options->json)
    return;
  tell_place (self->blocks->pdata[index], index);
  self->output = fh_live_output_new (run, self->options->raw);
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

/* Blocks follow only one that has ended well: the last one says how the answer ended. */
static void
add_up (Command *self, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);

  self->sum.status = outcome->status;
  self->sum.exit_code = outcome->exit_code;
  self->has_run = TRUE;
  self->sum.wall_us += outcome->wall_us;
  if (outcome->status != FH_RUN_STATUS_OK)
    self->error = g_strdup (fh_run_result_get_sentence (result));
}

static void
finished_cb (FhAnswerRun *answer, guint index, FhRun *run, Command *self)
{
  FhRunResult *result = fh_run_get_result (run);

  add_up (self, result);
  if (self->options->json)
    tell (
        self,
        index,
        "run",
        fh_run_json_new (result, self->options->options, fh_executor_get_sandbox (self->executor)),
        NULL);
  else
    finish_output (self);
  if (!self->options->json && self->failure == 0)
    fh_run_explain (self->options, run, self->output);
  g_clear_pointer (&self->output, fh_live_output_free);
  g_clear_object (&self->run);
  if (self->failure != 0)
    fh_answer_run_stop (answer);
}

static void
saved_cb (FhAnswerRun *answer, guint index, Command *self)
{
  const FhAnswerBlock *block = self->blocks->pdata[index];
  g_autofree char *message = fh_answer_block_dup_saved (block);

  if (self->options->json)
    tell (self, index, "saved", NULL, message);
  else
    fh_message ("%s", message);
}

/* As the history has it: an answer of which something has run was started. */
static void
refused_cb (FhAnswerRun *answer, guint index, const char *message, Command *self)
{
  self->sum.status = self->has_run ? FH_RUN_STATUS_FAILED : FH_RUN_STATUS_NOT_STARTED;
  self->sum.exit_code = self->has_run ? 1 : -1;
  self->error = g_strdup (message);
  if (self->options->json && index < self->blocks->len)
    tell (self, index, "refused", NULL, message);
  else if (!self->options->json && index < self->blocks->len)
    fh_message (_ ("Line %u: %s"),
                ((const FhAnswerBlock *) self->blocks->pdata[index])->line,
                message);
  else if (!self->options->json)
    fh_message ("%s", message);
}

static void
save (FhOldSeriesRecord *record)
{
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GError) error = NULL;

  fh_old_series_record_save_async (record, fh_sync_wait_cb, wait);
  if (!fh_old_series_record_save_finish (record, fh_sync_wait_get (wait), &error))
    fh_message (_ ("This run is not in the history: %s"), error->message);
}

/* NULL if the answer is not to be kept. */
static FhOldSeriesRecord *
new_record (const FhRunCommandLine *options, FhAnswerRun *answer, const char *text)
{
  g_autoptr (FhHistory) history = NULL;
  g_autofree char *title = NULL;

  if (options->options->no_history)
    return NULL;
  history = fh_history_new (NULL);
  if (!g_str_equal (options->file, "-"))
    title = g_path_get_basename (options->file);
  return fh_answer_record_new (answer, history, title, text);
}

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer user_data)
{
  Command *self = user_data;

  if (self->run != NULL)
    fh_live_output_obey_signals (self->run);
  else
    fh_answer_run_stop (self->answer);
  return G_SOURCE_CONTINUE;
}

static void
run (Command *self)
{
  guint source;

  if (self->prompt != NULL)
    g_signal_connect (self->answer, "asking", G_CALLBACK (asking_cb), self);
  g_signal_connect (self->answer, "started", G_CALLBACK (started_cb), self);
  g_signal_connect (self->answer, "finished", G_CALLBACK (finished_cb), self);
  g_signal_connect (self->answer, "saved", G_CALLBACK (saved_cb), self);
  g_signal_connect (self->answer, "refused", G_CALLBACK (refused_cb), self);
  g_signal_connect_swapped (self->answer, "done", G_CALLBACK (g_main_loop_quit), self->loop);
  fh_stop_signals_catch ();
  source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, self);
  fh_answer_run_start (self->answer);
  g_main_loop_run (self->loop);
  g_source_remove (source);
}

/* The members have the names and the meaning that they have for one run. */
static void
tell_sum (Command *self, JsonObject *object)
{
  const FhRunOutcome *sum = &self->sum;

  json_object_set_string_member (object, "status", fh_run_status_to_string (sum->status));
  json_object_set_boolean_member (object, "success", sum->status == FH_RUN_STATUS_OK);
  if (sum->exit_code >= 0)
    json_object_set_int_member (object, "exit_code", sum->exit_code);
  else
    json_object_set_null_member (object, "exit_code");
  json_object_set_double_member (object, "execution_time", (double) sum->wall_us / 1e6);
  fh_json_set_text (object, "error", self->error);
}

/* Blocks that were not reached are told of, too. */
static gboolean
print_told (Command *self, int status)
{
  g_autoptr (JsonObject) object = json_object_new ();

  if (self->error == NULL && fh_answer_run_get_exit_status (self->answer) == FH_ANSWER_STOPPED)
    {
      self->sum = (FhRunOutcome){ .status = FH_RUN_STATUS_STOPPED,
                                  .exit_code = -1,
                                  .signal = -1,
                                  .wall_us = self->sum.wall_us };
      self->error = fh_run_outcome_sentence (&self->sum);
    }
  for (guint i = json_array_get_length (self->told); i < self->blocks->len; i++)
    tell (self, i, "not-run", NULL, NULL);
  json_object_set_int_member (object, "exit_status", status);
  tell_sum (self, object);
  json_object_set_array_member (object, "blocks", json_array_ref (self->told));
  return fh_print_json (object, FALSE);
}

int
fh_command_answer (const FhRunCommandLine *options,
                   const char *text,
                   GPtrArray *blocks,
                   FhApprovalPrompt *prompt,
                   int folder)
{
  g_autoptr (FhExecutor) executor = fh_executor_new (NULL, NULL);
  g_autoptr (FhAnswerRun) answer = fh_answer_run_new (executor, blocks, options->options);
  g_autoptr (FhOldSeriesRecord) record = new_record (options, answer, text);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (JsonArray) told = json_array_new ();
  g_autoptr (FhResultFiles) files = NULL;
  Command self = { .options = options,
                   .blocks = blocks,
                   .loop = loop,
                   .executor = executor,
                   .answer = answer,
                   .prompt = prompt,
                   .told = told };
  FhFolderChanges *changes;
  int status;

  run (&self);
  status = self.failure != 0 ? self.failure : fh_answer_run_get_exit_status (answer);
  if (options->json && !print_told (&self, status))
    status = FH_EXIT_UNREAD;
  files = fh_answer_run_dup_files (answer);
  if (folder >= 0 && !fh_save_files (files, folder))
    status = FH_EXIT_NO_RUN;
  if (record != NULL)
    save (record);
  changes = fh_answer_run_get_changes (answer);
  if (changes != NULL && !options->json)
    fh_changes_explain (changes, record != NULL ? fh_old_series_record_get_id (record) : -1);
  fh_executor_end (executor);
  g_free (self.error);
  return status;
}
