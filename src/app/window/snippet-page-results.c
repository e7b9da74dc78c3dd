/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "output/output-view.h"
#include "window/snippet-page-private.h"

static gboolean
is_in_sight (FhSnippetPage *self, const char *name)
{
  g_autofree char *page = NULL;

  g_object_get (self->output, "page", &page, NULL);
  return g_strcmp0 (page, name) == 0;
}

/* What was stopped wants to be seen until it was. */
static void
update_attempts_page (FhSnippetPage *self)
{
  guint n_stopped;

  g_object_get (self->attempts, "n-stopped", &n_stopped, NULL);
  if (n_stopped < self->n_seen || is_in_sight (self, "attempts"))
    self->n_seen = is_in_sight (self, "attempts") ? n_stopped : 0;
  adw_view_stack_page_set_badge_number (self->attempts_page, n_stopped);
  adw_view_stack_page_set_needs_attention (self->attempts_page, n_stopped > self->n_seen);
}

static void
add_attempts (FhSnippetPage *self)
{
  self->attempts = fh_attempts_view_new ();
  self->attempts_page = fh_output_view_add_page (FH_OUTPUT_VIEW (self->output),
                                                 GTK_WIDGET (self->attempts),
                                                 "attempts",
                                                 _ ("Attempts"),
                                                 "view-reveal-symbolic",
                                                 fh_attempts_view_get_tools (self->attempts));
  g_signal_connect_object (self->attempts,
                           "notify::n-stopped",
                           G_CALLBACK (update_attempts_page),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->output,
                           "notify::page",
                           G_CALLBACK (update_attempts_page),
                           self,
                           G_CONNECT_SWAPPED);
}

/* A page without files is none. */
static void
update_files_page (FhSnippetPage *self)
{
  guint n_files;

  g_object_get (self->files, "n-files", &n_files, NULL);
  if (n_files == 0 && is_in_sight (self, "files"))
    g_object_set (self->output, "page", "output", NULL);
  adw_view_stack_page_set_visible (self->files_page, n_files > 0);
  adw_view_stack_page_set_badge_number (self->files_page, n_files);
}

static void
add_files (FhSnippetPage *self)
{
  self->files = fh_files_view_new ();
  self->files_page = fh_output_view_add_page (FH_OUTPUT_VIEW (self->output),
                                              GTK_WIDGET (self->files),
                                              "files",
                                              _ ("Files"),
                                              "folder-symbolic",
                                              fh_files_view_get_tools (self->files));
  g_signal_connect_object (self->files,
                           "notify::n-files",
                           G_CALLBACK (update_files_page),
                           self,
                           G_CONNECT_SWAPPED);
  update_files_page (self);
}

void
fh_snippet_page_init_results (FhSnippetPage *self)
{
  add_attempts (self);
  add_files (self);
}

void
fh_snippet_page_follow_run (FhSnippetPage *self)
{
  fh_output_view_set_run (FH_OUTPUT_VIEW (self->output), self->run);
  fh_attempts_view_set_run (self->attempts, self->run);
  fh_files_view_set_run (self->files, self->run);
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
