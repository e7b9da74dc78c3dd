/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "answer.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "parts/toasts.h"
#include "window/snippet-page-private.h"

/* A tab with a model's whole answer: Run runs its blocks. */

static GPtrArray *
find_blocks (FhSnippetPage *self)
{
  g_autofree char *text = fh_editor_view_dup_text (self->editor);
  g_autofree char *name = self->file != NULL ? g_file_get_basename (self->file) : NULL;

  if (self->in_session || !fh_answer_is_one (name, text))
    return NULL;
  return fh_answer_find_blocks (text);
}

static void
show_notice (FhSnippetPage *self, GPtrArray *blocks)
{
  g_autofree char *text = NULL;

  if (blocks != NULL)
    text = g_strdup_printf (
        ngettext ("This is an answer with %u code block. Run runs it.",
                  "This is an answer with %u code blocks. Run runs them one after the other.",
                  blocks->len),
        blocks->len);
  fh_notice_bar_set_text (self->answer_notice, text);
  g_object_set (self->editor, "markdown", blocks != NULL, NULL);
}

void
fh_snippet_page_look_for_answer (FhSnippetPage *self)
{
  g_autoptr (GPtrArray) blocks = find_blocks (self);

  show_notice (self, blocks);
}

static void
started_cb (FhSnippetPage *self, FhRun *run)
{
  fh_attempts_view_set_run (self->attempts, run);
  fh_snippet_page_watch_run (self, run);
}

static void
done_cb (FhSnippetPage *self)
{
  g_autoptr (FhResultFiles) files = fh_answer_mode_dup_files (self->answer);

  fh_files_view_show_files (self->files, files);
  fh_snippet_page_follow_state (self);
}

gboolean
fh_snippet_page_run_answer (FhSnippetPage *self)
{
  g_autoptr (GPtrArray) blocks = find_blocks (self);
  g_autofree char *problem = NULL;
  gboolean no_history;

  if (blocks == NULL)
    return FALSE;
  show_notice (self, blocks);
  g_object_get (self->options, "problem", &problem, "no-history", &no_history, NULL);
  if (problem != NULL || blocks->len == 0)
    {
      fh_toast_show_problem (GTK_WIDGET (self),
                             problem != NULL ? problem : _ ("No code blocks to execute."));
      return TRUE;
    }
  fh_snippet_page_end_run (self);
  fh_samples_view_show (self->samples, NULL, 0);
  fh_files_view_set_run (self->files, NULL);
  self->answer = fh_answer_mode_new (self->session,
                                     blocks,
                                     self->options,
                                     FH_OUTPUT_VIEW (self->output),
                                     !no_history);
  fh_connect (self->answer, "started", started_cb, self);
  fh_connect (self->answer, "done", done_cb, self);
  fh_options_end_run (self->options);
  fh_snippet_page_notify (self, "run-state");
  return TRUE;
}

void
fh_snippet_page_end_answer (FhSnippetPage *self)
{
  if (self->answer == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->answer, self);
  fh_answer_mode_close (self->answer);
  g_clear_object (&self->answer);
}
