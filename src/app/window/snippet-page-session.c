/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "document/cell-splitter.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "parts/toasts.h"
#include "window/snippet-page-private.h"

/* Session mode of a tab: what is run, and where its results are shown. */

static void
started_cb (FhSnippetPage *self, FhRun *run)
{
  fh_attempts_view_set_run (self->attempts, run);
  fh_files_view_set_run (self->files, run);
  fh_snippet_page_watch_run (self, run);
}

static void
finished_cb (FhSnippetPage *self, FhRun *run, JsonObject *answer)
{
  fh_snippet_page_follow_variables (self, answer);
  fh_snippet_page_follow_state (self);
}

static void
failed_cb (FhSnippetPage *self, const char *sentence)
{
  fh_toast_show_problem (GTK_WIDGET (self), sentence);
  fh_snippet_page_follow_state (self);
}

static void
waiting_cb (FhSnippetPage *self)
{
  g_autofree char *text = NULL;
  guint n;

  g_object_get (self->mode, "n-waiting", &n, NULL);
  text = g_strdup_printf (ngettext ("%u cell waits", "%u cells wait", n), n);
  fh_show_text (self->waiting_label, n > 0 ? text : NULL);
  fh_snippet_page_notify (self, "run-state");
}

/* Begins the session unless it has begun. FALSE if nothing may run. */
static gboolean
begin_session (FhSnippetPage *self)
{
  gboolean no_history;
  gboolean keeps_history;

  if (!self->in_session || !fh_snippet_page_may_run (self))
    return FALSE;
  if (self->mode != NULL)
    return TRUE;
  fh_snippet_page_end_run (self);
  g_object_get (self->options, "no-history", &no_history, NULL);
  g_object_get (fh_services_get_recorder (self->services), "keep-history", &keeps_history, NULL);
  self->mode = fh_session_mode_new (
      self->executor,
      self->options,
      fh_editor_view_get_cells (self->editor),
      FH_OUTPUT_VIEW (self->output),
      no_history || !keeps_history ? NULL : fh_services_get_history (self->services));
  fh_connect (self->mode, "started", started_cb, self);
  fh_connect (self->mode, "finished", finished_cb, self);
  fh_connect (self->mode, "failed", failed_cb, self);
  fh_connect (self->mode, "notify::n-waiting", waiting_cb, self);
  fh_samples_view_show (self->samples, NULL, 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.reset-session", TRUE);
  fh_snippet_page_begin_variables (self);
  return TRUE;
}

void
fh_snippet_page_end_session (FhSnippetPage *self)
{
  if (self->mode == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->mode, self);
  fh_snippet_page_end_run (self);
  fh_session_mode_close (self->mode);
  g_clear_object (&self->mode);
  if (self->closed || self->waiting_label == NULL)
    return;
  fh_show_text (self->waiting_label, NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.reset-session", FALSE);
  fh_snippet_page_notify (self, "run-state");
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
  if (!in_session)
    fh_snippet_page_end_session (self);
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
    fh_session_mode_run (self->mode, g_ptr_array_index (all, i));
}

static void
run_current (FhSnippetPage *self)
{
  g_autoptr (FhCellCode) code =
      fh_editor_cells_dup_current (fh_editor_view_get_cells (self->editor));

  if (code == NULL)
    fh_toast_show (GTK_WIDGET (self), _ ("There is no code in this cell"));
  if (code != NULL && begin_session (self))
    fh_session_mode_run (self->mode, code);
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

  if (self->mode == NULL)
    return;
  fh_session_mode_reset (self->mode);
  fh_variables_view_show (self->variables, NULL);
  fh_toast_show (widget, _ ("The next cell gets a new interpreter"));
}

void
fh_snippet_page_go_to_cell_line_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (widget);
  guint line, column, cell, first;

  g_variant_get (target, "(uuu)", &line, &column, &cell);
  if (self->answer != NULL
          ? fh_editor_blocks_find (fh_editor_view_get_blocks (self->editor), cell, &first)
          : fh_editor_cells_find (fh_editor_view_get_cells (self->editor), cell, &first))
    fh_editor_view_go_to_line (self->editor, first + line, column);
  else
    fh_toast_show (widget,
                   self->answer != NULL ? _ ("The code has changed since this run")
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
