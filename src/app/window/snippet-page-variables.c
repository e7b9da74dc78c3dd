/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "output/output-view.h"
#include "parts/calls.h"
#include "parts/toasts.h"
#include "window/snippet-page-private.h"

/* The variables of the tab's session: asked for only while they are seen. */

static gboolean
is_seen (FhSnippetPage *self)
{
  g_autofree char *page = NULL;

  g_object_get (self->output, "page", &page, NULL);
  return fh_snippet_page_shows (self, FH_RECORD_SESSION) && g_strcmp0 (page, "variables") == 0;
}

/* Before the cells that wait, so that the table is that of the cell which has ended. */
static void
refresh (FhSnippetPage *self)
{
  g_autoptr (FhCell) cell = NULL;
  gboolean with_all;

  if (!is_seen (self))
    return;
  g_object_get (self->variables, "with-all", &with_all, NULL);
  cell = fh_cell_new_list (with_all);
  fh_series_push (self->series, cell, TRUE, NULL);
}

static void
show_list (FhSnippetPage *self, FhStep *step)
{
  FhRunResult *result = fh_run_get_result (fh_step_get_run (step));
  JsonObject *answer = fh_step_get_answer (step);

  if (answer == NULL || fh_run_result_get_status (result) != FH_RUN_STATUS_OK)
    fh_toast_show_problem (GTK_WIDGET (self), fh_run_result_get_sentence (result));
  else
    fh_variables_view_show (self->variables, answer);
}

void
fh_snippet_page_follow_variables (FhSnippetPage *self, FhStep *step)
{
  const FhCellKind kind = fh_cell_get_kind (fh_step_get_cell (step));
  JsonObject *answer = fh_step_get_answer (step);

  if (kind == FH_CELL_LIST)
    show_list (self, step);
  if (kind != FH_CELL_EXECUTE)
    return;
  fh_variables_view_set_changes (self->variables, answer);
  if (answer == NULL)
    fh_variables_view_show (self->variables, NULL);
  else
    refresh (self);
}

void
fh_snippet_page_update_variables (FhSnippetPage *self)
{
  fh_variables_view_set_active (self->variables, self->in_session);
  if (!fh_snippet_page_shows (self, FH_RECORD_SESSION))
    fh_variables_view_show (self->variables, NULL);
}

void
fh_snippet_page_init_variables (FhSnippetPage *self)
{
  fh_connect (self->variables, "refresh", refresh, self);
  fh_connect (self->output, "notify::page", refresh, self);
}
