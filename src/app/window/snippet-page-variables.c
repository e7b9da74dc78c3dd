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
  return self->mode != NULL && g_strcmp0 (page, "variables") == 0;
}

static void
refresh (FhSnippetPage *self)
{
  g_autoptr (FhCell) cell = NULL;
  gboolean with_all;

  if (self->output == NULL || !is_seen (self))
    return;
  g_object_get (self->variables, "with-all", &with_all, NULL);
  cell = fh_cell_new_list (with_all);
  fh_session_mode_push (self->mode, cell);
}

void
fh_snippet_page_follow_variables (FhSnippetPage *self, JsonObject *answer)
{
  if (self->variables == NULL)
    return;
  fh_variables_view_set_changes (self->variables, answer);
  if (answer == NULL)
    fh_variables_view_show (self->variables, NULL);
  else
    refresh (self);
}

/* Takes the answer to the list of variables that refresh() has asked for. */
static void
cell_finished_cb (FhSnippetPage *self, FhCell *cell, FhRun *run)
{
  g_autoptr (JsonObject) answer = run != NULL ? fh_cells_dup_answer (run) : NULL;

  if (self->variables == NULL || fh_cell_get_kind (cell) != FH_CELL_LIST)
    return;
  if (answer == NULL || fh_run_result_get_status (fh_run_get_result (run)) != FH_RUN_STATUS_OK)
    fh_toast_show_problem (GTK_WIDGET (self), fh_run_result_get_sentence (fh_run_get_result (run)));
  else
    fh_variables_view_show (self->variables, answer);
}

void
fh_snippet_page_update_variables (FhSnippetPage *self)
{
  if (self->variables_page == NULL || self->output == NULL)
    return;
  if (!self->in_session && self->mode == NULL)
    {
      g_autofree char *page = NULL;

      g_object_get (self->output, "page", &page, NULL);
      if (g_strcmp0 (page, "variables") == 0)
        g_object_set (self->output, "page", "output", NULL);
    }
  adw_view_stack_page_set_visible (self->variables_page, self->in_session);
  if (self->mode == NULL)
    fh_variables_view_show (self->variables, NULL);
}

void
fh_snippet_page_begin_variables (FhSnippetPage *self)
{
  fh_connect (fh_session_mode_get_cells (self->mode), "finished", cell_finished_cb, self);
  fh_snippet_page_update_variables (self);
}

void
fh_snippet_page_init_variables (FhSnippetPage *self)
{
  self->variables = g_object_ref_sink (fh_variables_view_new ());
  g_set_object (&self->variables_page,
                fh_output_view_add_page (FH_OUTPUT_VIEW (self->output),
                                         GTK_WIDGET (self->variables),
                                         "variables",
                                         _ ("Variables"),
                                         "view-list-bullet-symbolic",
                                         fh_variables_view_get_tools (self->variables)));
  fh_connect (self->variables, "refresh", refresh, self);
  fh_connect (self->output, "notify::page", refresh, self);
  fh_snippet_page_update_variables (self);
}
