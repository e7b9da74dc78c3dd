/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "attempts/attempts-view.h"
#include "changes/changes-view.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "window/snippet-page-private.h"

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
samples_cb (FhSnippetPage *self)
{
  if (fh_result_page_is_present (FH_RESULT_PAGE (self->samples)))
    fh_snippet_page_show_results (self, "samples");
}

static void
input_left_cb (FhSnippetPage *self)
{
  fh_snippet_page_show_results (self, "output");
}

/* The pages in the order in which people see them. */
void
fh_snippet_page_init_results (FhSnippetPage *self)
{
  FhOutputView *output = FH_OUTPUT_VIEW (self->output);

  fh_connect (self->input_bar, "left", input_left_cb, self);
  self->files = fh_files_view_new ();
  self->samples = fh_samples_view_new ();
  self->variables = fh_variables_view_new ();
  self->look = fh_look_view_new ();
  fh_output_view_add_page (output, FH_RESULT_PAGE (fh_attempts_view_new ()));
  fh_output_view_add_page (output, FH_RESULT_PAGE (self->files));
  fh_output_view_add_page (output, FH_RESULT_PAGE (fh_changes_view_new ()));
  self->samples_page = fh_output_view_add_page (output, FH_RESULT_PAGE (self->samples));
  fh_output_view_add_page (output, FH_RESULT_PAGE (self->variables));
  fh_output_view_add_page (output, FH_RESULT_PAGE (self->look));
  fh_connect (self->samples, "changed", samples_cb, self);
}

void
fh_snippet_page_show_run (FhSnippetPage *self, FhRun *run)
{
  FhShownResult shown = {
    .run = run,
    .request = fh_run_get_request (run),
    .attempts = fh_run_get_attempts (run),
    .files = fh_run_get_files (run),
  };

  /* Of an answer the attempts are those of all blocks; its files are shown when it is over. */
  if (self->form == FH_RECORD_ANSWER)
    {
      shown.attempts = fh_series_record_get_attempts (self->record);
      shown.files = NULL;
    }
  else if (fh_run_get_result (run) != NULL)
    {
      shown.changes = fh_run_result_get_changes (fh_run_get_result (run));
    }
  fh_output_view_show_pages (FH_OUTPUT_VIEW (self->output), &shown);
}

void
fh_snippet_page_show_ended (FhSnippetPage *self,
                            FhRunRequest *request,
                            FhRunResult *result,
                            FhResultFiles *files)
{
  const FhShownResult shown = {
    .request = request,
    .result = result,
    .attempts = fh_run_result_get_attempts (result),
    .files = files,
    .changes = fh_run_result_get_changes (result),
  };

  fh_output_view_show_pages (FH_OUTPUT_VIEW (self->output), &shown);
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
