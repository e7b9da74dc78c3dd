/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-job.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "container-exit.h"
#include "container-init.h"
#include "container-ours.h"
#include "container-program.h"
#include "container-removals.h"
#include "main-source.h"
#include "run-conversation.h"
#include "runner-locator.h"
#include "wire-translation.h"

/* Engines need time to start a container, and may be busy. */
#define START_TIMEOUT_MS 60000

/* First the container is prepared; then the runner in it is served; in the end the files may have
 * to be copied out, or the engine asked what happened, before the run is finished. `conversation`
 * is NULL from then on. Each pending callback holds a reference. */
struct _FhContainerJob
{
  FhRunConversation *conversation;
  FhContainerInstance *instance;
  FhContainerWaiting *waiting; /* nullable */
  GCancellable *cancellable;
  const FhContainerJobListener *listener;
  gpointer user_data;
  GPtrArray *files;     /* (element-type FhRunFile), nullable: files to copy in */
  FhResultFiles *left;  /* files to copy out, while they are */
  FhRunOutcome outcome; /* while files are written */
  gboolean has_outcome;
  char *step;
  char *message;
  FhOrder *order;        /* NULL before the launch */
  guint32 cell;          /* its number, if it is one */
  FhContainerExit *lost; /* the diagnosis so far, while the container is inspected */
};

static void
clear (gpointer data)
{
  FhContainerJob *self = data;

  fh_container_instance_unref (self->instance);
  fh_container_waiting_free (self->waiting);
  g_object_unref (self->cancellable);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_object (&self->left);
  g_clear_pointer (&self->order, fh_order_unref);
  g_clear_pointer (&self->lost, fh_container_exit_free);
  g_free (self->step);
  g_free (self->message);
}

static void
release (FhContainerJob *self)
{
  g_rc_box_release_full (self, clear);
}

/* The listener releases us; listeners of the run find an idle sandbox. */
static FhRunConversation *
steal_conversation (FhContainerJob *self)
{
  FhRunConversation *conversation = g_steal_pointer (&self->conversation);

  g_cancellable_cancel (self->cancellable);
  self->listener->ending (self->user_data);
  return conversation;
}

static void
finish (FhContainerJob *self, const FhRunOutcome *outcome)
{
  FhContainerJob *alive = g_rc_box_acquire (self);

  fh_run_conversation_end (steal_conversation (self), outcome);
  release (alive);
}

static void
abort_run (FhContainerJob *self, FhRunStatus status, const char *step, const char *message)
{
  FhContainerJob *alive = g_rc_box_acquire (self);

  fh_run_conversation_abort (steal_conversation (self), status, step, message);
  release (alive);
}

/* Nothing was started; the user's request could not be met, which is not an internal error. */
static void
fail (FhContainerJob *self, const GError *error)
{
  const char *step = fh_engine_error_is_of_all (error) ? FH_RUN_STEP_ENGINE : "container";

  abort_run (self, FH_RUN_STATUS_NOT_STARTED, step, error->message);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (self->conversation != NULL)
    {
      /* The outcome of the program stands; the missing files are mentioned in its message. */
      if (error != NULL && self->outcome.message == NULL)
        {
          self->message = g_strdup (error->message);
          self->outcome.message = self->message;
        }
      finish (self, &self->outcome);
    }
  release (self);
}

/* Keeps the outcome while something is left to do. */
static void
save_outcome (FhContainerJob *self, const FhRunOutcome *outcome)
{
  self->step = g_strdup (outcome->step);
  self->message = g_strdup (outcome->message);
  self->outcome = *outcome;
  self->outcome.step = self->step;
  self->outcome.message = self->message;
  self->has_outcome = TRUE;
  fh_run_conversation_close (self->conversation);
}

/* The callback holds the job, whose folders and files stay as they are. */
static gpointer
write_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  const FhContainerJob *self = order->data;

  fh_container_folders_write (self->instance->folders, self->left, error);
  return NULL;
}

/* Copies the files to the work folder before the run is finished. */
static void
write_files (FhContainerJob *self, const FhRunOutcome *outcome)
{
  FhRun *run = self->conversation->run;

  save_outcome (self, outcome);
  self->left =
      g_object_ref (self->order->left != NULL ? self->order->left : fh_run_get_files (run));
  fh_engine_start (&(FhEngineOrder){ .data = self },
                   write_in_thread,
                   NULL,
                   written_cb,
                   g_rc_box_acquire (self));
}

/* The interpreter of a cell that has answered waits for the next. */
static void
keep_interpreter (FhContainerJob *self)
{
  if (fh_run_get_answer (self->conversation->run) == NULL)
    return;
  self->listener->kept (fh_run_conversation_release (self->conversation),
                        self->order->frame,
                        self->cell,
                        self->user_data);
}

static void
handle_finished (FhContainerJob *self, const FhRunOutcome *outcome)
{
  FhRunOutcome final = *outcome;
  g_autofree char *message = NULL;

  self->instance->has_run = TRUE;
  if (final.status == FH_RUN_STATUS_NOT_STARTED && final.error == ENOENT)
    message = fh_container_program_dup_missing (self->order, self->instance);
  else if (self->instance->was_recreated)
    message = g_strdup_printf (
        /* Translators: the name of a container */
        _ ("The container “%s” no longer existed and was created again."),
        self->instance->name);
  if (final.message == NULL)
    final.message = message;
  keep_interpreter (self);
  if (fh_container_instance_copies_files (self->instance))
    write_files (self, &final);
  else
    finish (self, &final);
}

static void
inspected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) container = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->conversation != NULL)
    {
      FhRunOutcome outcome = fh_container_exit_diagnose (self->lost, container, error);

      fh_container_program_clear_up (self->order, self->instance);
      fh_run_conversation_measure (self->conversation, &outcome);
      finish (self, &outcome);
    }
  release (self);
}

/* The client exited without a result of the runner: inspect the engine what happened to the
 * container. */
static void
handle_gone (FhContainerJob *self, const char *why)
{
  FhRunner *runner = self->conversation->runner;
  FhRun *run = self->conversation->run;
  g_autofree char *client_stderr = fh_runner_dup_client_stderr (runner);

  if (fh_run_get_state (run) == FH_RUN_STOPPING)
    {
      abort_run (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
      return;
    }
  self->lost = fh_container_exit_new (self->instance,
                                      fh_run_get_started_at (run) != 0,
                                      fh_runner_get_exit_status (runner),
                                      why,
                                      client_stderr);
  fh_run_conversation_close (self->conversation);
  /* The name belongs to someone else's container; leave it alone. */
  if (fh_container_exit_is_name_taken (self->lost))
    {
      self->instance->state = FH_CONTAINER_NONE;
      fh_container_leftovers_forget (self->instance->name);
    }
  fh_engine_start (&(FhEngineOrder){ self->instance->engine,
                                     self->instance->name,
                                     0,
                                     self->lost,
                                     (GDestroyNotify) fh_container_free },
                   fh_container_exit_inspect,
                   self->cancellable,
                   inspected_cb,
                   g_rc_box_acquire (self));
}

static void
container_stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_debug ("A container could not be stopped: %s", error->message);
  if (self->conversation != NULL)
    finish (self, &self->outcome);
  release (self);
}

/* A kept container is stopped, because the program may still run in it. Its files stay, and the
 * next run starts it again. */
static void
stop_container (FhContainerJob *self, const FhRunOutcome *outcome)
{
  save_outcome (self, outcome);
  fh_engine_start (&(FhEngineOrder){ self->instance->engine, self->instance->name },
                   fh_container_stop_in_thread,
                   NULL,
                   container_stopped_cb,
                   g_rc_box_acquire (self));
}

/* The time limit is enforced inside; the deadline is well beyond it. */
static void
handle_unresponsive (FhContainerJob *self)
{
  FhRun *run = self->conversation->run;
  const guint64 wall_ms = self->conversation->limits.wall_ms;
  FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_INTERNAL_ERROR,
                                             "container",
                                             _ ("The container stopped responding and was ended."));

  if (fh_run_get_state (run) == FH_RUN_STOPPING)
    outcome.status = FH_RUN_STATUS_STOPPED;
  else if (fh_run_get_started_at (run) != 0 && wall_ms != 0)
    {
      outcome.status = FH_RUN_STATUS_TIMED_OUT;
      outcome.cause = FH_RUN_CAUSE_WALL;
      outcome.limit_ms = wall_ms;
    }
  fh_run_conversation_measure (self->conversation, &outcome);
  if (self->instance->options->is_kept)
    stop_container (self, &outcome);
  else
    finish (self, &outcome);
}

static gboolean launch (FhContainerJob *self, GError **error);
static void prepare (FhContainerJob *self);

/* Nothing of the program has run. */
static void
start_cold (FhContainerJob *self)
{
  g_autoptr (GError) error = NULL;

  fh_run_conversation_reset (self->conversation);
  g_clear_pointer (&self->order, fh_order_unref);
  if (fh_container_waiting_has_cells (self->waiting))
    {
      g_clear_pointer (&self->waiting, fh_container_waiting_free);
      fh_container_instance_begin_again (self->instance);
      prepare (self);
    }
  else if (!launch (self, &error))
    fail (self, error);
}

/* What waited has started nothing, or its interpreter had ended meanwhile. */
static gboolean
may_start_cold (FhContainerJob *self, FhRunEnd end)
{
  return self->waiting != NULL && fh_run_get_state (self->conversation->run) == FH_RUN_PREPARING &&
         (end == FH_RUN_END_FINISHED ||
          (end != FH_RUN_END_STOPPED && fh_container_waiting_has_cells (self->waiting))) &&
         fh_container_waiting_give_back (self->waiting);
}

static void
ended_cb (FhRunEnd end, const FhRunOutcome *outcome, const char *why, gpointer user_data)
{
  FhContainerJob *self = user_data;

  if (may_start_cold (self, end))
    start_cold (self);
  else if (end == FH_RUN_END_FINISHED)
    handle_finished (self, outcome);
  else if (end == FH_RUN_END_GONE)
    handle_gone (self, why);
  else if (end == FH_RUN_END_UNRESPONSIVE)
    handle_unresponsive (self);
  else if (self->has_outcome)
    finish (self, &self->outcome);
  else
    abort_run (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
}

static gboolean
launch (FhContainerJob *self, GError **error)
{
  FhRunRequest *request = fh_run_get_request (self->conversation->run);
  const guint32 n_cells = fh_container_waiting_get_claimed (self->waiting);
  g_autoptr (GBytes) guards = NULL;
  FhRunner *runner = NULL;

  if (!fh_runner_check_guest_folder (self->instance->guest_folder, error))
    return FALSE;
  self->order =
      fh_container_program_order (self->instance,
                                  request,
                                  self->files,
                                  fh_container_instance_needs_files (self->instance, request),
                                  error);
  if (self->order == NULL)
    return FALSE;
  self->cell = n_cells + 1;
  if (fh_run_request_get_parts (request)->cell != NULL)
    fh_order_set_cell (self->order, self->cell);
  if (self->waiting != NULL)
    runner = fh_container_waiting_take (self->waiting, self->instance, self->order, &guards);
  if (runner != NULL)
    fh_order_send_program (self->order, runner);
  else if ((runner = fh_container_program_start_client (self->instance, error)) != NULL)
    fh_order_send (self->order, runner);
  if (runner == NULL)
    return FALSE;
  self->instance->state = FH_CONTAINER_CREATED;
  fh_run_conversation_take (self->conversation, self->order, runner, guards);
  fh_run_conversation_set_deadline (self->conversation, START_TIMEOUT_MS);
  if (n_cells == 0)
    self->listener->launched (self->user_data);
  return TRUE;
}

static void
try_launch (FhContainerJob *self)
{
  g_autoptr (GError) error = NULL;

  if (!launch (self, &error))
    fail (self, error);
}

static gpointer
read_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  return fh_container_folders_read (order->data, cancellable, error);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;

  self->files = g_task_propagate_pointer (G_TASK (result), &error);
  if (self->conversation != NULL && self->files != NULL)
    try_launch (self);
  else if (self->conversation != NULL)
    fail (self, error);
  release (self);
}

static void
prepared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean is_ready = fh_container_init_finish (result, &error);

  if (self->conversation == NULL)
    release (self);
  else if (!is_ready)
    {
      fail (self, error);
      release (self);
    }
  else if (self->instance->by_copy)
    /* The reference is passed on. */
    fh_engine_start (&(FhEngineOrder){ .data = self->instance->folders,
                                       .destroy = (GDestroyNotify) g_ptr_array_unref },
                     read_in_thread,
                     self->cancellable,
                     read_cb,
                     self);
  else
    {
      try_launch (self);
      release (self);
    }
}

static void
prepare (FhContainerJob *self)
{
  g_clear_pointer (&self->files, g_ptr_array_unref);
  fh_container_init_async (self->instance,
                           self->conversation->run,
                           self->listener->pulling,
                           self->user_data,
                           self->cancellable,
                           prepared_cb,
                           g_rc_box_acquire (self));
}

static gboolean
claimed_cb (gpointer user_data)
{
  FhContainerJob *self = user_data;

  if (self->conversation != NULL)
    try_launch (self);
  release (self);
  return G_SOURCE_REMOVE;
}

/* Nothing is to be prepared for a further cell. */
static void
launch_later (FhContainerJob *self)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  fh_source_attach (source, claimed_cb, g_rc_box_acquire (self), NULL);
}

FhContainerJob *
fh_container_job_new (FhRun *run,
                      FhContainerInstance *instance,
                      FhContainerWaiting *waiting,
                      const FhContainerJobListener *listener,
                      gpointer user_data)
{
  FhContainerJob *self;

  self = g_rc_box_new0 (FhContainerJob);
  self->conversation = fh_run_conversation_new (run, ended_cb, self);
  self->instance = fh_container_instance_ref (instance);
  self->waiting = waiting;
  self->cancellable = g_cancellable_new ();
  self->listener = listener;
  self->user_data = user_data;
  if (fh_container_waiting_get_claimed (waiting) > 0)
    launch_later (self);
  else
    prepare (self);
  return self;
}

void
fh_container_job_stop_now (FhContainerJob *self)
{
  g_return_if_fail (self != NULL && self->conversation != NULL);

  abort_run (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
}

void
fh_container_job_free (FhContainerJob *self)
{
  g_return_if_fail (self != NULL && self->conversation == NULL);

  release (self);
}
