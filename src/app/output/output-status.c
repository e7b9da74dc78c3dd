/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-status.h"

#include <glib/gi18n.h>

#include "output/output-figures.h"

#include "parts/calls.h"
#include "parts/run-labels.h"
#include "parts/toasts.h"
#include "run-markdown.h"
#include "run-summary.h"

#define UPDATE_MS 100

struct _FhOutputStatus
{
  AdwBin parent_instance;
  FhRun *run; /* nullable */
  gulong state_handler;
  guint timer;
  FhAttemptLog *log;     /* of the run or the result; nullable */
  char *preparation;     /* status text while preparing; nullable */
  FhRunRequest *request; /* with its result: of the run that has ended; nullable */
  FhRunResult *result;
  guint error_line;   /* 0: unknown */
  guint error_part;   /* the number of the cell or block that it counts in; 0: the whole text */
  gboolean is_part;   /* the run is one of several in the tab */
  gboolean is_block;  /* likewise, and of an answer */
  gboolean is_live;   /* the figures that are shown still change */
  FhRunOutcome total; /* only the figures: of the parts that have ended, see begin_parts */

  GtkStack *icons;
  GtkSpinner *spinner;
  GtkImage *icon;
  GtkLabel *sentence;
  GtkWidget *copy;
  GtkWidget *error_box;
  GtkLabel *error;
  GtkButton *line;
  GtkLabel *blocked;
  GtkLabel *advice;
  GtkWidget *run_here;
  GtkLabel *unprotected;
  GtkLabel *opened;
  GtkLabel *place;
  GtkToggleButton *more;
  GtkLabel *time;
  GtkLabel *figures;
  GtkButton *files;
  GtkWidget *attempts;
  AdwButtonContent *attempts_content;
  GtkWidget *attempts_short;
  AdwButtonContent *attempts_number;
};

G_DEFINE_FINAL_TYPE (FhOutputStatus, fh_output_status, ADW_TYPE_BIN)

static void
set_sentence (FhOutputStatus *self, const char *sentence, const char *advice)
{
  fh_show_text (self->sentence, sentence);
  fh_set_accessible_label (self->sentence, sentence);
  fh_show_text (self->advice, advice);
}

static void
update_attempts (FhOutputStatus *self)
{
  guint n = self->log != NULL ? fh_attempt_log_get_n_stopped (self->log) : 0;
  gboolean has_more = self->log != NULL && fh_attempt_log_get_n_dropped (self->log) > 0;
  g_autofree char *text = fh_run_label_stopped (n, has_more);
  g_autofree char *number = g_strdup_printf (has_more ? "%u+" : "%u", n);

  adw_button_content_set_label (self->attempts_content, text);
  adw_button_content_set_label (self->attempts_number, number);
  fh_set_accessible_label (self->attempts_short, text);
  gtk_widget_set_visible (self->attempts, n > 0);
}

static void
set_attempt_log (FhOutputStatus *self, FhAttemptLog *log)
{
  if (self->log != NULL)
    g_signal_handlers_disconnect_by_func (self->log, update_attempts, self);
  g_set_object (&self->log, log);
  if (log != NULL)
    {
      fh_connect (log, "notify::n-stopped", update_attempts, self);
      fh_connect (log, "notify::n-dropped", update_attempts, self);
    }
  update_attempts (self);
}

static void
line_clicked_cb (FhOutputStatus *self)
{
  fh_go_to_line (GTK_WIDGET (self), self->error_line, 0, self->error_part);
}

/* A button that is activated by key is clicked a moment later, when a new run may have begun. */
static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputStatus *self = FH_OUTPUT_STATUS (widget);
  const gboolean is_review = g_str_equal (name, "result.copy-review");
  g_autofree char *text = NULL;

  if (self->result == NULL)
    return;
  text = is_review ? fh_run_markdown_new_review (self->request, self->result)
                   : fh_run_markdown_new_reply (self->request, self->result);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  fh_toast_show (widget, is_review ? _ ("The review was copied") : _ ("The reply was copied"));
}

/* Takes both texts. The figures are folded up behind the time, until people want to see them. While
 * they change, their button keeps one name: a screen reader would tell each new one. */
static void
show_figures (FhOutputStatus *self, char *time, char *figures, gboolean is_live)
{
  gtk_label_set_text (self->time, time);
  gtk_label_set_text (self->figures, figures);
  if (!is_live)
    fh_set_accessible_label (self->more, figures);
  else if (!self->is_live)
    fh_set_accessible_label (self->more, _ ("Figures of the run so far"));
  self->is_live = is_live;
  gtk_widget_set_visible (GTK_WIDGET (self->more), *figures != '\0');
  g_free (time);
  g_free (figures);
}

static void
show_final_figures (FhOutputStatus *self, FhRunResult *result, gboolean is_answer)
{
  show_figures (self,
                fh_output_figures_time_final (result),
                fh_output_figures_final (result, is_answer),
                FALSE);
}

/* A tab that is opened later shows the figures if they were unfolded last. */
static gboolean is_unfolded;

static void
unfolded_cb (GtkToggleButton *more)
{
  is_unfolded = gtk_toggle_button_get_active (more);
}

/* Takes the text. A line of 0 has no button. */
static void
show_line (FhOutputStatus *self, guint line, guint part, char *text)
{
  self->error_line = line;
  self->error_part = part;
  gtk_button_set_label (self->line, text);
  gtk_widget_set_visible (GTK_WIDGET (self->line), line > 0);
  g_free (text);
}

static void
show_error (FhOutputStatus *self, const FhRunSummary *summary)
{
  g_autofree char *said =
      summary->error != NULL ? g_strdup_printf (_ ("“%s”"), summary->error) : NULL;
  const guint line = self->is_part ? 0 : summary->line;
  char *text = summary->block > 0 ? g_strdup_printf (_ ("Block %u, line %u"), summary->block, line)
                                  /* Translators: a line of the source */
                                  : g_strdup_printf (_ ("Line %u"), line);

  fh_show_text (self->error, said);
  gtk_widget_set_visible (self->error_box, said != NULL);
  show_line (self, line, summary->block, text);
}

static void
show_files (FhOutputStatus *self, guint n_files)
{
  g_autofree char *text = g_strdup_printf (ngettext ("%u file", "%u files", n_files), n_files);

  gtk_button_set_label (self->files, text);
  gtk_widget_set_visible (GTK_WIDGET (self->files), n_files > 0);
}

/* NULL while nothing has ended. */
static void
show_summary (FhOutputStatus *self, FhRunRequest *request, FhRunResult *result)
{
  g_autoptr (FhRunSummary) summary = result != NULL ? fh_run_summary_new (request, result) : NULL;
  g_autofree char *blocked = summary != NULL ? fh_run_summary_dup_blocked (summary, FALSE) : NULL;
  g_autofree char *whole = summary != NULL ? fh_run_summary_dup_blocked (summary, TRUE) : NULL;

  g_set_object (&self->request, request);
  g_set_object (&self->result, result);
  gtk_widget_set_visible (self->copy, result != NULL);
  show_error (self, summary != NULL ? summary : &(FhRunSummary){ 0 });
  fh_show_text (self->blocked, blocked);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->blocked),
                               g_strcmp0 (blocked, whole) != 0 ? whole : NULL);
  show_files (self, summary != NULL ? summary->n_files : 0);
  fh_show_text (self->opened, summary != NULL ? summary->opened : NULL);
}

static void
show_result (FhOutputStatus *self, FhRunRequest *request, FhRunResult *result, gboolean is_answer)
{
  g_autofree char *advice = fh_run_result_dup_advice (result);

  gtk_spinner_stop (self->spinner);
  fh_run_label_set_status (self->icon, fh_run_result_get_parts (result)->outcome->status);
  gtk_stack_set_visible_child (self->icons, GTK_WIDGET (self->icon));
  set_sentence (self, fh_run_result_get_parts (result)->sentence, advice);
  show_final_figures (self, result, is_answer);
  show_summary (self, request, result);
  gtk_widget_set_visible (
      self->run_here,
      g_strcmp0 (fh_run_result_get_parts (result)->outcome->step, FH_RUN_STEP_ENGINE) == 0);
  gtk_widget_set_visible (GTK_WIDGET (self->unprotected),
                          g_str_equal (fh_run_result_get_parts (result)->tier,
                                       fh_tier_to_string (FH_TIER_UNPROTECTED)));
}

static gboolean
is_waiting (FhOutputStatus *self)
{
  FhLiveInput *input = fh_run_get_input (self->run);

  return input != NULL && fh_live_input_is_waiting (input);
}

static const char *
state_sentence (FhOutputStatus *self)
{
  switch (fh_run_get_state (self->run))
    {
    case FH_RUN_PREPARING:
      if (self->preparation != NULL)
        return self->preparation;
      return fh_run_request_get_parts (fh_run_get_request (self->run))->container != NULL
                 ? _ ("Preparing the container…")
                 : _ ("Preparing the sandbox…");
    case FH_RUN_STOPPING:
      return _ ("Stopping…");
    case FH_RUN_RUNNING:
    case FH_RUN_FINISHED:
    default:
      return is_waiting (self) ? _ ("Waiting for input…") : _ ("Running…");
    }
}

/* The time in µs that counts against the limit: not that for which the program waited for a person.
 */
static guint64
counted_time (FhOutputStatus *self)
{
  const gint64 started_at = fh_run_get_started_at (self->run);
  FhLiveInput *input = fh_run_get_input (self->run);
  guint64 time = started_at > 0 ? (guint64) (g_get_monotonic_time () - started_at) : 0;

  return input != NULL ? time - MIN (time, fh_live_input_get_waited (input)) : time;
}

static void
update_figures (FhOutputStatus *self)
{
  const guint64 elapsed = counted_time (self);
  const FhRunLimits *limits = &fh_run_request_get_parts (fh_run_get_request (self->run))->limits;
  FhRunUsage usage = fh_run_get_usage (self->run);

  show_figures (self,
                fh_output_figures_time_live (elapsed, limits),
                fh_output_figures_live (elapsed, &usage, limits),
                TRUE);
}

static gboolean
timer_cb (gpointer data)
{
  update_figures (data);
  return G_SOURCE_CONTINUE;
}

/* Adds the figures of a part, and shows those of all. */
static void
show_total (FhOutputStatus *self, FhRunResult *result)
{
  FhRunResultParts parts = *fh_run_result_get_parts (result);
  FhRunOutcome outcome = *parts.outcome;
  g_autoptr (FhRunResult) all = NULL;

  outcome.wall_us = self->total.wall_us += outcome.wall_us;
  outcome.waited_us = self->total.waited_us += outcome.waited_us;
  outcome.cpu_user_us = self->total.cpu_user_us += outcome.cpu_user_us;
  outcome.cpu_system_us = self->total.cpu_system_us += outcome.cpu_system_us;
  outcome.memory_peak = self->total.memory_peak =
      MAX (self->total.memory_peak, outcome.memory_peak);
  parts.outcome = &outcome;
  all = fh_run_result_new (&parts);
  show_final_figures (self, all, TRUE);
}

static void
state_cb (FhOutputStatus *self)
{
  FhRunResult *result = fh_run_get_result (self->run);

  if (result != NULL)
    g_clear_handle_id (&self->timer, g_source_remove);
  /* More follows; or the end of the answer is told at once. */
  if (result != NULL && self->is_block)
    return;
  if (result != NULL)
    {
      show_result (self, fh_run_get_request (self->run), result, FALSE);
      if (self->is_part)
        show_total (self, result);
      fh_announce (GTK_WIDGET (self->sentence), fh_run_result_get_parts (result)->sentence);
      return;
    }
  gtk_stack_set_visible_child (self->icons, GTK_WIDGET (self->spinner));
  gtk_spinner_set_spinning (self->spinner, !is_waiting (self));
  set_sentence (self, state_sentence (self), NULL);
  show_summary (self, NULL, NULL);
  gtk_widget_set_visible (self->run_here, FALSE);
  update_figures (self);
  if (self->timer == 0)
    self->timer = g_timeout_add (UPDATE_MS, timer_cb, self);
}

static void
drop_run (FhOutputStatus *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->run != NULL)
    {
      g_clear_signal_handler (&self->state_handler, self->run);
      if (fh_run_get_input (self->run) != NULL)
        g_signal_handlers_disconnect_by_data (fh_run_get_input (self->run), self);
    }
  g_clear_object (&self->run);
}

static void
show_place (FhOutputStatus *self, FhRunRequest *request, FhEngineKind engine)
{
  g_autofree char *place =
      fh_run_label_place (fh_run_request_get_parts (request)->container, engine);

  fh_show_text (self->place, place);
}

static void
fh_output_status_dispose (GObject *object)
{
  FhOutputStatus *self = FH_OUTPUT_STATUS (object);

  drop_run (self);
  set_attempt_log (self, NULL);
  g_clear_pointer (&self->preparation, g_free);
  g_clear_object (&self->request);
  g_clear_object (&self->result);
  G_OBJECT_CLASS (fh_output_status_parent_class)->dispose (object);
}

static void
fh_output_status_class_init (FhOutputStatusClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_output_status_dispose;
  fh_set_template (widget_class, "output/output-status.ui");
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, icons);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, spinner);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, icon);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, sentence);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, advice);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, blocked);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, line);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, error);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, error_box);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, copy);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, unprotected);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, opened);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, run_here);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, place);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, more);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, time);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, figures);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, files);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, attempts);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, attempts_content);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, attempts_short);
  gtk_widget_class_bind_template_child (widget_class, FhOutputStatus, attempts_number);
  gtk_widget_class_bind_template_callback (widget_class, line_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, unfolded_cb);
  gtk_widget_class_install_action (widget_class, "result.copy-reply", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "result.copy-review", NULL, copy_action);
  gtk_widget_class_set_css_name (widget_class, "output-status");
}

static void
fh_output_status_init (FhOutputStatus *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_toggle_button_set_active (self->more, is_unfolded);
}

void
fh_output_status_set_run (FhOutputStatus *self, FhRun *run, gboolean is_part)
{
  g_return_if_fail (FH_IS_OUTPUT_STATUS (self));
  g_return_if_fail (run == NULL || FH_IS_RUN (run));

  drop_run (self);
  g_clear_pointer (&self->preparation, g_free);
  gtk_widget_set_visible (GTK_WIDGET (self), run != NULL);
  set_attempt_log (self, run != NULL ? fh_run_get_attempts (run) : NULL);
  if (run == NULL)
    return;
  self->run = g_object_ref (run);
  self->is_part = is_part;
  self->is_block = FALSE;
  show_place (self, fh_run_get_request (run), FH_ENGINE_AUTO);
  gtk_widget_set_visible (GTK_WIDGET (self->unprotected),
                          fh_run_request_get_parts (fh_run_get_request (run))->guards->tier ==
                              FH_TIER_UNPROTECTED);
  self->state_handler = fh_connect (run, "notify::state", state_cb, self);
  if (fh_run_get_input (run) != NULL)
    fh_connect (fh_run_get_input (run), "notify::waiting", state_cb, self);
  state_cb (self);
}

void
fh_output_status_begin_parts (FhOutputStatus *self)
{
  g_return_if_fail (FH_IS_OUTPUT_STATUS (self));

  self->total = (FhRunOutcome){ 0 };
}

void
fh_output_status_set_answer (FhOutputStatus *self, FhAttemptLog *attempts)
{
  g_return_if_fail (FH_IS_OUTPUT_STATUS (self) && FH_IS_ATTEMPT_LOG (attempts));

  self->is_block = TRUE;
  set_attempt_log (self, attempts);
}

void
fh_output_status_show_result (FhOutputStatus *self,
                              FhRunRequest *request,
                              FhRunResult *result,
                              gboolean is_answer)
{
  g_return_if_fail (FH_IS_OUTPUT_STATUS (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  drop_run (self);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  set_attempt_log (self, fh_run_result_get_parts (result)->attempts);
  show_place (self, request, FH_ENGINE_AUTO);
  self->is_part = FALSE;
  show_result (self, request, result, is_answer);
}

void
fh_output_status_show_answer (FhOutputStatus *self, FhRunRequest *request, FhRunResult *result)
{
  fh_output_status_show_result (self, request, result, TRUE);
  fh_announce (GTK_WIDGET (self->sentence), gtk_label_get_text (self->sentence));
}

void
fh_output_status_set_cell_line (FhOutputStatus *self, guint line, guint cell)
{
  g_return_if_fail (FH_IS_OUTPUT_STATUS (self));
  g_return_if_fail (line > 0 && cell > 0);

  /* The sentence has named the error, which is why the box may have no other words. */
  gtk_widget_set_visible (self->error_box, TRUE);
  show_line (self, line, cell, g_strdup_printf (_ ("Cell %u, line %u"), cell, line));
}

void
fh_output_status_set_preparation (FhOutputStatus *self, const char *text)
{
  g_return_if_fail (FH_IS_OUTPUT_STATUS (self));

  fh_set_str (&self->preparation, text);
  if (self->run != NULL && fh_run_get_state (self->run) == FH_RUN_PREPARING)
    state_cb (self);
}

void
fh_output_status_set_engine (FhOutputStatus *self, FhEngineKind engine)
{
  g_return_if_fail (FH_IS_OUTPUT_STATUS (self));

  if (self->run != NULL)
    show_place (self, fh_run_get_request (self->run), engine);
}

void
fh_output_status_set_parts (FhOutputStatus *self, const FhHistoryScore *score)
{
  g_return_if_fail (FH_IS_OUTPUT_STATUS (self));
  g_return_if_fail (self->result != NULL);

  show_final_figures (self, self->result, TRUE);
  if (score != NULL)
    {
      g_autofree char *sentence = fh_run_label_score (score);
      g_autofree char *shown = g_strconcat (sentence, ".", NULL);

      fh_run_label_set_score (self->icon, score);
      set_sentence (self, shown, NULL);
    }
}
