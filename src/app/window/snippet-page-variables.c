/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "cells/set-variable-dialog.h"
#include "cells/variable-details.h"
#include "json-guard.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "parts/file-dialogs.h"
#include "parts/text-file.h"
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

static void
look_cb (FhSnippetPage *self, const char *name, GVariant *path, guint offset)
{
  g_autoptr (FhCell) cell = NULL;
  g_autoptr (GError) error = NULL;
  const guint32 *places;
  gsize n;

  if (self->mode == NULL)
    return;
  places = g_variant_get_fixed_array (path, &n, sizeof (guint32));
  cell = fh_cell_new_look (name, places, (guint) n, offset, FH_VARIABLE_DETAILS_ROWS, &error);
  if (cell != NULL)
    fh_session_mode_push (self->mode, cell);
  else
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
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

/* Not of the cells that people run. */
static void
cell_finished_cb (FhSnippetPage *self, FhCell *cell, FhRun *run)
{
  g_autoptr (JsonObject) answer = run != NULL ? fh_cells_dup_answer (run) : NULL;
  const FhCellKind kind = fh_cell_get_kind (cell);

  if (self->variables == NULL || kind == FH_CELL_EXECUTE || kind == FH_CELL_RESET)
    return;
  if (answer == NULL || fh_run_result_get_status (fh_run_get_result (run)) != FH_RUN_STATUS_OK)
    fh_toast_show_problem (GTK_WIDGET (self), fh_run_result_get_sentence (fh_run_get_result (run)));
  else if (kind == FH_CELL_LIST)
    fh_variables_view_show (self->variables, answer);
  else if (kind == FH_CELL_LOOK)
    fh_variables_view_show_details (self->variables, answer);
  else
    refresh (self);
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
  fh_connect (self->variables, "look", look_cb, self);
  fh_connect (self->output, "notify::page", refresh, self);
  fh_snippet_page_update_variables (self);
}

/* JSON, or else what Python writes. */
static FhCell *
new_set (const char *name, const char *text, GError **error)
{
  g_autofree char *wrapped = g_strdup_printf ("{\"value\": %s}", text);
  g_autoptr (JsonObject) object =
      fh_json_guard_parse (wrapped, strlen (wrapped), FH_RUN_MAX_ANSWER, NULL);

  if (object != NULL && json_object_get_size (object) == 1)
    return fh_cell_new_set (name, json_object_get_member (object, "value"), FALSE, error);
  return fh_cell_new_set_literal (name, text, error);
}

static void
push_set (FhSnippetPage *self, FhCell *cell, const char *problem)
{
  if (cell == NULL)
    fh_toast_show_problem (GTK_WIDGET (self), problem);
  else if (fh_snippet_page_begin_session (self))
    fh_session_mode_push (self->mode, cell);
}

static void
set_cb (FhSnippetPage *self, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhCell) cell = new_set (name, text, &error);

  push_set (self, cell, cell == NULL ? error->message : NULL);
}

/* Every new interpreter of the session gets it again. */
static void
set_text_cb (FhSnippetPage *self, const char *name, const char *text)
{
  g_autoptr (JsonNode) value = json_node_init_string (json_node_alloc (), text);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhCell) cell = fh_cell_new_set (name, value, TRUE, &error);

  push_set (self, cell, cell == NULL ? error->message : NULL);
}

void
fh_snippet_page_set_variable_action (GtkWidget *widget, const char *name, GVariant *target)
{
  GtkWidget *dialog = fh_set_variable_dialog_new (widget);

  fh_connect (dialog, "set", set_cb, widget);
  fh_connect (dialog, "set-text", set_text_cb, widget);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSnippetPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *message = NULL;
  gboolean repaired;

  text = fh_text_file_load_finish (result, &repaired, &error);
  if (self->closed)
    return;
  if (text == NULL)
    {
      fh_toast_show_problem (GTK_WIDGET (self), error->message);
      return;
    }
  set_text_cb (self, FH_CELL_CONTEXT, text);
  message = g_strdup_printf (ngettext ("The variable “context” has %ld character",
                                       "The variable “context” has %ld characters",
                                       (gulong) g_utf8_strlen (text, -1)),
                             g_utf8_strlen (text, -1));
  fh_toast_show (GTK_WIDGET (self), message);
}

static void
file_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GListModel) files = fh_file_dialogs_finish_open (result, NULL);
  g_autoptr (GFile) file = NULL;

  if (files == NULL)
    return;
  file = g_list_model_get_item (files, 0);
  if (file != NULL)
    fh_text_file_load_async (file,
                             FH_SNIPPET_PAGE (source)->cancellable,
                             loaded_cb,
                             g_object_ref (source));
}

void
fh_snippet_page_load_context_action (GtkWidget *widget, const char *name, GVariant *target)
{
  fh_file_dialogs_show_async (widget,
                              GTK_FILE_CHOOSER_ACTION_OPEN,
                              _ ("Load Context"),
                              NULL,
                              FH_SNIPPET_PAGE (widget)->cancellable,
                              file_chosen_cb,
                              NULL);
}
