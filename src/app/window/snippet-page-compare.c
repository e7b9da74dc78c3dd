/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is run again is compared with its last run in this tab. */
#include "config.h"

#include <glib/gi18n.h>

#include "compare/compare-window.h"
#include "parts/calls.h"
#include "window/snippet-page-private.h"

static void
clear_side (FhSnippetPage *self, guint side)
{
  g_clear_object (&self->compared_requests[side]);
  g_clear_object (&self->compared_results[side]);
}

static void
set_side (FhSnippetPage *self, guint side, FhRunRequest *request, FhRunResult *result)
{
  g_set_object (&self->compared_requests[side], request);
  g_set_object (&self->compared_results[side], result);
}

void
fh_snippet_page_end_comparison (FhSnippetPage *self)
{
  clear_side (self, 0);
  clear_side (self, 1);
}

void
fh_snippet_page_show_compared (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result)
{
  fh_notice_bar_set_text (self->compare_notice, NULL);
  clear_side (self, 0);
  set_side (self, 1, request, result);
}

void
fh_snippet_page_begin_comparison (FhSnippetPage *self)
{
  fh_notice_bar_set_text (self->compare_notice, NULL);
  if (self->compared_results[1] == NULL)
    return;
  set_side (self, 0, self->compared_requests[1], self->compared_results[1]);
  clear_side (self, 1);
}

/* "Output, Files": what differs. NULL: nothing, or the program is another one. */
static char *
name_parts (FhRunComparison *comparison)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;

  if (fh_run_comparison_is_same (comparison) ||
      fh_run_comparison_differs (comparison, FH_COMPARED_SOURCE))
    return NULL;
  for (guint part = 0; part < FH_N_COMPARED; part++)
    {
      if (fh_run_comparison_differs (comparison, part))
        g_strv_builder_add (builder, fh_compared_part_title (part));
    }
  names = g_strv_builder_end (builder);
  return g_strjoinv (", ", names);
}

/* For the thread. */
typedef struct
{
  FhRunRequest *requests[2];
  FhRunResult *results[2];
} Compared;

static void
compared_free (gpointer data)
{
  Compared *compared = data;

  for (guint side = 0; side < 2; side++)
    {
      g_object_unref (compared->requests[side]);
      g_object_unref (compared->results[side]);
    }
  g_free (compared);
}

static void
compare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Compared *runs = data;
  g_autoptr (FhRunComparison) comparison = fh_run_comparison_new (runs->requests[0],
                                                                  runs->results[0],
                                                                  runs->requests[1],
                                                                  runs->results[1]);

  g_task_return_pointer (task, name_parts (comparison), g_free);
}

static void
compared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (source);
  Compared *runs = g_task_get_task_data (G_TASK (result));
  g_autofree char *names = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autofree char *text = NULL;

  if (names == NULL || self->closed || self->compared_results[1] != runs->results[1])
    return;
  /* Translators: %s is a list such as “Output, Files” */
  text = g_strdup_printf (_ ("This differs from the last run: %s."), names);
  fh_notice_bar_set_text (self->compare_notice, text);
}

void
fh_snippet_page_compare_run (FhSnippetPage *self, FhRun *run)
{
  FhRunResult *result = fh_run_get_result (run);
  g_autoptr (GTask) task = NULL;
  Compared *runs;

  /* Cells and blocks follow each other, and are no runs of one program. */
  if (self->mode != NULL || self->answer != NULL)
    fh_snippet_page_end_comparison (self);
  if (result == NULL || result == self->compared_results[1] || self->mode != NULL ||
      self->answer != NULL)
    return;
  set_side (self, 1, fh_run_get_request (run), result);
  if (self->compared_results[0] == NULL)
    return;
  runs = g_new0 (Compared, 1);
  for (guint side = 0; side < 2; side++)
    {
      runs->requests[side] = g_object_ref (self->compared_requests[side]);
      runs->results[side] = g_object_ref (self->compared_results[side]);
    }
  task = g_task_new (self, self->cancellable, compared_cb, NULL);
  g_task_set_source_tag (task, fh_snippet_page_compare_run);
  g_task_set_task_data (task, runs, compared_free);
  g_task_run_in_thread (task, compare_in_thread);
}

gboolean
fh_snippet_page_may_compare (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), FALSE);

  return self->compared_results[0] != NULL && self->compared_results[1] != NULL;
}

void
fh_snippet_page_compare (FhSnippetPage *self)
{
  FhComparedRun runs[2];

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (!fh_snippet_page_may_compare (self))
    return;
  runs[0] =
      (FhComparedRun){ _ ("The last run"), self->compared_requests[0], self->compared_results[0] };
  runs[1] =
      (FhComparedRun){ _ ("This run"), self->compared_requests[1], self->compared_results[1] };
  fh_compare_window_show (GTK_WIDGET (self), runs);
}
