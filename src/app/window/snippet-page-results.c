/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "output/output-view.h"
#include "parts/calls.h"
#include "window/snippet-page-private.h"

static gboolean
is_in_sight (FhSnippetPage *self, const char *name)
{
  g_autofree char *page = NULL;

  g_object_get (self->output, "page", &page, NULL);
  return g_strcmp0 (page, name) == 0;
}

/* Attempts that were stopped ask for attention until the user has looked at them. */
static void
update_attempts_page (FhSnippetPage *self)
{
  guint n_stopped;

  if (self->output == NULL)
    return;
  g_object_get (self->attempts, "n-stopped", &n_stopped, NULL);
  if (n_stopped < self->n_seen || is_in_sight (self, "attempts"))
    self->n_seen = is_in_sight (self, "attempts") ? n_stopped : 0;
  adw_view_stack_page_set_badge_number (self->attempts_page, n_stopped);
  adw_view_stack_page_set_needs_attention (self->attempts_page, n_stopped > self->n_seen);
}

static void
add_attempts (FhSnippetPage *self)
{
  self->attempts = g_object_ref_sink (fh_attempts_view_new ());
  g_set_object (&self->attempts_page,
                fh_output_view_add_page (FH_OUTPUT_VIEW (self->output),
                                         GTK_WIDGET (self->attempts),
                                         "attempts",
                                         _ ("Attempts"),
                                         "view-reveal-symbolic",
                                         fh_attempts_view_get_tools (self->attempts)));
  fh_connect (self->attempts, "notify::n-stopped", update_attempts_page, self);
  fh_connect (self->output, "notify::page", update_attempts_page, self);
}

/* Hidden while there are no files. */
static void
update_files_page (FhSnippetPage *self)
{
  guint n_files;

  if (self->output == NULL)
    return;
  g_object_get (self->files, "n-files", &n_files, NULL);
  if (n_files == 0 && is_in_sight (self, "files"))
    g_object_set (self->output, "page", "output", NULL);
  adw_view_stack_page_set_visible (self->files_page, n_files > 0);
  adw_view_stack_page_set_badge_number (self->files_page, n_files);
}

static void
add_files (FhSnippetPage *self)
{
  self->files = g_object_ref_sink (fh_files_view_new ());
  g_set_object (&self->files_page,
                fh_output_view_add_page (FH_OUTPUT_VIEW (self->output),
                                         GTK_WIDGET (self->files),
                                         "files",
                                         _ ("Files"),
                                         "folder-symbolic",
                                         fh_files_view_get_tools (self->files)));
  fh_connect (self->files, "notify::n-files", update_files_page, self);
  update_files_page (self);
}

void
fh_snippet_page_init_results (FhSnippetPage *self)
{
  add_attempts (self);
  add_files (self);
}

void
fh_snippet_page_end_results (FhSnippetPage *self)
{
  g_clear_object (&self->attempts_page);
  g_clear_object (&self->attempts);
  g_clear_object (&self->files_page);
  g_clear_object (&self->files);
}

void
fh_snippet_page_follow_run (FhSnippetPage *self, FhRun *run)
{
  fh_output_view_set_run (FH_OUTPUT_VIEW (self->output), run);
  fh_attempts_view_set_run (self->attempts, run);
  fh_files_view_set_run (self->files, run);
}

void
fh_snippet_page_follow_result (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result)
{
  fh_output_view_show_result (FH_OUTPUT_VIEW (self->output), request, result);
  fh_attempts_view_show_result (self->attempts, request, result);
  fh_files_view_show_result (self->files, result);
}

void
fh_snippet_page_show_results (FhSnippetPage *self, const char *name)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  fh_output_view_show_page (FH_OUTPUT_VIEW (self->output), name);
}

FhRunResult *
fh_snippet_page_get_result (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  return self->result;
}
