/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "document/cell-splitter.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "parts/toasts.h"
#include "window/snippet-page-private.h"

/* Session mode of a tab: what is run, and where its results are shown. */

void
fh_snippet_page_take_cell (FhSnippetPage *self, FhStep *step)
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
  fh_snippet_page_follow_variables (self, step);
}

void
fh_snippet_page_follow_waiting (FhSnippetPage *self)
{
  const gboolean is_session = fh_snippet_page_shows (self, FH_RECORD_SESSION);
  const guint n = is_session ? fh_series_get_n_waiting (self->series) : 0;
  g_autofree char *text = g_strdup_printf (ngettext ("%u cell waits", "%u cells wait", n), n);

  fh_show_text (self->waiting_label, n > 0 ? text : NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.reset-session", is_session);
}

/* Begins the session unless it has begun. FALSE if nothing may run. */
static gboolean
begin_session (FhSnippetPage *self)
{
  g_autoptr (FhRunOptions) options = NULL;

  if (!self->in_session || !fh_snippet_page_may_run (self))
    return FALSE;
  if (fh_snippet_page_shows (self, FH_RECORD_SESSION))
    return TRUE;
  fh_snippet_page_end_series (self);
  fh_output_view_show_pages (FH_OUTPUT_VIEW (self->output), &(FhShownResult){ NULL });
  options = fh_options_dup_run_values (self->options);
  fh_snippet_page_start_series (
      self,
      fh_series_new_session (self->executor, options, FH_AFTER_FAILURE_DROP),
      FH_RECORD_SESSION,
      NULL,
      NULL,
      0);
  fh_snippet_page_follow_waiting (self);
  fh_snippet_page_update_variables (self);
  return TRUE;
}

static void
run_cell (FhSnippetPage *self, const FhCellCode *code)
{
  g_autoptr (FhCell) cell = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;

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
is_python (FhSnippetPage *self)
{
  return fh_options_get_language (self->options) == fh_language_lookup ("python");
}

void
fh_snippet_page_set_session (FhSnippetPage *self, gboolean in_session)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  in_session = in_session && is_python (self);
  fh_notice_bar_set_text (self->session_notice, NULL);
  if (self->in_session == in_session)
    return;
  self->in_session = in_session;
  self->session_offered = TRUE;
  if (fh_snippet_page_shows (self, FH_RECORD_SESSION))
    fh_snippet_page_end_series (self);
  g_object_set (fh_editor_view_get_cells (self->editor), "active", in_session, NULL);
  gtk_widget_set_visible (self->session_menu, in_session);
  if (!self->loading)
    {
      self->touched = TRUE;
      fh_snippet_page_schedule_draft (self);
    }
  fh_snippet_page_update_variables (self);
  fh_snippet_page_notify (self, "session");
  fh_snippet_page_notify (self, "run-state");
}

/* Once, and only where it may help. */
void
fh_snippet_page_offer_session (FhSnippetPage *self)
{
  gtk_widget_set_visible (self->session_box, is_python (self));
  if (!is_python (self))
    fh_snippet_page_set_session (self, FALSE);
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
fh_snippet_page_run_cells (FhSnippetPage *self)
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
run_current (FhSnippetPage *self)
{
  g_autoptr (FhCellCode) code =
      fh_editor_cells_dup_current (fh_editor_view_get_cells (self->editor));

  if (code == NULL)
    fh_toast_show (GTK_WIDGET (self), _ ("There is no code in this cell"));
  if (code != NULL && begin_session (self))
    run_cell (self, code);
}

void
fh_snippet_page_run_cell (FhSnippetPage *self)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (self->in_session)
    run_current (self);
  else
    fh_snippet_page_run (self);
}

static void
run_next_cb (FhSnippetPage *self)
{
  run_current (self);
  fh_editor_cells_go_next (fh_editor_view_get_cells (self->editor));
}

void
fh_snippet_page_start_session_action (GtkWidget *widget, const char *name, GVariant *target)
{
  fh_snippet_page_set_session (FH_SNIPPET_PAGE (widget), TRUE);
}

void
fh_snippet_page_reset_session_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (widget);
  g_autoptr (FhCell) end = fh_cell_new_end ();
  g_autoptr (FhCell) reset = fh_cell_new_reset ();

  if (!fh_snippet_page_shows (self, FH_RECORD_SESSION))
    return;
  fh_series_stop (self->series);
  fh_series_push (self->series, end, FALSE, NULL);
  fh_series_push (self->series, reset, FALSE, NULL);
  fh_variables_view_show (self->variables, NULL);
  fh_toast_show (widget, _ ("The next cell gets a new interpreter"));
}

void
fh_snippet_page_go_to_cell_line_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (widget);
  const gboolean is_answer = fh_snippet_page_shows (self, FH_RECORD_ANSWER);
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

void
fh_snippet_page_init_session_mode (FhSnippetPage *self)
{
  fh_connect (fh_editor_view_get_cells (self->editor), "run-next", run_next_cb, self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.reset-session", FALSE);
}

gboolean
fh_snippet_page_is_in_session (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), FALSE);

  return self->in_session;
}
