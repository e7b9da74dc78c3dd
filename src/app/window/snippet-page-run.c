/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "parts/message-dialogs.h"
#include "parts/toasts.h"
#include "window/snippet-page-private.h"

/* How often the deadline bar moves. */
#define DEADLINE_MS 100

static gboolean
deadline_cb (gpointer user_data)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (user_data);
  const FhRunLimits *limits = fh_run_request_get_limits (fh_run_get_request (self->run));
  gint64 started_at = fh_run_get_started_at (self->run);
  double elapsed_ms = 0;

  if (started_at > 0)
    elapsed_ms = (double) (g_get_monotonic_time () - started_at) / 1000;
  gtk_progress_bar_set_fraction (self->deadline, MIN (elapsed_ms / (double) limits->wall_ms, 1.0));
  return G_SOURCE_CONTINUE;
}

/* Shown only where there is a limit that one could wait for. */
static void
update_deadline (FhSnippetPage *self)
{
  gboolean runs = fh_snippet_page_get_run_state (self) != FH_RUN_FINISHED;
  gboolean limited =
      runs && fh_run_request_get_limits (fh_run_get_request (self->run))->wall_ms > 0;

  gtk_widget_set_visible (GTK_WIDGET (self->deadline), limited);
  if (limited && self->deadline_timer == 0)
    {
      gtk_progress_bar_set_fraction (self->deadline, 0);
      self->deadline_timer = g_timeout_add (DEADLINE_MS, deadline_cb, self);
    }
  else if (!limited)
    {
      g_clear_handle_id (&self->deadline_timer, g_source_remove);
    }
}

static void
set_result (FhSnippetPage *self, FhRunResult *result)
{
  if (g_set_object (&self->result, result))
    fh_snippet_page_notify (self, "result");
}

static void
state_cb (FhSnippetPage *self)
{
  if (self->run != NULL)
    set_result (self, fh_run_get_result (self->run));
  fh_snippet_page_show_engine (self);
  if (fh_snippet_page_get_run_state (self) == FH_RUN_FINISHED)
    g_clear_object (&self->sandbox);
  update_deadline (self);
  fh_snippet_page_update_container (self);
  fh_snippet_page_notify (self, "run-state");
}

static void
may_run_cb (FhSnippetPage *self)
{
  if (self->run_when_ready && fh_snippet_page_may_run (self))
    {
      self->run_when_ready = FALSE;
      fh_snippet_page_run (self);
    }
}

static void
set_run_source (FhSnippetPage *self, FhRunRequest *request)
{
  g_free (self->run_source);
  self->run_source = fh_run_request_dup_source_text (request);
}

static char *
dup_run_title (FhSnippetPage *self)
{
  if (self->file == NULL && self->given_title == NULL)
    return NULL;
  return g_strdup (self->title);
}

static FhRunRequest *
build_request (FhSnippetPage *self, FhTier tier, GError **error)
{
  g_autofree char *text = fh_editor_view_dup_text (self->editor);
  g_autofree char *title = dup_run_title (self);

  return fh_run_options_build_request (self->options, text, title, tier, error);
}

void
fh_snippet_page_init_run (FhSnippetPage *self)
{
  self->run_signals = g_signal_group_new (FH_TYPE_RUN);
  g_signal_group_connect_object (self->run_signals,
                                 "notify::state",
                                 G_CALLBACK (state_cb),
                                 self,
                                 G_CONNECT_SWAPPED);
}

void
fh_snippet_page_end_run (FhSnippetPage *self)
{
  if (self->run_signals != NULL)
    g_signal_group_set_target (self->run_signals, NULL);
  g_clear_handle_id (&self->deadline_timer, g_source_remove);
  g_clear_object (&self->sandbox);
  g_clear_object (&self->run);
}

FhRunState
fh_snippet_page_get_run_state (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), FH_RUN_FINISHED);

  return self->run != NULL ? fh_run_get_state (self->run) : FH_RUN_FINISHED;
}

static void
start (FhSnippetPage *self, FhTier tier)
{
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;

  if (fh_editor_view_is_empty (self->editor))
    {
      fh_toast_show (GTK_WIDGET (self), _ ("There is no code to run yet"));
      return;
    }
  request = build_request (self, tier, &error);
  if (request == NULL)
    {
      fh_toast_show_problem (GTK_WIDGET (self), error->message);
      return;
    }

  fh_snippet_page_end_run (self);
  self->sandbox = fh_snippet_page_prepare (self, request);
  self->run = fh_sandbox_run (self->sandbox, request);
  set_run_source (self, request);
  fh_snippet_page_follow_run (self);
  fh_snippet_page_follow_sandbox (self);
  fh_run_recorder_watch (fh_services_get_recorder (self->services),
                         self->run,
                         self->id,
                         fh_run_options_get_keep (self->options));
  g_signal_group_set_target (self->run_signals, self->run);
  /* What is switched off is off for one run. */
  fh_guard_options_restore (fh_run_options_get_guards (self->options));
  state_cb (self);
}

void
fh_snippet_page_run (FhSnippetPage *self)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (fh_snippet_page_get_run_state (self) == FH_RUN_FINISHED && fh_snippet_page_may_run (self))
    start (self, FH_TIER_AUTO);
}

static void
unprotected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSnippetPage) self = user_data;
  g_autofree char *answer = fh_message_dialogs_ask_finish (result, NULL);

  if (g_strcmp0 (answer, "run") == 0 && !self->closed && !fh_snippet_page_is_in_container (self) &&
      fh_snippet_page_get_run_state (self) == FH_RUN_FINISHED)
    start (self, FH_TIER_UNPROTECTED);
}

void
fh_snippet_page_run_unprotected (FhSnippetPage *self)
{
  const FhMessageChoice choices[] = {
    { "run", _ ("_Run Without Protection"), .destructive = TRUE, .deliberate = TRUE },
    { NULL },
  };

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (fh_snippet_page_get_run_state (self) != FH_RUN_FINISHED ||
      fh_snippet_page_is_in_container (self))
    return;
  fh_message_dialogs_ask_async (
      GTK_WIDGET (self),
      _ ("Run Without Protection?"),
      _ ("The program will be able to read, change and delete all of your files, to see your "
         "passwords and keys, and to use the network in your name. Do this only with code that "
         "you have read and understood.\n\nIt is for this one run and is not remembered."),
      choices,
      self->cancellable,
      unprotected_cb,
      g_object_ref (self));
}

void
fh_snippet_page_restore_guards_action (GtkWidget *widget, const char *name, GVariant *target)
{
  fh_guard_options_restore (fh_run_options_get_guards (FH_SNIPPET_PAGE (widget)->options));
}

void
fh_snippet_page_run_when_ready (FhSnippetPage *self)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  self->run_when_ready = TRUE;
  if (fh_snippet_page_may_run (self))
    may_run_cb (self);
  else
    g_signal_connect_object (fh_services_get_protection (self->services),
                             "notify::may-run",
                             G_CALLBACK (may_run_cb),
                             self,
                             G_CONNECT_SWAPPED);
}

void
fh_snippet_page_stop (FhSnippetPage *self)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (self->run != NULL)
    fh_run_stop (self->run);
}

void
fh_snippet_page_show_result (FhSnippetPage *self, FhRunRequest *request, FhRunResult *result)
{
  g_autofree char *text = NULL;

  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  fh_snippet_page_end_run (self);
  text = fh_run_request_dup_source_text (request);
  fh_snippet_page_set_text (self,
                            text,
                            fh_run_request_get_title (request),
                            fh_run_request_get_language (request));
  self->loading = TRUE;
  fh_run_options_set_from_request (self->options, request);
  self->loading = FALSE;
  set_run_source (self, request);
  fh_snippet_page_follow_result (self, request, result);
  set_result (self, result);
  state_cb (self);
}
