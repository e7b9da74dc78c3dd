/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "cell-splitter.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "parts/message-dialogs.h"
#include "parts/toasts.h"
#include "tab/tab-private.h"

/* Session mode of a tab: what is run, and where its results are shown. */

/* NULL until there is something for it. */
static FhVariablesView *
find_view (FhTab *self)
{
  FhResultPage *page = fh_output_view_get_page (FH_OUTPUT_VIEW (self->output),
                                                FH_TYPE_VARIABLES_VIEW,
                                                self->in_session);

  return page != NULL ? FH_VARIABLES_VIEW (page) : NULL;
}

/* Nothing is there to forget before the page is made. */
static void
forget_variables (FhTab *self)
{
  FhVariablesView *view = find_view (self);

  if (view != NULL)
    fh_variables_view_show (view, NULL);
}

/* The variables of the session are asked for only while they are seen. */
static gboolean
is_seen (FhTab *self)
{
  g_autofree char *page = NULL;

  g_object_get (self->output, "page", &page, NULL);
  return fh_tab_shows (self, FH_RECORD_SESSION) && g_strcmp0 (page, "variables") == 0;
}

/* Before the cells that wait, so that the table is that of the cell which has ended. */
static void
refresh (FhTab *self)
{
  g_autoptr (FhCell) cell = NULL;

  if (!is_seen (self))
    return;
  cell = fh_cell_new_list (fh_variables_view_wants_all (find_view (self)));
  fh_series_push (self->series, cell, TRUE, NULL);
}

static void
show_list (FhTab *self, FhStep *step)
{
  FhRunResult *result = fh_run_get_result (fh_step_get_run (step));
  JsonObject *answer = fh_step_get_answer (step);

  if (answer == NULL || fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_OK)
    fh_toast_show_problem (GTK_WIDGET (self), fh_run_result_get_parts (result)->sentence);
  else
    fh_variables_view_show (find_view (self), answer);
}

static void
follow_variables (FhTab *self, FhStep *step)
{
  const FhCellKind kind = fh_cell_get_kind (fh_step_get_cell (step));
  JsonObject *answer = fh_step_get_answer (step);

  if (kind == FH_CELL_LIST)
    show_list (self, step);
  if (kind != FH_CELL_EXECUTE)
    return;
  self->has_variables = answer != NULL;
  fh_variables_view_set_changes (find_view (self), answer);
  if (answer == NULL)
    forget_variables (self);
  else
    refresh (self);
}

static void
update_variables (FhTab *self)
{
  FhVariablesView *view = find_view (self);

  if (view != NULL)
    fh_variables_view_set_active (view, self->in_session);
  if (!fh_tab_shows (self, FH_RECORD_SESSION))
    forget_variables (self);
}

void
fh_tab_take_cell (FhTab *self, FhStep *step)
{
  const FhStepState state = fh_step_get_state (step);
  g_autofree char *restarted = NULL;

  if (state == FH_STEP_REFUSED)
    fh_toast_show_problem (GTK_WIDGET (self), fh_step_get_note (step));
  if (state != FH_STEP_FINISHED)
    return;
  /* Nobody sees the output of a cell that lists the variables. */
  restarted = fh_step_is_silent (step) ? fh_series_output_dup_restarted (step) : NULL;
  if (restarted != NULL)
    fh_toast_show_problem (GTK_WIDGET (self), restarted);
  follow_variables (self, step);
}

void
fh_tab_follow_waiting (FhTab *self)
{
  const gboolean is_session = fh_tab_shows (self, FH_RECORD_SESSION);
  const guint n = is_session ? fh_series_get_n_waiting (self->series) : 0;
  g_autofree char *text = g_strdup_printf (ngettext ("%u cell waits", "%u cells wait", n), n);

  fh_show_text (self->waiting_label, n > 0 ? text : NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.reset-session", is_session);
}

/* Begins the session unless it has begun. FALSE if nothing may run. */
static gboolean
begin_session (FhTab *self)
{
  g_autoptr (FhRunOptions) options = NULL;

  if (!self->in_session || !fh_tab_may_run (self))
    return FALSE;
  fh_notice_bar_set_text (self->session_notice, NULL);
  if (fh_tab_shows (self, FH_RECORD_SESSION))
    return TRUE;
  fh_tab_end_series (self);
  fh_output_view_show_pages (FH_OUTPUT_VIEW (self->output), &(FhShownResult){ NULL });
  options = fh_options_dup_run_values (self->options);
  fh_tab_start_series (self,
                       fh_series_new_session (self->executor, options, FH_AFTER_FAILURE_DROP),
                       FH_RECORD_SESSION,
                       NULL,
                       NULL,
                       0);
  fh_tab_follow_waiting (self);
  update_variables (self);
  return TRUE;
}

static void
run_cell (FhTab *self, const FhCellCode *code)
{
  g_autoptr (FhCell) cell = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;

  if (fh_tab_get_run_state (self) == FH_RUN_FINISHED)
    fh_output_status_begin_parts (fh_output_view_get_status (FH_OUTPUT_VIEW (self->output)));
  g_object_get (self->options, "problem", &problem, NULL);
  if (problem == NULL)
    cell = fh_cell_new_execute (code->code, &error);
  if (cell != NULL)
    {
      fh_cell_set_line (cell, code->line);
      fh_series_push (self->series, cell, FALSE, &error);
    }
  if (problem != NULL || error != NULL)
    fh_toast_show_problem (GTK_WIDGET (self), problem != NULL ? problem : error->message);
}

static gboolean
is_python (FhTab *self)
{
  return fh_options_get_language (self->options) == fh_language_lookup ("python");
}

void
fh_tab_set_session (FhTab *self, gboolean in_session)
{
  g_return_if_fail (FH_IS_TAB (self));

  in_session = in_session && is_python (self);
  fh_notice_bar_set_text (self->session_notice, NULL);
  if (self->in_session == in_session)
    return;
  self->in_session = in_session;
  self->session_offered = TRUE;
  if (fh_tab_shows (self, FH_RECORD_SESSION))
    fh_tab_end_series (self);
  fh_editor_cells_set_active (fh_editor_view_get_cells (self->editor), in_session);
  gtk_widget_set_visible (self->session_menu, in_session);
  if (!self->loading)
    {
      self->touched = TRUE;
      fh_tab_schedule_draft (self);
    }
  update_variables (self);
  fh_tab_notify (self, "session");
  fh_tab_notify (self, "run-state");
}

static void
end_answer_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTab) self = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "end") == 0)
    fh_tab_set_session (self, FALSE);
}

void
fh_tab_ask_for_session (FhTab *self, gboolean in_session)
{
  const FhMessageChoice choices[] = { { "end", _ ("_End"), TRUE }, { NULL } };
  g_autoptr (GPtrArray) blocks = in_session ? fh_tab_find_blocks (self) : NULL;

  if (blocks != NULL)
    {
      /* Its prose would be run as Python. */
      fh_tab_notify (self, "session");
      fh_toast_show (GTK_WIDGET (self),
                     _ ("An answer is no session: its blocks run as programs of their own. Paste "
                        "the code alone into a new tab to run it in cells."));
      return;
    }
  if (in_session || !self->has_variables)
    {
      fh_tab_set_session (self, in_session);
      return;
    }
  /* The button that was pressed shows the session again. */
  fh_tab_notify (self, "session");
  fh_message_dialogs_ask_async (GTK_WIDGET (self),
                                _ ("End the Session?"),
                                _ ("Its variables are lost."),
                                choices,
                                self->cancellable,
                                end_answer_cb,
                                g_object_ref (self));
}

/* Once, and only where it may help. */
void
fh_tab_offer_session (FhTab *self)
{
  gtk_widget_set_visible (self->session_box, is_python (self));
  if (!is_python (self))
    fh_tab_set_session (self, FALSE);
  if (self->session_offered || self->in_session || !is_python (self))
    return;
  if (!fh_cell_splitter_has_cells (fh_document_get_text (self->document)))
    return;
  self->session_offered = TRUE;
  fh_notice_bar_set_text (self->session_notice,
                          _ ("This text has cells. In a session they run one by one and share "
                             "their variables."));
}

void
fh_tab_run_cells (FhTab *self)
{
  g_autoptr (GPtrArray) all = fh_editor_cells_dup_all (fh_editor_view_get_cells (self->editor));

  if (all->len == 0)
    fh_toast_show (GTK_WIDGET (self), _ ("There is no code to run yet"));
  if (all->len == 0 || !begin_session (self))
    return;
  for (guint i = 0; i < all->len; i++)
    run_cell (self, g_ptr_array_index (all, i));
}

static void
run_current (FhTab *self)
{
  g_autoptr (FhCellCode) code =
      fh_editor_cells_dup_current (fh_editor_view_get_cells (self->editor));

  if (code == NULL)
    fh_toast_show (GTK_WIDGET (self), _ ("There is no code in this cell"));
  if (code != NULL && begin_session (self))
    run_cell (self, code);
}

void
fh_tab_run_cell (FhTab *self)
{
  g_return_if_fail (FH_IS_TAB (self));

  if (self->in_session)
    run_current (self);
  else
    fh_tab_run (self);
}

static void
run_next_cb (FhTab *self)
{
  run_current (self);
  fh_editor_cells_go_next (fh_editor_view_get_cells (self->editor));
}

void
fh_tab_start_session_action (GtkWidget *widget, const char *name, GVariant *target)
{
  fh_tab_set_session (FH_TAB (widget), TRUE);
}

void
fh_tab_reset_session_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhTab *self = FH_TAB (widget);
  g_autoptr (FhCell) end = fh_cell_new_end ();
  g_autoptr (FhCell) reset = fh_cell_new_reset ();

  if (!fh_tab_shows (self, FH_RECORD_SESSION))
    return;
  fh_series_stop (self->series);
  fh_series_push (self->series, end, FALSE, NULL);
  fh_series_push (self->series, reset, FALSE, NULL);
  forget_variables (self);
  self->has_variables = FALSE;
  fh_toast_show (widget, _ ("The next cell gets a new interpreter"));
}

void
fh_tab_go_to_cell_line_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhTab *self = FH_TAB (widget);
  const gboolean is_answer = self->has_answer;
  guint line, column, cell, first;

  g_variant_get (target, "(uuu)", &line, &column, &cell);
  if (is_answer ? fh_editor_blocks_find (fh_editor_view_get_blocks (self->editor), cell, &first)
                : fh_editor_cells_find (fh_editor_view_get_cells (self->editor), cell, &first))
    fh_editor_view_go_to_line (self->editor, first + line, column);
  else
    fh_toast_show (widget,
                   is_answer ? _ ("The code has changed since this run")
                             : _ ("The place of this cell isn’t known any more"));
}

static void
variables_made_cb (FhTab *self, FhResultPage *page)
{
  fh_connect (page, "refresh", refresh, self);
}

void
fh_tab_init_session (FhTab *self)
{
  fh_connect (fh_editor_view_get_cells (self->editor), "run-next", run_next_cb, self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.reset-session", FALSE);
  fh_connect (self->output, "page-made::variables", variables_made_cb, self);
  fh_connect (self->output, "notify::page", refresh, self);
}

void
fh_tab_tell_session_ended (FhTab *self)
{
  if (!self->in_session)
    return;
  g_object_set (self->session_notice,
                "button-label",
                _ ("Run All Cells"),
                "action-name",
                "win.run",
                "text",
                _ ("This session has ended: its variables are gone."),
                NULL);
}

gboolean
fh_tab_has_variables (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  return self->has_variables;
}

gboolean
fh_tab_is_in_session (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  return self->in_session;
}
