/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-job.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "container-end.h"
#include "container-order.h"
#include "engine-call.h"
#include "run-conversation.h"
#include "runner-locator.h"
#include "wire-translation.h"

/* An engine has much to do for a container, and others may keep it busy. */
#define START_PATIENCE_MS 60000

/* How long an engine may take to remove a container that it has ended. */
#define ASK_INTERVAL_MS 150
#define QUESTIONS_MAX   5

/* First the place is made ready; then the conversation goes on with a runner in it; after the last
 * word, or without one, there may be something left to do before the run can be finished: files to
 * be written, the engine to be asked. `conversation` is NULL from the end on. Each callback that is
 * under way has a reference. */
struct _FhContainerJob
{
  FhRunConversation *conversation;
  FhContainerPlace *place;
  GCancellable *cancellable;
  const FhContainerJobListener *listener;
  gpointer user_data;
  GPtrArray *files;     /* (element-type FhContainerFile), nullable: what goes in */
  FhResultFiles *left;  /* what comes out for the work folder alone; NULL: what is in the run */
  FhRunOutcome outcome; /* while files are written */
  gboolean has_outcome;
  char *step;
  char *message;
  FhContainerOrder *order; /* NULL: nothing was launched */
  FhContainerEnd *lost;    /* what is known without the engine, while it is asked */
  guint n_questions;
};

static void
clear (gpointer data)
{
  FhContainerJob *self = data;

  fh_container_place_unref (self->place);
  g_object_unref (self->cancellable);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_object (&self->left);
  g_clear_pointer (&self->order, fh_container_order_free);
  g_clear_pointer (&self->lost, fh_container_end_free);
  g_free (self->step);
  g_free (self->message);
}

static void
release (FhContainerJob *self)
{
  g_rc_box_release_full (self, clear);
}

/* Whether the user's files go in before and come out afterwards. */
static gboolean
copies_work_folder (const FhContainerJob *self)
{
  const FhContainerOptions *options = self->place->options;

  return self->place->by_copy && options->work_dir != NULL && options->bind_dir == NULL;
}

/* The listener lets go of us; whoever then hears of the end finds an idle sandbox. */
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
finish_ourselves (FhContainerJob *self, FhRunStatus status, const char *step, const char *message)
{
  FhContainerJob *alive = g_rc_box_acquire (self);

  fh_run_conversation_end_ourselves (steal_conversation (self), status, step, message);
  release (alive);
}

/* Nothing was started. A wish that cannot be fulfilled is no fault of ours. */
static void
fail (FhContainerJob *self, const GError *error)
{
  finish_ourselves (self, FH_RUN_STATUS_NOT_STARTED, "container", error->message);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;

  fh_container_folders_write_finish (FH_CONTAINER_FOLDERS (source), result, &error);
  if (self->conversation != NULL)
    {
      /* The program has ended as it has ended; what is missing is said beside that. */
      if (error != NULL && self->outcome.message == NULL)
        {
          self->message = g_strdup (error->message);
          self->outcome.message = self->message;
        }
      finish (self, &self->outcome);
    }
  release (self);
}

/* There is something left to do before it can be told. */
static void
keep_outcome (FhContainerJob *self, const FhRunOutcome *outcome)
{
  self->step = g_strdup (outcome->step);
  self->message = g_strdup (outcome->message);
  self->outcome = *outcome;
  self->outcome.step = self->step;
  self->outcome.message = self->message;
  self->has_outcome = TRUE;
  fh_run_conversation_hang_up (self->conversation);
}

/* What a program left in a container that has no folder of the user's goes into his folder now, so
 * that it is there when he hears of the end. */
static void
write_files (FhContainerJob *self, const FhRunOutcome *outcome)
{
  FhRun *run = fh_run_conversation_get_run (self->conversation);

  keep_outcome (self, outcome);
  fh_container_folders_write_async (self->place->folders,
                                    self->left != NULL ? self->left : fh_run_get_files (run),
                                    NULL,
                                    written_cb,
                                    g_rc_box_acquire (self));
}

/* The program that was to be started is none of the image's. */
static char *
missing_program (FhContainerJob *self)
{
  FhRunRequest *request = fh_run_get_request (fh_run_conversation_get_run (self->conversation));
  const char *program = fh_run_request_get_interpreter (request);

  if (program == NULL)
    program = fh_run_request_get_language (request)->interpreter;
  return g_strdup_printf (
      /* Translators: the name of an image, then that of a program such as "python3" */
      _ ("The image “%s” has no program “%s”. Choose another image, or an interpreter that it "
         "has."),
      fh_container_options_image (self->place->options),
      program);
}

static void
finished_cb (const FhRunOutcome *outcome, gpointer user_data)
{
  FhContainerJob *self = user_data;
  FhRunOutcome told = *outcome;
  g_autofree char *message = NULL;

  self->place->is_proven = TRUE;
  if (told.status == FH_RUN_STATUS_NOT_STARTED && told.error == ENOENT)
    message = missing_program (self);
  else if (self->place->is_anew)
    message = g_strdup_printf (
        /* Translators: the name of a container */
        _ ("The container “%s” was not there any more and was made anew."),
        self->place->name);
  if (told.message == NULL)
    told.message = message;
  if (copies_work_folder (self))
    write_files (self, &told);
  else
    finish (self, &told);
}

static void ask (FhContainerJob *self);

static gboolean
ask_again_cb (gpointer user_data)
{
  FhContainerJob *self = user_data;

  if (self->conversation != NULL)
    ask (self);
  release (self);
  return G_SOURCE_REMOVE;
}

static void
ask_later (FhContainerJob *self)
{
  g_autoptr (GSource) source = g_timeout_source_new (ASK_INTERVAL_MS);

  g_source_set_callback (source, ask_again_cb, g_rc_box_acquire (self), NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) container = fh_container_find_finish (result, &error);

  if (self->conversation != NULL && container != NULL && self->n_questions < QUESTIONS_MAX &&
      fh_container_end_may_be_removal (self->lost, container))
    ask_later (self);
  else if (self->conversation != NULL)
    {
      FhRunOutcome outcome = fh_container_end_judge (self->lost, container, error);

      fh_container_order_clear_up (self->order, self->place);
      fh_run_conversation_measure (self->conversation, &outcome);
      finish (self, &outcome);
    }
  release (self);
}

static void
ask (FhContainerJob *self)
{
  self->n_questions++;
  fh_container_find_async (self->place->engine,
                           self->place->name,
                           self->cancellable,
                           asked_cb,
                           g_rc_box_acquire (self));
}

/* The client is gone without a last word of the runner: the engine knows what became of the
 * container. */
static void
gone_cb (const char *why, gpointer user_data)
{
  FhContainerJob *self = user_data;
  FhRunnerProcess *process = fh_run_conversation_get_process (self->conversation);
  FhRun *run = fh_run_conversation_get_run (self->conversation);
  g_autofree char *complaint = fh_runner_process_dup_complaint (process);

  if (fh_run_get_state (run) == FH_RUN_STOPPING)
    {
      finish_ourselves (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
      return;
    }
  self->lost = fh_container_end_new (self->place,
                                     fh_run_get_started_at (run) != 0,
                                     fh_runner_process_get_exit_status (process),
                                     why,
                                     complaint);
  fh_run_conversation_hang_up (self->conversation);
  /* It was another's, and stays his. */
  if (fh_container_end_is_name_taken (self->lost))
    self->place->may_exist = FALSE;
  ask (self);
}

static void
container_stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_container_stop_finish (result, &error))
    g_debug ("A container could not be stopped: %s", error->message);
  if (self->conversation != NULL)
    finish (self, &self->outcome);
  release (self);
}

/* Nobody knows what goes on in a kept one unheard, so it is ended with it. Its files stay, and the
 * next run starts it again. */
static void
stop_container (FhContainerJob *self, const FhRunOutcome *outcome)
{
  keep_outcome (self, outcome);
  fh_container_stop_async (self->place->engine,
                           self->place->name,
                           0,
                           NULL,
                           container_stopped_cb,
                           g_rc_box_acquire (self));
}

/* Time is measured inside. When nothing comes from there long after it was over, it is over all the
 * same. */
static void
silent_cb (gpointer user_data)
{
  FhContainerJob *self = user_data;
  FhRun *run = fh_run_conversation_get_run (self->conversation);
  const guint64 wall_ms = fh_run_conversation_get_limits (self->conversation)->wall_ms;
  FhRunOutcome outcome =
      fh_outcome_of_ours (FH_RUN_STATUS_INTERNAL_ERROR,
                          "container",
                          _ ("The container did not answer any more and was ended."));

  if (fh_run_get_state (run) == FH_RUN_STOPPING)
    outcome.status = FH_RUN_STATUS_STOPPED;
  else if (fh_run_get_started_at (run) != 0 && wall_ms != 0)
    {
      outcome.status = FH_RUN_STATUS_TIMED_OUT;
      outcome.cause = FH_RUN_CAUSE_WALL;
      outcome.limit_ms = wall_ms;
    }
  fh_run_conversation_measure (self->conversation, &outcome);
  if (self->place->options->is_kept)
    stop_container (self, &outcome);
  else
    finish (self, &outcome);
}

static void
stopped_cb (gpointer user_data)
{
  FhContainerJob *self = user_data;

  if (self->has_outcome)
    finish (self, &self->outcome);
  else
    finish_ourselves (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
}

static FhRunFeed *
new_feed (FhContainerJob *self)
{
  FhRunFeed *feed = fh_run_feed_new (fh_run_conversation_get_run (self->conversation),
                                     fh_tier_to_string (FH_TIER_CONTAINER),
                                     NULL);
  char *layers[FH_N_LAYERS];

  if (self->left != NULL)
    fh_run_feed_set_files (feed, self->left);
  fh_container_place_get_layers (self->place, layers);
  fh_run_feed_set_layers (feed, layers);
  fh_run_feed_set_container (feed, self->place->options);
  for (gsize i = 0; i < G_N_ELEMENTS (layers); i++)
    g_free (layers[i]);
  return feed;
}

static gboolean
launch (FhContainerJob *self, GError **error)
{
  FhRunRequest *request = fh_run_get_request (fh_run_conversation_get_run (self->conversation));
  const FhRunLimits *limits = fh_run_conversation_get_limits (self->conversation);
  g_auto (GStrv) environment = fh_engine_environment ();
  g_auto (GStrv) argv = NULL;

  if (!fh_runner_check_guest_folder (self->place->guest_folder, error))
    return FALSE;
  self->order = fh_container_order_new (self->place, request, limits, self->left != NULL, error);
  if (self->order == NULL)
    return FALSE;
  argv = fh_container_place_command (self->place);
  if (!fh_run_conversation_start_client (self->conversation,
                                         new_feed (self),
                                         (const char *const *) argv,
                                         (const char *const *) environment,
                                         error))
    return FALSE;
  self->place->may_exist = TRUE;
  fh_run_conversation_be_patient (self->conversation, START_PATIENCE_MS);
  fh_container_order_give (self->order,
                           self->files,
                           fh_run_conversation_get_process (self->conversation));
  self->listener->launched (self->user_data);
  return TRUE;
}

/* The work folder needs what the user does not want to have kept with the run. */
static gboolean
needs_files (FhContainerJob *self)
{
  FhRunRequest *request = fh_run_get_request (fh_run_conversation_get_run (self->conversation));

  return copies_work_folder (self) &&
         !fh_run_guards_collect_files (fh_run_request_get_guards (request));
}

static void
try_launch (FhContainerJob *self)
{
  g_autoptr (GError) error = NULL;

  if (needs_files (self))
    self->left = fh_result_files_new ();
  if (!launch (self, &error))
    fail (self, error);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerJob *self = user_data;
  g_autoptr (GError) error = NULL;

  self->files = fh_container_folders_read_finish (FH_CONTAINER_FOLDERS (source), result, &error);
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
  const gboolean is_ready = fh_container_prepare_finish (result, &error);

  if (self->conversation == NULL)
    release (self);
  else if (!is_ready)
    {
      fail (self, error);
      release (self);
    }
  else if (self->place->by_copy)
    /* The reference goes along. */
    fh_container_folders_read_async (self->place->folders, self->cancellable, read_cb, self);
  else
    {
      try_launch (self);
      release (self);
    }
}

FhContainerJob *
fh_container_job_new (FhRun *run,
                      FhContainerPlace *place,
                      const FhRunLimits *limits,
                      const FhContainerJobListener *listener,
                      gpointer user_data)
{
  static const FhRunConversationListener conversation_listener = { finished_cb,
                                                                   gone_cb,
                                                                   silent_cb,
                                                                   stopped_cb };
  FhContainerJob *self;

  g_return_val_if_fail (FH_IS_RUN (run), NULL);
  g_return_val_if_fail (place != NULL && limits != NULL && listener != NULL, NULL);

  self = g_rc_box_new0 (FhContainerJob);
  self->conversation = fh_run_conversation_new (run, limits, &conversation_listener, self);
  self->place = fh_container_place_ref (place);
  self->cancellable = g_cancellable_new ();
  self->listener = listener;
  self->user_data = user_data;
  fh_container_prepare_async (place,
                              listener->pulling,
                              user_data,
                              self->cancellable,
                              prepared_cb,
                              g_rc_box_acquire (self));
  return self;
}

void
fh_container_job_stop_now (FhContainerJob *self)
{
  g_return_if_fail (self != NULL && self->conversation != NULL);

  finish_ourselves (self, FH_RUN_STATUS_STOPPED, NULL, NULL);
}

void
fh_container_job_free (FhContainerJob *self)
{
  g_return_if_fail (self != NULL && self->conversation == NULL);

  release (self);
}
