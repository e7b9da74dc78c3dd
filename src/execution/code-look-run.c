/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "code-look.h"
#include "executor.h"

#define MEMORY_BYTES ((guint64) 512 << 20)
#define OUTPUT_BYTES ((guint64) 2 << 20)
#define PROCESSES    32

/* The task is kept by its run: ended_cb drops it. */
typedef struct
{
  GPtrArray *blocks;
  FhRunOptions *in_container; /* for a second try; nullable */
  FhExecutor *executor;
  FhRun *run;
  gulong cancel_handler;
  guint turn; /* an idle source */
} Look;

static void
look_free (Look *look)
{
  g_ptr_array_unref (look->blocks);
  g_clear_pointer (&look->in_container, fh_run_options_free);
  g_free (look);
}

/* The interpreter of the one program, so that its version judges the syntax. (transfer full) */
static FhRunOptions *
new_options (const FhRunOptions *options, GPtrArray *blocks)
{
  FhRunOptions *own = fh_run_options_new ();
  const FhAnswerBlock *only = blocks->len == 1 ? blocks->pdata[0] : NULL;

  own->limits.memory_bytes = MEMORY_BYTES;
  own->limits.output_bytes = OUTPUT_BYTES;
  own->limits.processes = PROCESSES;
  own->limits.wall_ms = 0; /* that of looks */
  if (options == NULL)
    return own;
  own->guards.tier = options->guards.tier;
  if (only != NULL && only->language == fh_language_lookup ("python") && !options->in_container)
    own->interpreter = g_strdup (options->interpreter);
  return own;
}

/* An image that is there, and nothing else of the user's container. (transfer full) */
static FhRunOptions *
new_container_options (const FhRunOptions *options, GPtrArray *blocks)
{
  FhRunOptions *own = new_options (NULL, blocks);

  own->in_container = TRUE;
  fh_run_option_copy (fh_run_option_find ("container.engine"), own, options);
  fh_run_option_copy (fh_run_option_find ("container.image"), own, options);
  own->container.no_pull = TRUE;
  return own;
}

static void begin (GTask *task, const FhRunOptions *options);

static void
end_run (GTask *task, Look *look)
{
  g_cancellable_disconnect (g_task_get_cancellable (task), look->cancel_handler);
  g_clear_object (&look->run);
  fh_executor_close (look->executor);
  g_clear_object (&look->executor);
  look->turn = 0;
}

/* In a later turn, because the sandbox that told of it is not to be replaced now. */
static gboolean
ended_cb (gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Look *look = g_task_get_task_data (task);
  g_autoptr (FhRunResult) result = g_object_ref (fh_run_get_result (look->run));
  g_autoptr (FhRunOptions) again = g_steal_pointer (&look->in_container);
  GError *error = NULL;
  GPtrArray *looks;

  end_run (task, look);
  if (g_task_return_error_if_cancelled (task))
    return G_SOURCE_REMOVE;
  looks = fh_code_look_read (result, look->blocks, &error);
  if (looks != NULL)
    {
      g_task_return_pointer (task, looks, (GDestroyNotify) g_ptr_array_unref);
      return G_SOURCE_REMOVE;
    }
  if (again == NULL)
    {
      g_task_return_error (task, error);
      return G_SOURCE_REMOVE;
    }
  g_error_free (error);
  begin (g_steal_pointer (&task), again);
  return G_SOURCE_REMOVE;
}

static void
state_cb (FhRun *run, GParamSpec *pspec, GTask *task)
{
  Look *look = g_task_get_task_data (task);

  if (look->turn == 0 && fh_run_get_state (run) == FH_RUN_FINISHED)
    look->turn = g_idle_add (ended_cb, task);
}

/* The second stop is by force. */
static void
cancelled_cb (GCancellable *cancellable, FhRun *run)
{
  fh_run_stop (run);
  fh_run_stop (run);
}

/* Takes the task. */
static void
begin (GTask *task, const FhRunOptions *options)
{
  Look *look = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (FhRunRequest) request = fh_code_look_new_request (look->blocks, options, &error);

  if (request == NULL)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  look->executor = fh_executor_new (NULL);
  look->run = fh_executor_run (look->executor, request);
  g_signal_connect (look->run, "notify::state", G_CALLBACK (state_cb), task);
  state_cb (look->run, NULL, task);
  if (g_task_get_cancellable (task) != NULL)
    look->cancel_handler = g_cancellable_connect (g_task_get_cancellable (task),
                                                  G_CALLBACK (cancelled_cb),
                                                  g_object_ref (look->run),
                                                  g_object_unref);
}

void
fh_code_look_async (GPtrArray *blocks,
                    const FhRunOptions *options,
                    GCancellable *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Look *look = g_new0 (Look, 1);
  g_autoptr (FhRunOptions) own = NULL;

  g_task_set_source_tag (task, fh_code_look_async);
  g_task_set_task_data (task, look, (GDestroyNotify) look_free);
  look->blocks = g_ptr_array_ref (blocks);
  if (blocks->len == 0)
    {
      g_task_return_pointer (task, g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref);
      g_object_unref (task);
      return;
    }
  if (options != NULL && options->in_container)
    look->in_container = new_container_options (options, blocks);
  own = new_options (options, blocks);
  begin (task, own);
}

GPtrArray *
fh_code_look_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_code_look_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
