/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-init.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "container-ours.h"
#include "container-program.h"
#include "kept-folder.h"
#include "run-conversation.h"
#include "runner-locator.h"
#include "wire-translation.h"

#define SHELL "/bin/sh"

/* In the container's private folder on this computer, of which programs see other parts only. */
#define MARK_FOLDER "set-up"
#define MARK        "done"

/* Engines need time to enter a container, and may be busy. */
#define START_TIMEOUT_MS 60000

/* The command has a run and a conversation of its own, which holds a reference to the task. */
typedef struct
{
  FhContainerInstance *instance;
  FhRun *run; /* the one that waits for it */
  FhOrder *order;
  FhRunConversation *conversation; /* NULL before its start, and after its end */
  gulong cancelled;
} Init;

static void
init_free (gpointer data)
{
  Init *self = data;

  fh_container_instance_unref (self->instance);
  g_object_unref (self->run);
  g_clear_pointer (&self->order, fh_order_unref);
  g_free (self);
}

/* The container's id and the command: a container of the same name that was made later has another
 * id, and another command has to run, too. (transfer full) */
static char *
mark_of (FhContainerInstance *instance)
{
  g_autofree char *sum =
      g_compute_checksum_for_string (G_CHECKSUM_SHA256, instance->options->init, -1);

  return g_strdup_printf ("%s %s\n", instance->id, sum);
}

static gboolean
is_set_up (FhContainerInstance *instance)
{
  g_autofree char *folder = fh_kept_folder_dup_path (instance->name);
  g_autofree char *path = g_build_filename (folder, MARK_FOLDER, MARK, NULL);
  g_autofree char *mark = mark_of (instance);
  g_autofree char *found = NULL;

  return g_file_get_contents (path, &found, NULL, NULL) && g_str_equal (found, mark);
}

static gboolean
note_set_up (FhContainerInstance *instance, GError **error)
{
  g_autoptr (FhOpenedPath) folder = fh_kept_folder_make (instance->name, MARK_FOLDER, error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder->path, MARK, NULL) : NULL;
  g_autofree char *mark = mark_of (instance);

  return path != NULL && g_file_set_contents (path, mark, -1, error);
}

/* With the options of the program, but for those of its language and its files. */
static FhRunRequest *
new_request (FhRunRequest *request, const char *command, GError **error)
{
  g_autoptr (FhRunOptions) none = fh_run_options_new ();
  g_autoptr (FhRunOptions) options =
      fh_run_options_copy (fh_run_request_get_parts (request)->options);
  g_autoptr (GBytes) source = g_bytes_new (command, strlen (command));
  const FhRunOption *row;
  guint n;

  for (row = fh_run_option_list (&n); n > 0; n--, row++)
    {
      if (row->flags & FH_OPTION_PYTHON)
        fh_run_option_copy (row, options, none);
    }
  fh_run_option_copy (fh_run_option_find ("cwd"), options, none);
  fh_run_option_copy (fh_run_option_find ("container.init"), options, none);
  options->guards.no_files = TRUE;
  g_free (options->interpreter);
  options->interpreter = g_strdup (SHELL);
  return fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("sh"),
          .source = source,
          .options = options,
      },
      error);
}

/* Before the start of the program, whose times begin at 0. */
static void
output_cb (FhRun *own, const FhOutputPiece *piece, FhRun *run)
{
  fh_run_add_output (run, FH_STREAM_STDERR, 0, piece->data, piece->size);
}

static void
pass_attempts (FhRun *own, FhRun *run)
{
  FhAttemptLog *log = fh_run_get_attempts (own);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (log));

  for (guint i = 0; i < n; i++)
    fh_run_add_attempt (run, fh_attempt_log_get (log, i));
}

static GError *
failure_of (FhContainerInstance *instance, FhRunResult *result)
{
  if (fh_run_result_get_parts (result)->outcome->status == FH_RUN_STATUS_FAILED)
    return g_error_new (
        FH_ENGINE_ERROR,
        FH_ENGINE_ERROR_FAILED,
        /* Translators: the name of a container, then a number */
        _ ("The set-up command of the container “%s” failed with exit status %d, so the program "
           "was not run. The next run tries the command again."),
        instance->name,
        fh_run_result_get_parts (result)->outcome->exit_code);
  return g_error_new (
      FH_ENGINE_ERROR,
      FH_ENGINE_ERROR_FAILED,
      /* Translators: the name of a container, then a sentence that tells how the command ended */
      _ ("The set-up command of the container “%s” did not succeed, so the program was not run. "
         "The next run tries the command again. The command: %s"),
      instance->name,
      fh_run_result_get_parts (result)->sentence);
}

/* The caller has a reference to the task. */
static void
end (GTask *task, const FhRunOutcome *outcome)
{
  Init *self = g_task_get_task_data (task);
  g_autoptr (FhRun) own = g_object_ref (self->conversation->run);
  GError *error = NULL;

  g_clear_signal_handler (&self->cancelled, g_task_get_cancellable (task));
  fh_run_conversation_end (g_steal_pointer (&self->conversation), outcome);
  pass_attempts (own, self->run);
  if (outcome->status != FH_RUN_STATUS_OK)
    g_task_return_error (task, failure_of (self->instance, fh_run_get_result (own)));
  else if (!note_set_up (self->instance, &error))
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Init *self = g_task_get_task_data (task);
  const FhRunOutcome outcome =
      fh_outcome_of_ours (FH_RUN_STATUS_INTERNAL_ERROR,
                          "container",
                          _ ("The container stopped responding and was ended."));

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (self->conversation != NULL)
    end (task, &outcome);
}

/* The command may still run in the container. */
static void
handle_unresponsive (GTask *task)
{
  Init *self = g_task_get_task_data (task);

  fh_run_conversation_close (self->conversation);
  fh_engine_start (&(FhEngineOrder){ self->instance->engine, self->instance->name },
                   fh_container_stop_in_thread,
                   NULL,
                   stopped_cb,
                   g_object_ref (task));
}

static void
ended_cb (FhRunEnd how, const FhRunOutcome *outcome, const char *why, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (G_TASK (user_data));
  Init *self = g_task_get_task_data (task);
  g_autofree char *missing = NULL;
  FhRunOutcome final;

  if (how == FH_RUN_END_UNRESPONSIVE)
    {
      handle_unresponsive (task);
      return;
    }
  if (how == FH_RUN_END_FINISHED)
    final = *outcome;
  else
    {
      fh_container_program_clear_up (self->order, self->instance);
      final = fh_outcome_of_ours (FH_RUN_STATUS_INTERNAL_ERROR, "container", why);
    }
  if (final.status == FH_RUN_STATUS_NOT_STARTED && final.error == ENOENT && final.message == NULL)
    final.message = missing = fh_container_program_dup_missing (self->order, self->instance);
  end (task, &final);
}

/* Its runner ends when the connection does. */
static void
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (G_TASK (user_data));
  const FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_STOPPED, NULL, NULL);

  end (task, &outcome);
}

static gboolean
launch (GTask *task, FhRun *own, GError **error)
{
  Init *self = g_task_get_task_data (task);
  FhRunner *runner = fh_container_program_start_client (self->instance, error);

  if (runner == NULL)
    return FALSE;
  fh_order_send (self->order, runner);
  self->conversation = fh_run_conversation_new (own, ended_cb, g_object_ref (task));
  fh_run_conversation_take (self->conversation, self->order, runner, NULL);
  fh_run_conversation_set_deadline (self->conversation, START_TIMEOUT_MS);
  self->cancelled = g_signal_connect (g_task_get_cancellable (task),
                                      "cancelled",
                                      G_CALLBACK (cancelled_cb),
                                      task);
  return TRUE;
}

static gboolean
start (GTask *task, GError **error)
{
  Init *self = g_task_get_task_data (task);
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRun) own = NULL;

  if (!fh_runner_check_guest_folder (self->instance->guest_folder, error))
    return FALSE;
  request = new_request (fh_run_get_request (self->run), self->instance->options->init, error);
  if (request == NULL)
    return FALSE;
  self->order = fh_container_program_order (self->instance, request, NULL, FALSE, error);
  if (self->order == NULL)
    return FALSE;
  own = fh_run_new (request, "container");
  g_signal_connect_object (own, "output", G_CALLBACK (output_cb), self->run, 0);
  return launch (task, own, error);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Init *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;
  GError *error = NULL;

  if (!fh_container_prepare_finish (result, &error))
    g_task_return_error (task, error);
  else if (g_task_return_error_if_cancelled (task))
    return;
  else if (instance->options->init == NULL || is_set_up (instance))
    g_task_return_boolean (task, TRUE);
  else if (!start (task, &error))
    g_task_return_error (task, error);
}

void
fh_container_init_async (FhContainerInstance *instance,
                         FhRun *run,
                         FhContainerPullFunc pulling,
                         gpointer pulling_data,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Init *self = g_new0 (Init, 1);

  g_task_set_source_tag (task, fh_container_init_async);
  self->instance = fh_container_instance_ref (instance);
  self->run = g_object_ref (run);
  g_task_set_task_data (task, self, init_free);
  fh_container_prepare_async (instance, pulling, pulling_data, cancellable, prepared_cb, task);
}

gboolean
fh_container_init_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
