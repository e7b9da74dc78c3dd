/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>
#include <string.h>

#include "output/output-view.h"
#include "parts/calls.h"
#include "parts/message-dialogs.h"
#include "parts/toasts.h"
#include "tab/tab-private.h"

/* The executor of a tab: what protects the next run, the run, and the container that is kept. */

static void
show_executor (FhTab *self)
{
  FhOutputView *output = FH_OUTPUT_VIEW (self->output);
  FhSandbox *sandbox = fh_executor_get_sandbox (self->executor);
  const FhEngineFacts *engine = sandbox != NULL ? fh_sandbox_get_engine (sandbox) : NULL;
  FhContainerPanel *panel = fh_controls_bar_get_container_panel (self->controls);
  const gboolean can_change = fh_executor_can_change_container (self->executor);
  g_autofree char *progress = fh_executor_dup_progress (self->executor);

  fh_output_status_set_preparation (fh_output_view_get_status (output), progress);
  if (engine != NULL)
    fh_output_status_set_engine (fh_output_view_get_status (output), engine->kind);
  if (panel != NULL)
    fh_container_panel_show_container (panel,
                                       fh_executor_get_container (self->executor),
                                       fh_executor_get_container_state (self->executor));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.restart-container", can_change);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.stop-container", can_change);
}

/* How often the deadline bar moves. */
#define DEADLINE_MS 100

/* That is shown; nullable. In a session there are others between them, such as for variables. */
static FhRun *
get_run (FhTab *self)
{
  FhStep *step = self->series != NULL ? fh_series_get_step (self->series) : NULL;

  return step != NULL ? fh_step_get_run (step) : NULL;
}

gboolean
fh_tab_shows (FhTab *self, FhRecordForm form)
{
  return self->series != NULL && self->form == form;
}

static gboolean
deadline_cb (gpointer user_data)
{
  FhTab *self = FH_TAB (user_data);
  FhRun *run = get_run (self);
  const FhRunLimits *limits = &fh_run_request_get_parts (fh_run_get_request (run))->limits;
  FhLiveInput *input = fh_run_get_input (run);
  const double more = DEADLINE_MS / (double) limits->wall_ms;

  /* The time that the program waits for a person does not count. */
  if (fh_run_get_started_at (run) > 0 && (input == NULL || !fh_live_input_is_waiting (input)))
    gtk_progress_bar_set_fraction (
        self->deadline,
        MIN (gtk_progress_bar_get_fraction (self->deadline) + more, 1.0));
  return G_SOURCE_CONTINUE;
}

/* Shown only if there is a time limit. */
static void
update_deadline (FhTab *self)
{
  FhRun *run = get_run (self);
  gboolean runs = fh_tab_get_run_state (self) != FH_RUN_FINISHED;
  gboolean limited = runs && run != NULL &&
                     fh_run_request_get_parts (fh_run_get_request (run))->limits.wall_ms > 0;

  gtk_widget_set_visible (GTK_WIDGET (self->deadline), limited);
  if (limited && self->deadline_timer == 0)
    {
      gtk_progress_bar_set_fraction (self->deadline, 0);
      self->deadline_timer = g_timeout_add (DEADLINE_MS, deadline_cb, self);
    }
  else if (!limited)
    {
      g_clear_handle_id (&self->deadline_timer, g_source_remove);
    }
}

static void
set_result (FhTab *self, FhRunResult *result)
{
  if (g_set_object (&self->result, result))
    fh_tab_notify (self, "result");
}

static void
follow_result (FhTab *self)
{
  FhRun *run = get_run (self);

  if (run == NULL)
    return;
  set_result (self,
              self->form == FH_RECORD_ANSWER ? fh_series_record_get_result (self->record)
                                             : fh_run_get_result (run));
  if (self->form != FH_RECORD_ANSWER || self->result == NULL)
    fh_tab_show_run (self, run);
  fh_tab_mark_run (self, fh_run_get_request (run), self->result);
  fh_tab_compare_run (self, run);
}

void
fh_tab_follow_state (FhTab *self)
{
  show_executor (self);
  if (fh_tab_get_run_state (self) == FH_RUN_FINISHED)
    {
      fh_executor_refresh (self->executor);
      fh_executor_expect_run (self->executor);
    }
  else
    {
      fh_notice_bar_set_text (self->waiting_notice, NULL);
    }
  update_deadline (self);
  fh_tab_notify (self, "run-state");
}

/* As the editor shows it: bytes that are not text are replaced. The source of a new run is that of
 * the document, and is not copied. */
static void
set_run_source (FhTab *self, FhRunRequest *request)
{
  GBytes *source = fh_document_get_source (self->document);
  char *text;

  g_clear_pointer (&self->run_source, g_bytes_unref);
  if (fh_run_request_get_parts (request)->source == source)
    {
      self->run_source = g_bytes_ref (source);
      return;
    }
  text = fh_run_request_dup_source_text (request);
  self->run_source = g_bytes_new_take (text, strlen (text));
}

void
fh_tab_set_sample_files (FhTab *self, GPtrArray *files)
{
  g_clear_pointer (&self->sample_files, g_ptr_array_unref);
  self->sample_files = files != NULL ? g_ptr_array_ref (files) : NULL;
}

static FhRunRequest *
build_request (FhTab *self, FhTier tier, GError **error)
{
  return fh_options_build_request (self->options,
                                   fh_document_get_source (self->document),
                                   fh_document_get_run_title (self->document),
                                   self->sample_files,
                                   tier,
                                   error);
}

/* The end of a run is told by its series, which knows whether anything follows. */
static void
run_state_cb (FhTab *self, GParamSpec *pspec, FhRun *run)
{
  if (fh_run_get_state (run) != FH_RUN_FINISHED && run == get_run (self))
    fh_tab_follow_state (self);
}

static void
waiting_cb (FhTab *self)
{
  fh_tab_notify (self, "run-state");
}

static void
begin_step (FhTab *self, FhRun *run)
{
  fh_connect (run, "notify::state", run_state_cb, self);
  if (fh_run_get_input (run) != NULL)
    fh_connect (fh_run_get_input (run), "notify::waiting", waiting_cb, self);
  if (self->form == FH_RECORD_RUNS)
    {
      set_run_source (self, fh_run_get_request (run));
      fh_output_view_set_run (FH_OUTPUT_VIEW (self->output), run);
    }
  if (self->form != FH_RECORD_SESSION)
    fh_input_bar_set_run (self->input_bar, run);
  follow_result (self);
  fh_tab_follow_state (self);
}

/* A draft that is due already keeps its time: recording must not delay the text that a person types
 * meanwhile. */
static void
recorded_cb (FhTab *self)
{
  if (self->draft_timer == 0)
    fh_tab_schedule_draft (self);
}

static void
step_cb (FhTab *self, FhStep *step)
{
  const FhStepState state = fh_step_get_state (step);

  if (state == FH_STEP_RUNNING && !fh_step_is_silent (step))
    begin_step (self, fh_step_get_run (step));
  else if (state == FH_STEP_FINISHED && !fh_step_is_silent (step))
    {
      follow_result (self);
      recorded_cb (self);
    }
  if (self->form == FH_RECORD_SESSION)
    fh_tab_take_cell (self, step);
}

static void
state_cb (FhTab *self)
{
  if (self->form == FH_RECORD_ANSWER && fh_series_get_state (self->series) == FH_SERIES_DONE)
    {
      follow_result (self);
      fh_tab_finish_answer (self);
    }
  fh_tab_follow_state (self);
}

void
fh_tab_start_series (FhTab *self,
                     FhSeries *series,
                     FhRecordForm form,
                     const char *text,
                     GPtrArray *blocks,
                     guint first)
{
  FhSeriesRecord *record = fh_recorder_follow (fh_services_get_recorder (self->services),
                                               series,
                                               form,
                                               fh_document_get_run_title (self->document),
                                               text,
                                               self->id);

  /* It says why something was not run. */
  fh_toast_clear_problem (GTK_WIDGET (self));
  self->series = series;
  self->form = form;
  self->record = g_object_ref (record);
  if (form != FH_RECORD_RUNS)
    {
      self->series_output =
          fh_series_output_new (series,
                                FH_OUTPUT_VIEW (self->output),
                                blocks,
                                first,
                                blocks != NULL ? fh_series_record_get_attempts (record) : NULL);
      self->marks =
          fh_series_marks_new (series,
                               blocks != NULL ? fh_editor_view_get_blocks (self->editor) : NULL,
                               blocks == NULL ? fh_editor_view_get_cells (self->editor) : NULL);
    }
  self->past_run = 0;
  fh_connect (record, "saved", recorded_cb, self);
  fh_connect (record, "saved-so-far", recorded_cb, self);
  fh_connect (series, "step-changed", step_cb, self);
  fh_connect (series, "asking", fh_tab_ask, self);
  fh_connect (series, "notify::n-waiting", fh_tab_follow_waiting, self);
  fh_connect (series, "notify::state", state_cb, self);
  /* The program may take the app with it. The title follows the text a moment later, as ever. What
   * has run is kept, also of an exhibit. */
  self->touched = TRUE;
  fh_tab_save_draft (self);
  recorded_cb (self);
  fh_series_start (series);
}

/* What it prints at its end is still shown. */
void
fh_tab_end_series (FhTab *self)
{
  fh_tab_drop_waiting_run (self, NULL);
  g_clear_handle_id (&self->deadline_timer, g_source_remove);
  if (self->series == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->series, self);
  if (get_run (self) != NULL)
    g_signal_handlers_disconnect_by_data (get_run (self), self);
  fh_tab_drop_question (self);
  fh_series_close (self->series);
  g_clear_pointer (&self->series_output, fh_series_output_free);
  g_clear_pointer (&self->marks, fh_series_marks_free);
  g_clear_object (&self->record);
  g_clear_object (&self->series);
  self->form = FH_RECORD_RUNS;
  self->has_variables = FALSE;
  fh_executor_end_run (self->executor);
  if (!self->closed)
    fh_tab_follow_waiting (self);
}

void
fh_tab_end (FhTab *self)
{
  g_autoptr (FhSeries) series = NULL;

  g_return_if_fail (FH_IS_TAB (self));

  if (self->closed || self->executor == NULL)
    return;
  self->closed = TRUE;
  g_set_object (&series, self->series);
  fh_tab_end_series (self);
  g_signal_handlers_disconnect_by_data (self->executor, self);
  fh_executor_set_next (self->executor, NULL, NULL);
  /* The interpreter of a session has a moment to end by itself. */
  if (series != NULL && fh_series_get_state (series) != FH_SERIES_DONE)
    g_signal_connect_object (series,
                             "done",
                             G_CALLBACK (fh_executor_close),
                             self->executor,
                             G_CONNECT_SWAPPED);
  else
    fh_executor_close (self->executor);
}

FhRunState
fh_tab_get_run_state (FhTab *self)
{
  FhSeriesState state;
  FhRun *run;

  g_return_val_if_fail (FH_IS_TAB (self), FH_RUN_FINISHED);

  state = self->series != NULL ? fh_series_get_state (self->series) : FH_SERIES_DONE;
  if (state == FH_SERIES_DONE || state == FH_SERIES_READY)
    return self->bare_follows ? FH_RUN_PREPARING : FH_RUN_FINISHED;
  run = get_run (self);
  /* Between two blocks or cells nothing runs, but it goes on. */
  return run != NULL && fh_run_get_state (run) != FH_RUN_FINISHED ? fh_run_get_state (run)
                                                                  : FH_RUN_PREPARING;
}

gboolean
fh_tab_waits_for_input (FhTab *self)
{
  FhLiveInput *input;

  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  input = get_run (self) != NULL ? fh_run_get_input (get_run (self)) : NULL;
  return input != NULL && fh_live_input_is_waiting (input) &&
         fh_tab_get_run_state (self) == FH_RUN_RUNNING;
}

void
fh_tab_run_request (FhTab *self, FhRunRequest *request)
{
  fh_tab_end_series (self);
  fh_tab_begin_comparison (self);
  self->moved_since_run = FALSE;
  fh_tab_start_series (self,
                       fh_series_new_program (self->executor, request, FALSE),
                       FH_RECORD_RUNS,
                       NULL,
                       NULL,
                       0);
  fh_options_end_run (self->options);
}

static void
start (FhTab *self, FhTier tier)
{
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;

  if (fh_document_is_empty (self->document))
    {
      fh_toast_show (GTK_WIDGET (self), _ ("There is no code to run yet"));
      return;
    }
  if (fh_tab_tell_foreign (self))
    return;
  request = build_request (self, tier, &error);
  if (request == NULL)
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
  else
    fh_tab_run_request (self, request);
}

void
fh_tab_run (FhTab *self)
{
  g_autoptr (FhRunResult) again = g_steal_pointer (&self->again);

  g_return_if_fail (FH_IS_TAB (self));

  self->run_when_ready = FALSE;
  fh_notice_bar_set_text (self->session_notice, NULL);
  if (fh_tab_get_run_state (self) != FH_RUN_FINISHED || !fh_tab_may_run (self))
    return;
  fh_tab_follow_first_line (self);
  /* What asks before the program is stopped names it by its title, which follows the text late. */
  fh_tab_update_title (self);
  if (self->in_session)
    fh_tab_run_cells (self);
  else if (!fh_tab_run_answer (self, again))
    start (self, FH_TIER_AUTO);
}

static void
unprotected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTab) self = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "run") == 0 && !self->closed && fh_tab_may_run_unprotected (self))
    start (self, FH_TIER_UNPROTECTED);
}

void
fh_tab_run_unprotected (FhTab *self)
{
  const FhMessageChoice choices[] = {
    { "run", _ ("_Run Without Protection"), TRUE },
    { NULL },
  };

  g_return_if_fail (FH_IS_TAB (self));

  if (!fh_tab_may_run_unprotected (self))
    return;
  fh_message_dialogs_ask_async (
      GTK_WIDGET (self),
      _ ("Run Without Protection?"),
      _ ("The program will be able to read, change and delete all of your files, to see your "
         "passwords and keys, and to use the network in your name. Do this only with code that "
         "you have read and understood.\n\nIt is for this one run and is not remembered."),
      choices,
      self->cancellable,
      unprotected_cb,
      g_object_ref (self));
}

void
fh_tab_restore_guards_action (GtkWidget *widget, const char *name, GVariant *target)
{
  fh_options_end_run (FH_TAB (widget)->options);
}

void
fh_tab_stop (FhTab *self)
{
  g_return_if_fail (FH_IS_TAB (self));

  fh_tab_drop_bare (self);
  if (self->series != NULL)
    fh_series_stop (self->series);
  fh_tab_follow_state (self);
}

void
fh_tab_show_result (FhTab *self, FhRunRequest *request, FhRunResult *result)
{
  g_autofree char *text = NULL;

  g_return_if_fail (FH_IS_TAB (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  fh_tab_set_session (self, FALSE);
  fh_tab_end_series (self);
  text = fh_run_request_dup_source_text (request);
  fh_tab_set_text (self,
                   text,
                   fh_run_request_get_parts (request)->title,
                   fh_run_request_get_parts (request)->language);
  self->loading = TRUE;
  fh_options_set_from_request (self->options, request);
  self->loading = FALSE;
  fh_tab_set_sample_files (self, fh_run_request_get_parts (request)->files);
  fh_tab_restore_choices (self, fh_run_result_get_parts (result)->blocks);
  fh_tab_show_past (self, request, result);
}

void
fh_tab_set_past_run (FhTab *self, gint64 id)
{
  g_return_if_fail (FH_IS_TAB (self));

  self->past_run = id;
  fh_tab_schedule_draft (self);
}

void
fh_tab_show_past (FhTab *self, FhRunRequest *request, FhRunResult *result)
{
  set_run_source (self, request);
  fh_tab_show_compared (self, request, result);
  if (fh_run_result_get_parts (result)->blocks != NULL)
    fh_series_output_show_past (FH_OUTPUT_VIEW (self->output), request, result);
  else
    fh_output_view_show_result (FH_OUTPUT_VIEW (self->output),
                                request,
                                result,
                                self->compared_answer);
  fh_tab_show_ended (self, request, result, fh_run_result_get_parts (result)->files);
  set_result (self, result);
  fh_tab_mark_run (self, request, result);
  if (g_bytes_equal (fh_run_request_get_parts (request)->source,
                     fh_document_get_source (self->document)))
    {
      fh_tab_look_for_answer (self);
      fh_series_marks_show_past (fh_editor_view_get_blocks (self->editor), result);
    }
  fh_tab_follow_state (self);
}

static void
options_cb (FhTab *self)
{
  g_autoptr (FhRunOptions) values = fh_options_dup_run_values (self->options);
  g_autofree char *problem = NULL;

  g_object_get (self->options, "container-problem", &problem, NULL);
  fh_executor_set_options (self->executor, problem == NULL ? values : NULL);
  if (fh_tab_shows (self, FH_RECORD_SESSION) && problem == NULL)
    fh_series_set_options (self->series, values);
}

/* Its text does not matter, and may be large. */
static FhRunRequest *
next_request_cb (gpointer user_data)
{
  FhTab *self = FH_TAB (user_data);
  g_autoptr (GBytes) nothing = NULL;

  if (self->closed || self->in_session || fh_tab_get_run_state (self) != FH_RUN_FINISHED ||
      !fh_tab_may_run (self))
    return NULL;
  nothing = g_bytes_new_static ("", 0);
  return fh_options_build_request (self->options, nothing, NULL, NULL, FH_TIER_AUTO, NULL);
}

/* A tab behind other windows prepares no interpreter: packages may be installed meanwhile, which
 * one that has started already would not find. */
static gboolean
is_in_use (FhTab *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return gtk_widget_get_mapped (GTK_WIDGET (self)) && GTK_IS_WINDOW (root) &&
         gtk_window_is_active (GTK_WINDOW (root));
}

static void
prepare_cb (FhTab *self)
{
  gboolean prepares;

  g_object_get (fh_services_get_settings (self->services), "prepare-runs", &prepares, NULL);
  prepares = prepares && is_in_use (self);
  fh_executor_set_next (self->executor, prepares ? next_request_cb : NULL, self);
  fh_executor_expect_run (self->executor);
}

/* A tab may move to another window, and back. */
static void
root_cb (FhTab *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (GTK_IS_WINDOW (root))
    fh_connect (root, "notify::is-active", prepare_cb, self);
}

static void
protection_cb (FhTab *self)
{
  fh_tab_notify (self, "protection");
}

/* An image that was pulled, or an engine that was started, changes what is known. */
static void
image_cb (FhTab *self, FhImageCheck *check)
{
  FhProtection *protection = fh_tab_get_protection (self);
  FhProtectionState known;

  if (fh_image_check_get_state (check) != FH_IMAGE_CHECK_PRESENT || protection == NULL)
    return;
  known = fh_protection_get_state (protection);
  if (known == FH_PROTECTION_UNKNOWN || known == FH_PROTECTION_REFUSED)
    fh_executor_check (self->executor);
}

static void
panel_made_cb (FhTab *self, FhContainerPanel *panel)
{
  fh_connect (panel, "map", fh_executor_refresh, self->executor);
  fh_connect (fh_container_panel_get_check (panel), "changed", image_cb, self);
  show_executor (self);
}

static void
replaced_cb (FhTab *self)
{
  fh_toast_show (GTK_WIDGET (self), _ ("The options have changed: this is another container"));
}

static void
failed_cb (FhTab *self, const char *message)
{
  fh_toast_show_problem (GTK_WIDGET (self), message);
}

void
fh_tab_container_action (GtkWidget *widget, const char *name, GVariant *target)
{
  if (g_str_equal (name, "page.restart-container"))
    fh_executor_restart_container (FH_TAB (widget)->executor);
  else
    fh_executor_stop_container (FH_TAB (widget)->executor);
}

/* A run that is asked for before it is known what the guards are worth is started when they can be
 * set up, if nothing has changed by then; else never. */
void
fh_tab_drop_waiting_run (FhTab *self, const char *why)
{
  if (!self->run_when_ready)
    return;
  self->run_when_ready = FALSE;
  g_clear_object (&self->again);
  /* A run without a guard was to follow, to be compared with this one. */
  fh_tab_drop_bare (self);
  fh_notice_bar_set_text (self->waiting_notice, why);
}

/* Each time that the guards were probed, or are about to be. A run that waits for that is either
 * started now or never: later the user would not expect it any more. */
static void
probed_cb (FhTab *self)
{
  FhProtection *here = fh_probes_get_here (fh_services_get_probes (self->services));

  if (!self->run_when_ready || fh_protection_get_state (here) == FH_PROTECTION_CHECKING)
    return;
  if (fh_tab_may_run (self))
    fh_tab_run (self);
  else
    fh_tab_drop_waiting_run (self,
                             _ ("Nothing was run, because the guards could not be set "
                                "up. Press Run when they can."));
}

/* The user has asked to run another text, or with other options, than those that are there now. */
void
fh_tab_drop_changed_run (FhTab *self)
{
  fh_tab_drop_advice (self);
  fh_tab_drop_waiting_run (self,
                           _ ("Nothing was run, because the code or its options have "
                              "changed since. Press Run to run them as they are now."));
}

void
fh_tab_run_when_ready (FhTab *self)
{
  g_return_if_fail (FH_IS_TAB (self));

  self->run_when_ready = TRUE;
  if (fh_tab_may_run (self))
    fh_tab_run (self);
  else
    probed_cb (self);
}

void
fh_tab_run_again (FhTab *self)
{
  g_return_if_fail (FH_IS_TAB (self));

  g_set_object (&self->again, self->result);
  fh_tab_run_when_ready (self);
}

void
fh_tab_init_executor (FhTab *self)
{
  FhExecutor *executor = fh_executor_new (fh_services_get_probes (self->services));

  self->executor = executor;
  g_signal_connect_swapped (executor, "changed", G_CALLBACK (show_executor), self);
  g_signal_connect_swapped (executor, "protected", G_CALLBACK (protection_cb), self);
  g_signal_connect_swapped (executor, "replaced", G_CALLBACK (replaced_cb), self);
  g_signal_connect_swapped (executor, "failed", G_CALLBACK (failed_cb), self);
  fh_connect (self->controls, "panel-made", panel_made_cb, self);
  fh_connect (self->options, "notify::serial", options_cb, self);
  /* Whether something may run depends on the place: known at once. */
  fh_connect (self->options, "notify::in-container", protection_cb, self);
  fh_connect (fh_probes_get_here (fh_services_get_probes (self->services)),
              "changed",
              prepare_cb,
              self);
  fh_connect (fh_probes_get_here (fh_services_get_probes (self->services)),
              "changed",
              probed_cb,
              self);
  fh_connect (self, "notify::root", root_cb, self);
  fh_connect (self, "map", prepare_cb, self);
  fh_connect (self, "unmap", prepare_cb, self);
  fh_connect (fh_services_get_settings (self->services), "notify::prepare-runs", prepare_cb, self);
  show_executor (self);
}

void
fh_tab_check_guards (FhTab *self)
{
  g_return_if_fail (FH_IS_TAB (self));

  options_cb (self);
  fh_executor_check (self->executor);
}

FhProtection *
fh_tab_get_protection (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), NULL);

  return self->executor != NULL ? fh_executor_get_protection (self->executor) : NULL;
}

gboolean
fh_tab_is_in_container (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  return fh_options_is_in_container (self->options);
}

/* A container that cannot be made runs nothing, and its error says why better than an old probe. */
gboolean
fh_tab_may_run (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  return fh_tab_is_in_container (self) ||
         fh_protection_may_run (fh_probes_get_here (fh_services_get_probes (self->services)));
}
