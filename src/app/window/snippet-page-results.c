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

/* Attempts that were stopped ask for attention until the user has looked at them. How many there
 * are is said above the page. */
static void
update_attempts_page (FhSnippetPage *self)
{
  guint n_stopped;

  if (self->output == NULL)
    return;
  g_object_get (self->attempts, "n-stopped", &n_stopped, NULL);
  if (n_stopped < self->n_seen || is_in_sight (self, "attempts"))
    self->n_seen = is_in_sight (self, "attempts") ? n_stopped : 0;
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

/* A page that is hidden while there is nothing on it. */
static void
update_counted_page (FhSnippetPage *self, AdwViewStackPage *page, guint n)
{
  if (n == 0 && is_in_sight (self, adw_view_stack_page_get_name (page)))
    g_object_set (self->output, "page", "output", NULL);
  adw_view_stack_page_set_visible (page, n > 0);
}

static void
update_files_page (FhSnippetPage *self)
{
  guint n_files;

  if (self->output == NULL)
    return;
  g_object_get (self->files, "n-files", &n_files, NULL);
  update_counted_page (self, self->files_page, n_files);
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

static void
picture_activated_cb (FhSnippetPage *self, FhResultFile *file)
{
  /* What is not on the screen cannot be focused. */
  fh_snippet_page_show_results (self, "files");
  fh_files_view_open (self->files, file);
}

void
fh_snippet_page_begin_pictures (FhSnippetPage *self)
{
  FhOutputPictures *pictures = fh_output_view_get_pictures (FH_OUTPUT_VIEW (self->output));
  FhPictureDecoder *decoder = fh_services_get_decoder (self->services);

  fh_output_pictures_set_decoder (pictures, decoder);
  fh_files_view_set_decoder (self->files, decoder);
  fh_connect (pictures, "activated", picture_activated_cb, self);
}

static void
show_changes (FhSnippetPage *self)
{
  guint n_changes;

  if (self->output == NULL || self->changes == NULL)
    return;
  fh_changes_view_show_result (self->changes, self->result);
  g_object_get (self->changes, "n-changes", &n_changes, NULL);
  update_counted_page (self, self->changes_page, n_changes);
}

static void
add_changes (FhSnippetPage *self)
{
  self->changes = g_object_ref_sink (fh_changes_view_new ());
  g_set_object (&self->changes_page,
                fh_output_view_add_page (FH_OUTPUT_VIEW (self->output),
                                         GTK_WIDGET (self->changes),
                                         "changes",
                                         _ ("Changes"),
                                         "document-edit-symbolic",
                                         adw_bin_new ()));
  fh_connect (self, "notify::result", show_changes, self);
  show_changes (self);
}

static void
update_samples_page (FhSnippetPage *self)
{
  guint n_samples;

  if (self->output == NULL)
    return;
  g_object_get (self->samples, "n-samples", &n_samples, NULL);
  update_counted_page (self, self->samples_page, n_samples);
  if (n_samples > 0)
    fh_snippet_page_show_results (self, "samples");
}

static void
add_samples (FhSnippetPage *self)
{
  self->samples = g_object_ref_sink (fh_samples_view_new ());
  g_set_object (&self->samples_page,
                fh_output_view_add_page (FH_OUTPUT_VIEW (self->output),
                                         GTK_WIDGET (self->samples),
                                         "samples",
                                         _ ("Samples"),
                                         "view-list-symbolic",
                                         fh_samples_view_get_tools (self->samples)));
  fh_connect (self->samples, "notify::n-samples", update_samples_page, self);
  update_samples_page (self);
}

static void
input_left_cb (FhSnippetPage *self)
{
  fh_snippet_page_show_results (self, "output");
}

void
fh_snippet_page_init_results (FhSnippetPage *self)
{
  fh_connect (self->input_bar, "left", input_left_cb, self);
  add_attempts (self);
  add_files (self);
  add_changes (self);
  add_samples (self);
  fh_snippet_page_init_variables (self);
  fh_snippet_page_init_look (self);
}

void
fh_snippet_page_end_results (FhSnippetPage *self)
{
  fh_snippet_page_end_look (self);
  g_clear_object (&self->attempts_page);
  g_clear_object (&self->attempts);
  g_clear_object (&self->changes_page);
  g_clear_object (&self->changes);
  g_clear_object (&self->files_page);
  g_clear_object (&self->files);
  g_clear_object (&self->variables_page);
  g_clear_object (&self->variables);
  g_clear_object (&self->samples_page);
  g_clear_object (&self->samples);
}

void
fh_snippet_page_follow_run (FhSnippetPage *self, FhRun *run)
{
  fh_output_view_set_run (FH_OUTPUT_VIEW (self->output), run);
  fh_input_bar_set_run (self->input_bar, run);
  fh_attempts_view_set_run (self->attempts, run);
  fh_files_view_set_run (self->files, run);
  fh_samples_view_show (self->samples, NULL, 0);
}

void
fh_snippet_page_follow_result (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result)
{
  fh_output_view_show_result (FH_OUTPUT_VIEW (self->output), request, result);
  fh_attempts_view_show_result (self->attempts, request, result);
  fh_files_view_show_result (self->files, result);
  fh_samples_view_show (self->samples, NULL, 0);
}

void
fh_snippet_page_show_batch (FhSnippetPage *self, FhHistoryEntry *batch)
{
  const FhHistoryScore *score;
  const char *title = _ ("Samples");
  g_autoptr (GPtrArray) blocks = fh_snippet_page_find_blocks (self);

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));
  g_return_if_fail (FH_IS_HISTORY_ENTRY (batch));

  /* A batch is kept as the shell command that ran it. */
  if (blocks != NULL)
    title = _ ("Blocks");
  else if (fh_history_entry_get_language (batch) == fh_language_lookup ("python"))
    title = _ ("Cells");
  adw_view_stack_page_set_title (self->samples_page, title);
  score = fh_history_entry_get_score (batch);
  if (score != NULL && fh_history_entry_get_status (batch) == FH_RUN_STATUS_OK)
    fh_output_status_set_score (fh_output_view_get_status (FH_OUTPUT_VIEW (self->output)), score);
  fh_samples_view_show (self->samples,
                        fh_services_get_history (self->services),
                        fh_history_entry_get_id (batch));
}

void
fh_snippet_page_show_results (FhSnippetPage *self, const char *name)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (self->in_session || !g_str_equal (name, "variables"))
    fh_output_view_show_page (FH_OUTPUT_VIEW (self->output), name);
}

FhRunResult *
fh_snippet_page_get_result (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  return self->result;
}

/* Instead of in a container. */
void
fh_snippet_page_run_here_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (widget);

  g_object_set (self->options, "in-container", FALSE, NULL);
  fh_snippet_page_run_when_ready (self);
}
