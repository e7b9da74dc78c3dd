/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "answer-run.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "answer-files.h"
#include "signals.h"

struct _FhAnswerRun
{
  GObject parent_instance;

  FhExecutor *executor;
  GPtrArray *blocks;
  FhRunOptions *options;

  GHashTable *files;        /* path to FhRunFile: what the blocks have left until now */
  FhFolderChanges *changes; /* in a project folder, of all blocks until now; nullable */
  guint index;              /* of the block that runs, or is next */
  guint turn;               /* source of the next one */
  FhRun *run;               /* nullable */
  GHashTable *approved;     /* const FhLanguage: no more questions */
  gboolean is_asking;
  gboolean may_run;    /* the block at `index` was approved */
  gboolean is_written; /* its file was, by a program */
  gboolean is_unseen;  /* a file was saved, and no run has told since then what has changed */
  int exit_status;
  gboolean is_stopped;
  gboolean is_done;
};

enum
{
  SIGNAL_ASKING,
  SIGNAL_STARTED,
  SIGNAL_FINISHED,
  SIGNAL_SAVED,
  SIGNAL_REFUSED,
  SIGNAL_DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhAnswerRun, fh_answer_run, G_TYPE_OBJECT)

static void schedule (FhAnswerRun *self);

static gboolean look (FhAnswerRun *self);

static void
be_done (FhAnswerRun *self)
{
  self->is_done = TRUE;
  g_signal_emit (self, signals[SIGNAL_DONE], 0);
}

static void
end (FhAnswerRun *self, int exit_status)
{
  g_clear_handle_id (&self->turn, g_source_remove);
  self->exit_status = exit_status;
  if (!self->is_unseen || self->is_stopped || !look (self))
    be_done (self);
}

static void
refuse (FhAnswerRun *self, const char *message)
{
  g_signal_emit (self, signals[SIGNAL_REFUSED], 0, self->index, message);
  end (self, self->is_stopped ? FH_ANSWER_STOPPED : 1);
}

static gboolean
has_own_workspace (FhAnswerRun *self)
{
  return fh_run_options_get_work_dir (self->options) == NULL &&
         !(self->options->in_container && self->options->container.is_kept);
}

static void
keep_code (FhAnswerRun *self, const FhAnswerBlock *block)
{
  g_autoptr (GBytes) code = g_bytes_new (block->code, strlen (block->code));

  fh_answer_files_put (self->files, block->file_name, code, FALSE);
}

FhFolderChanges *
fh_answer_run_get_changes (FhAnswerRun *self)
{
  return self->changes;
}

FhResultFiles *
fh_answer_run_dup_files (FhAnswerRun *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_RUN (self), fh_result_files_new ());

  return fh_answer_files_dup_results (self->files);
}

static FhRunRequest *
new_request (FhAnswerRun *self, const FhAnswerBlock *block, GError **error)
{
  /* In a project folder the program has a name of its own. */
  const gboolean is_beside = fh_run_options_get_project (self->options) == NULL;
  const char *program = is_beside ? block->language->file_name : NULL;
  g_autoptr (GPtrArray) files =
      has_own_workspace (self) ? fh_answer_files_dup_beside (self->files, program) : NULL;
  g_autoptr (GPtrArray) removed = fh_answer_files_list_removed (self->files, self->changes);
  g_autoptr (GBytes) source = g_bytes_new (block->code, strlen (block->code));
  g_autoptr (FhRunOptions) options = fh_answer_files_copy_options (self->options, block->language);
  g_autofree char *title =
      fh_answer_files_dup_title (block, self->blocks->len > 1 ? self->index + 1 : 0, source);

  return fh_run_request_new (&(FhRunRequestInit){ .language = block->language,
                                                  .source = source,
                                                  .title = title,
                                                  .files = files,
                                                  .removed = (const char *const *) removed->pdata,
                                                  .options = options },
                             error);
}

static void
next (FhAnswerRun *self)
{
  self->index++;
  self->may_run = FALSE;
  self->is_written = FALSE;
}

/* NULL until the run has one. */
static FhRunResult *
take_result (FhAnswerRun *self, FhRun *run)
{
  FhRunResult *result = fh_run_get_result (run);

  if (result == NULL)
    return NULL;
  g_signal_handlers_disconnect_by_data (run, self);
  g_clear_object (&self->run);
  return result;
}

static void
finished_cb (FhRun *run, GParamSpec *pspec, FhAnswerRun *self)
{
  G_GNUC_UNUSED g_autoptr (FhAnswerRun) alive = g_object_ref (self);
  G_GNUC_UNUSED g_autoptr (FhRun) held = g_object_ref (run);
  FhRunResult *result = take_result (self, run);
  int status;

  if (result == NULL)
    return;
  g_set_object (&self->changes, fh_run_result_get_changes (result));
  self->is_unseen = FALSE;
  fh_answer_files_take (self->files, fh_run_result_get_files (result));
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0, self->index, run);
  status = fh_run_outcome_exit_status (fh_run_result_get_outcome (result));
  next (self);
  if (self->is_stopped)
    end (self, status != 0 ? status : FH_ANSWER_STOPPED);
  else if (status != 0)
    end (self, status);
  else
    schedule (self);
}

static void
written_cb (FhRun *run, GParamSpec *pspec, FhAnswerRun *self)
{
  G_GNUC_UNUSED g_autoptr (FhAnswerRun) alive = g_object_ref (self);
  G_GNUC_UNUSED g_autoptr (FhRun) held = g_object_ref (run);
  FhRunResult *result = take_result (self, run);

  if (result == NULL)
    return;
  self->is_written = fh_run_outcome_exit_status (fh_run_result_get_outcome (result)) == 0;
  if (self->is_stopped)
    end (self, FH_ANSWER_STOPPED);
  else if (self->is_written)
    schedule (self);
  else if (fh_run_result_get_outcome (result)->exit_code == FH_ANSWER_FILES_LINK)
    refuse (self, _ ("Filename is not in the workspace"));
  else
    refuse (self, fh_run_result_get_sentence (result));
}

/* The file of a block, in a container that is kept or a folder of the user's. */
static void
write_file (FhAnswerRun *self, const FhAnswerBlock *block)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = fh_answer_files_new_writer (block, self->options, &error);

  if (request == NULL)
    {
      refuse (self, error->message);
      return;
    }
  self->run = fh_executor_run (self->executor, request, NULL, FALSE);
  g_signal_connect (self->run, "notify::result", G_CALLBACK (written_cb), self);
}

static void
looked_cb (FhRun *run, GParamSpec *pspec, FhAnswerRun *self)
{
  G_GNUC_UNUSED g_autoptr (FhAnswerRun) alive = g_object_ref (self);
  G_GNUC_UNUSED g_autoptr (FhRun) held = g_object_ref (run);
  FhRunResult *result = take_result (self, run);

  if (result == NULL)
    return;
  if (fh_run_result_get_changes (result) != NULL)
    g_set_object (&self->changes, fh_run_result_get_changes (result));
  be_done (self);
}

/* What was saved last in a project folder is a change, too: a run that does nothing tells of it.
 * FALSE if there is none. */
static gboolean
look (FhAnswerRun *self)
{
  const FhAnswerBlock block = { .language = fh_language_lookup ("sh"), .code = (char *) ":\n" };
  g_autoptr (FhRunRequest) request = NULL;

  self->is_unseen = FALSE;
  request = new_request (self, &block, NULL);
  if (request == NULL)
    return FALSE;
  self->run = fh_executor_run (self->executor, request, NULL, FALSE);
  g_signal_connect (self->run, "notify::result", G_CALLBACK (looked_cb), self);
  return TRUE;
}

static void
start (FhAnswerRun *self, const FhAnswerBlock *block)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = NULL;

  if (block->file_name != NULL)
    keep_code (self, block);
  request = new_request (self, block, &error);
  if (request == NULL)
    {
      refuse (self, error->message);
      return;
    }
  self->run = fh_executor_run (self->executor, request, NULL, FALSE);
  g_signal_connect (self->run, "notify::result", G_CALLBACK (finished_cb), self);
  g_signal_emit (self, signals[SIGNAL_STARTED], 0, self->index, self->run);
}

static void
save (FhAnswerRun *self, const FhAnswerBlock *block)
{
  keep_code (self, block);
  self->is_unseen = fh_run_options_get_project (self->options) != NULL;
  g_signal_emit (self, signals[SIGNAL_SAVED], 0, self->index);
  next (self);
  schedule (self);
}

/* Without a listener there is no one to ask, and the block is not run. */
static void
ask (FhAnswerRun *self)
{
  self->is_asking = TRUE;
  if (g_signal_has_handler_pending (self, signals[SIGNAL_ASKING], 0, FALSE))
    g_signal_emit (self, signals[SIGNAL_ASKING], 0, self->index);
  else
    fh_answer_run_refuse (self, _ ("There was no way to ask."));
}

gboolean
fh_answer_run_is_asking (FhAnswerRun *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_RUN (self), FALSE);

  return self->is_asking;
}

void
fh_answer_run_approve (FhAnswerRun *self, gboolean always)
{
  const FhAnswerBlock *block;

  g_return_if_fail (FH_IS_ANSWER_RUN (self));

  if (!self->is_asking)
    return;
  block = self->blocks->pdata[self->index];
  self->is_asking = FALSE;
  self->may_run = TRUE;
  if (always)
    g_hash_table_add (self->approved, (gpointer) block->language);
  schedule (self);
}

void
fh_answer_run_refuse (FhAnswerRun *self, const char *reason)
{
  g_autofree char *message = fh_answer_dup_refusal (reason);

  g_return_if_fail (FH_IS_ANSWER_RUN (self));

  if (!self->is_asking)
    return;
  self->is_asking = FALSE;
  refuse (self, message);
}

static gboolean
has_to_ask (FhAnswerRun *self, const FhAnswerBlock *block)
{
  return block->action == FH_BLOCK_ASK && !self->may_run &&
         !g_hash_table_contains (self->approved, block->language);
}

static gboolean
turn_cb (gpointer user_data)
{
  g_autoptr (FhAnswerRun) self = g_object_ref (FH_ANSWER_RUN (user_data));
  const FhAnswerBlock *block;
  g_autofree char *problem = NULL;

  self->turn = 0;
  if (self->blocks->len == 0)
    {
      refuse (self, _ ("No code blocks to execute."));
      return G_SOURCE_REMOVE;
    }
  if (self->index == self->blocks->len)
    {
      end (self, 0);
      return G_SOURCE_REMOVE;
    }
  block = self->blocks->pdata[self->index];
  problem = fh_answer_block_dup_problem (block);
  if (problem != NULL)
    refuse (self, problem);
  else if (has_to_ask (self, block))
    ask (self);
  else if (block->file_name != NULL && !self->is_written && !has_own_workspace (self))
    write_file (self, block);
  else if (block->action == FH_BLOCK_SAVE)
    save (self, block);
  else
    start (self, block);
  return G_SOURCE_REMOVE;
}

/* In a later turn of the main loop: the executor has not yet seen the end of the last run. */
static void
schedule (FhAnswerRun *self)
{
  if (self->turn == 0)
    self->turn = g_idle_add (turn_cb, self);
}

void
fh_answer_run_add_files (FhAnswerRun *self, FhResultFiles *files)
{
  g_return_if_fail (FH_IS_ANSWER_RUN (self) && FH_IS_RESULT_FILES (files));
  g_return_if_fail (self->index == 0 && !self->is_done);

  fh_answer_files_take (self->files, files);
}

void
fh_answer_run_start (FhAnswerRun *self)
{
  g_return_if_fail (FH_IS_ANSWER_RUN (self));
  g_return_if_fail (self->index == 0 && !self->is_done);

  schedule (self);
}

void
fh_answer_run_stop (FhAnswerRun *self)
{
  g_return_if_fail (FH_IS_ANSWER_RUN (self));

  self->is_stopped = TRUE;
  if (self->run != NULL)
    fh_run_stop (self->run);
  else if (self->is_asking)
    fh_answer_run_refuse (self, NULL);
  else if (!self->is_done)
    end (self, FH_ANSWER_STOPPED);
}

const FhRunOptions *
fh_answer_run_get_options (FhAnswerRun *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_RUN (self), NULL);

  return self->options;
}

GPtrArray *
fh_answer_run_get_blocks (FhAnswerRun *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_RUN (self), NULL);

  return self->blocks;
}

gboolean
fh_answer_run_is_done (FhAnswerRun *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_RUN (self), TRUE);

  return self->is_done;
}

int
fh_answer_run_get_exit_status (FhAnswerRun *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_RUN (self), 1);

  return self->exit_status;
}

static void
fh_answer_run_dispose (GObject *object)
{
  FhAnswerRun *self = FH_ANSWER_RUN (object);

  g_clear_handle_id (&self->turn, g_source_remove);
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
  g_clear_object (&self->executor);

  G_OBJECT_CLASS (fh_answer_run_parent_class)->dispose (object);
}

static void
fh_answer_run_finalize (GObject *object)
{
  FhAnswerRun *self = FH_ANSWER_RUN (object);

  g_ptr_array_unref (self->blocks);
  fh_run_options_free (self->options);
  g_hash_table_unref (self->files);
  g_clear_object (&self->changes);
  g_hash_table_unref (self->approved);

  G_OBJECT_CLASS (fh_answer_run_parent_class)->finalize (object);
}

static void
fh_answer_run_class_init (FhAnswerRunClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_answer_run_dispose;
  G_OBJECT_CLASS (klass)->finalize = fh_answer_run_finalize;

  signals[SIGNAL_ASKING] = fh_signal_new ("asking", FH_TYPE_ANSWER_RUN, 1, G_TYPE_UINT);
  signals[SIGNAL_STARTED] =
      fh_signal_new ("started", FH_TYPE_ANSWER_RUN, 2, G_TYPE_UINT, FH_TYPE_RUN);
  signals[SIGNAL_FINISHED] =
      fh_signal_new ("finished", FH_TYPE_ANSWER_RUN, 2, G_TYPE_UINT, FH_TYPE_RUN);
  signals[SIGNAL_SAVED] = fh_signal_new ("saved", FH_TYPE_ANSWER_RUN, 1, G_TYPE_UINT);
  signals[SIGNAL_REFUSED] =
      fh_signal_new ("refused", FH_TYPE_ANSWER_RUN, 2, G_TYPE_UINT, G_TYPE_STRING);
  signals[SIGNAL_DONE] = fh_signal_new ("done", FH_TYPE_ANSWER_RUN, 0);
}

static void
fh_answer_run_init (FhAnswerRun *self)
{
  self->files = fh_answer_files_new ();
  self->approved = g_hash_table_new (NULL, NULL);
}

FhAnswerRun *
fh_answer_run_new (FhExecutor *executor, GPtrArray *blocks, const FhRunOptions *options)
{
  FhAnswerRun *self;

  g_return_val_if_fail (FH_IS_EXECUTOR (executor), NULL);
  g_return_val_if_fail (blocks != NULL && options != NULL, NULL);

  self = g_object_new (FH_TYPE_ANSWER_RUN, NULL);
  self->executor = g_object_ref (executor);
  self->blocks = g_ptr_array_ref (blocks);
  self->options = fh_run_options_copy (options);
  return self;
}
