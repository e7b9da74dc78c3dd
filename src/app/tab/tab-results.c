/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "output/output-view.h"
#include "parts/calls.h"
#include "tab/tab-private.h"

static FhResultPage *
get_page (FhTab *self, GType type)
{
  return fh_output_view_get_page (FH_OUTPUT_VIEW (self->output), type, TRUE);
}

static void
picture_activated_cb (FhTab *self, FhResultFile *file)
{
  /* What is not on the screen cannot be focused. */
  fh_tab_show_results (self, "files");
  fh_files_view_open (FH_FILES_VIEW (get_page (self, FH_TYPE_FILES_VIEW)), file);
}

void
fh_tab_begin_pictures (FhTab *self)
{
  FhOutputPictures *pictures = fh_output_view_get_pictures (FH_OUTPUT_VIEW (self->output));
  FhPictureDecoder *decoder = fh_services_get_decoder (self->services);

  fh_output_pictures_set_decoder (pictures, decoder);
  fh_connect (pictures, "activated", picture_activated_cb, self);
}

static void
files_made_cb (FhTab *self, FhResultPage *page)
{
  fh_files_view_set_decoder (FH_FILES_VIEW (page), fh_services_get_decoder (self->services));
}

static void
samples_cb (FhTab *self, FhResultPage *page)
{
  if (!self->samples_in_front || !fh_result_page_is_present (page))
    return;
  self->samples_in_front = FALSE;
  /* The keyboard stays where it is, such as in the history. */
  g_object_set (self->output, "page", "samples", NULL);
}

static void
samples_made_cb (FhTab *self, FhResultPage *page)
{
  fh_connect (page, "changed", samples_cb, self);
}

/* A person who has pressed Run and then waited can answer the program at once. One who has edited
 * the text since, or types elsewhere, keeps the keyboard there. */
static void
input_appeared_cb (FhTab *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  const gboolean is_waiting =
      focus != NULL &&
      (GTK_IS_BUTTON (focus) ||
       (GTK_IS_TEXT_VIEW (focus) && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->editor))));

  self->input_took_focus = is_waiting && !self->moved_since_run &&
                           gtk_widget_get_mapped (GTK_WIDGET (self)) &&
                           fh_input_bar_focus (self->input_bar);
}

static void
input_left_cb (FhTab *self)
{
  if (self->input_took_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->editor));
  else
    fh_tab_show_results (self, "output");
}

static void
cursor_moved_cb (FhTab *self)
{
  self->moved_since_run = TRUE;
}

void
fh_tab_init_results (FhTab *self)
{
  fh_connect (self->input_bar, "appeared", input_appeared_cb, self);
  fh_connect (self->input_bar, "left", input_left_cb, self);
  fh_connect (self->document, "notify::cursor-position", cursor_moved_cb, self);
  fh_connect (self->output, "page-made::files", files_made_cb, self);
  fh_connect (self->output, "page-made::samples", samples_made_cb, self);
}

void
fh_tab_show_run (FhTab *self, FhRun *run)
{
  FhShownResult shown = {
    .run = run,
    .request = fh_run_get_request (run),
    .attempts = fh_run_get_attempts (run),
    .files = fh_run_get_files (run),
  };

  /* An answer shows the attempts of all its blocks; its files are shown when it is over. */
  if (self->form == FH_RECORD_ANSWER)
    {
      shown.attempts = fh_series_record_get_attempts (self->record);
      shown.files = NULL;
    }
  else if (fh_run_get_result (run) != NULL)
    {
      shown.changes = fh_run_result_get_parts (fh_run_get_result (run))->changes;
    }
  fh_output_view_show_pages (FH_OUTPUT_VIEW (self->output), &shown);
}

void
fh_tab_show_ended (FhTab *self, FhRunRequest *request, FhRunResult *result, FhResultFiles *files)
{
  const FhShownResult shown = {
    .request = request,
    .result = result,
    .attempts = fh_run_result_get_parts (result)->attempts,
    .files = files,
    .changes = fh_run_result_get_parts (result)->changes,
  };

  fh_output_view_show_pages (FH_OUTPUT_VIEW (self->output), &shown);
}

void
fh_tab_show_batch (FhTab *self, FhHistoryEntry *batch, gboolean in_front)
{
  const FhHistoryScore *score = NULL;
  const char *title = _ ("Samples");
  const char *word = C_ ("samples", "Sample");
  FhSamplesView *samples = FH_SAMPLES_VIEW (get_page (self, FH_TYPE_SAMPLES_VIEW));
  g_autoptr (GPtrArray) blocks = fh_tab_find_blocks (self);

  g_return_if_fail (FH_IS_TAB (self));
  g_return_if_fail (FH_IS_HISTORY_ENTRY (batch));

  /* A batch is kept as the shell command that ran it. */
  if (blocks != NULL)
    {
      title = _ ("Blocks");
      word = C_ ("samples", "Block");
    }
  else if (fh_history_entry_get_language (batch) == fh_language_lookup ("python"))
    {
      title = _ ("Cells");
      word = C_ ("samples", "Cell");
    }
  adw_view_stack_page_set_title (self->samples_page, title);
  if (fh_history_entry_get_status (batch) == FH_RUN_STATUS_OK)
    score = fh_history_entry_get_score (batch);
  fh_output_status_set_parts (fh_output_view_get_status (FH_OUTPUT_VIEW (self->output)), score);
  fh_samples_view_set_words (samples, title, word);
  self->samples_in_front = in_front;
  fh_samples_view_show (samples,
                        fh_services_get_history (self->services),
                        fh_history_entry_get_id (batch));
}

void
fh_tab_show_results (FhTab *self, const char *name)
{
  g_return_if_fail (FH_IS_TAB (self));

  if (self->in_session || !g_str_equal (name, "variables"))
    fh_output_view_show_page (FH_OUTPUT_VIEW (self->output), name);
}

FhRunResult *
fh_tab_get_result (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), NULL);

  return self->result;
}

/* Runs on this computer although a container is chosen. */
void
fh_tab_run_here_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhTab *self = FH_TAB (widget);

  g_object_set (self->options, "in-container", FALSE, NULL);
  fh_tab_run_when_ready (self);
}
