/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "container-life.h"
#include "output/output-view.h"
#include "parts/toasts.h"
#include "window/snippet-page-private.h"

/* The container of a tab that is kept between runs: made for a run, shown in the options, and let
 * go of with the tab. */

/* A container that changes what it is made with, or the walls around it, is another one. Time,
 * output and the like are those of each run. */
static char *
dup_key (FhRunRequest *request)
{
  const FhRunLimits *limits = fh_run_request_get_limits (request);
  g_autofree char *options = fh_container_probes_key (fh_run_request_get_container (request));

  return g_strdup_printf ("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                          options,
                          limits->memory_bytes,
                          limits->disk_bytes,
                          (guint64) limits->processes);
}

static void
show_pull (FhSnippetPage *self)
{
  g_autoptr (FhImagePull) pull = g_signal_group_dup_target (self->pull_signals);
  FhRunRequest *request = self->run != NULL ? fh_run_get_request (self->run) : NULL;
  const FhContainerOptions *container =
      request != NULL ? fh_run_request_get_container (request) : NULL;
  g_autofree char *text = NULL;

  if (pull != NULL && container != NULL)
    {
      const char *progress = fh_image_pull_get_text (pull);
      const char *image = fh_container_options_image (container);

      if (progress == NULL || *progress == '\0')
        text = g_strdup_printf (_ ("Pulling %s…"), image);
      else
        /* Translators: an image and how far its pull is: “Pulling python:3-slim: 3 of 5 layers” */
        text = g_strdup_printf (_ ("Pulling %s: %s"), image, progress);
    }
  fh_output_view_set_preparation (FH_OUTPUT_VIEW (self->output), text);
}

static void
pull_cb (FhSnippetPage *self)
{
  g_autoptr (GObject) sandbox = g_signal_group_dup_target (self->sandbox_signals);
  g_autoptr (GObject) pull = NULL;

  if (sandbox != NULL)
    g_object_get (sandbox, "pull", &pull, NULL);
  g_signal_group_set_target (self->pull_signals, pull);
  show_pull (self);
}

void
fh_snippet_page_follow_sandbox (FhSnippetPage *self)
{
  g_signal_group_set_target (self->sandbox_signals,
                             FH_IS_CONTAINER_SANDBOX (self->sandbox) ? self->sandbox : NULL);
  pull_cb (self);
}

/* It is chosen while the run is prepared. */
void
fh_snippet_page_show_engine (FhSnippetPage *self)
{
  FhEngine *engine = NULL;

  if (FH_IS_CONTAINER_SANDBOX (self->sandbox))
    engine = fh_container_sandbox_get_engine (FH_CONTAINER_SANDBOX (self->sandbox));
  if (engine != NULL)
    fh_output_view_set_engine (FH_OUTPUT_VIEW (self->output), fh_engine_get_facts (engine)->kind);
}

static void
show_container (FhSnippetPage *self, const char *state)
{
  FhContainerPanel *panel;
  const char *name = self->kept != NULL ? fh_container_sandbox_get_name (self->kept) : NULL;
  gboolean can_change = name != NULL && !self->container_busy &&
                        fh_snippet_page_get_run_state (self) == FH_RUN_FINISHED;

  /* The widgets are gone before the last answer. */
  if (self->options_panel == NULL)
    return;
  panel = fh_options_panel_get_container_panel (self->options_panel);
  fh_container_panel_show_container (panel, name, state);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.restart-container", can_change);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "page.stop-container", can_change);
}

static const char *
state_words (const char *state)
{
  if (g_str_equal (state, "running"))
    return _ ("The container is ready");
  if (g_str_equal (state, "paused"))
    return _ ("The container is paused");
  return _ ("The container is stopped");
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSnippetPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) container = fh_container_find_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (container != NULL)
    show_container (self, state_words (container->state));
  else if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    show_container (self, _ ("The container is gone; the next run makes a new one"));
  else
    show_container (self, error->message);
}

void
fh_snippet_page_update_container (FhSnippetPage *self)
{
  FhEngine *engine = self->kept != NULL ? fh_container_sandbox_get_engine (self->kept) : NULL;
  const char *name = self->kept != NULL ? fh_container_sandbox_get_name (self->kept) : NULL;

  g_cancellable_cancel (self->container_looking);
  g_clear_object (&self->container_looking);
  if (self->closed || engine == NULL || name == NULL)
    {
      show_container (self, NULL);
      return;
    }
  if (fh_snippet_page_get_run_state (self) != FH_RUN_FINISHED)
    {
      show_container (self, _ ("The container is at work"));
      return;
    }
  show_container (self, _ ("Asking the engine…"));
  self->container_looking = g_cancellable_new ();
  fh_container_find_async (engine, name, self->container_looking, found_cb, g_object_ref (self));
}

static void
begin_change (FhSnippetPage *self, const char *state)
{
  g_cancellable_cancel (self->container_looking);
  g_clear_object (&self->container_looking);
  self->container_busy = TRUE;
  show_container (self, state);
}

static void
end_change (FhSnippetPage *self, const GError *error)
{
  self->container_busy = FALSE;
  if (self->closed)
    return;
  if (error != NULL)
    fh_toast_show_problem (GTK_WIDGET (self), error->message);
  fh_snippet_page_update_container (self);
}

static void
restarted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSnippetPage) self = user_data;
  g_autoptr (GError) error = NULL;

  fh_container_sandbox_restart_finish (FH_CONTAINER_SANDBOX (source), result, &error);
  end_change (self, error);
}

void
fh_snippet_page_restart_container_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (widget);

  if (self->kept == NULL || self->container_busy)
    return;
  begin_change (self, _ ("Restarting the container…"));
  fh_container_sandbox_restart_async (self->kept, NULL, restarted_cb, g_object_ref (self));
}

/* One that was removed is not the one that the next run makes. */
static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSnippetPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_container_sandbox_stop_finish (FH_CONTAINER_SANDBOX (source), result, &error) &&
      self->kept == FH_CONTAINER_SANDBOX (source) && self->kept_goes)
    fh_snippet_page_let_go_of_container (self);
  end_change (self, error);
}

void
fh_snippet_page_stop_container_action (GtkWidget *widget, const char *name, GVariant *target)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (widget);

  if (self->kept == NULL || self->container_busy)
    return;
  begin_change (self, _ ("Stopping the container…"));
  fh_container_sandbox_stop_async (self->kept, NULL, stopped_cb, g_object_ref (self));
}

void
fh_snippet_page_let_go_of_container (FhSnippetPage *self)
{
  if (self->sandbox_signals != NULL)
    g_signal_group_set_target (self->sandbox_signals, NULL);
  if (self->pull_signals != NULL)
    g_signal_group_set_target (self->pull_signals, NULL);
  g_cancellable_cancel (self->container_looking);
  g_clear_object (&self->container_looking);
  g_clear_object (&self->kept);
  g_clear_pointer (&self->kept_key, g_free);
}

/* What was installed in the old one is gone with it, which the user should know. */
static void
make_kept (FhSnippetPage *self, FhRunRequest *request)
{
  g_autofree char *key = dup_key (request);
  FhRunLimits limits = *fh_run_request_get_limits (request);

  if (self->kept != NULL && g_str_equal (key, self->kept_key))
    return;
  if (self->kept != NULL && fh_container_sandbox_get_name (self->kept) != NULL)
    fh_toast_show (GTK_WIDGET (self), _ ("The options have changed: this is another container"));
  fh_snippet_page_let_go_of_container (self);
  self->kept_key = g_steal_pointer (&key);
  self->kept_goes = fh_run_request_get_container (request)->after == FH_CONTAINER_REMOVE;
  /* What each run is limited to is in its request. */
  limits.wall_ms = 0;
  limits.cpu_ms = 0;
  limits.output_bytes = 0;
  self->kept = FH_CONTAINER_SANDBOX (
      fh_container_sandbox_new (fh_run_request_get_container (request), &limits));
  g_signal_connect_object (self->kept,
                           "notify::container-name",
                           G_CALLBACK (fh_snippet_page_update_container),
                           self,
                           G_CONNECT_SWAPPED);
}

FhSandbox *
fh_snippet_page_prepare (FhSnippetPage *self, FhRunRequest *request)
{
  const FhContainerOptions *container = fh_run_request_get_container (request);
  const FhRunLimits *limits = fh_run_request_get_limits (request);

  if (container == NULL)
    return fh_backend_prepare (fh_services_get_backend (self->services), limits);
  if (!container->is_kept)
    return fh_container_sandbox_new (container, limits);
  make_kept (self, request);
  return FH_SANDBOX (g_object_ref (self->kept));
}

void
fh_snippet_page_init_container (FhSnippetPage *self)
{
  self->sandbox_signals = g_signal_group_new (FH_TYPE_CONTAINER_SANDBOX);
  g_signal_group_connect_object (self->sandbox_signals,
                                 "notify::pull",
                                 G_CALLBACK (pull_cb),
                                 self,
                                 G_CONNECT_SWAPPED);
  self->pull_signals = g_signal_group_new (FH_TYPE_IMAGE_PULL);
  g_signal_group_connect_object (self->pull_signals,
                                 "notify::text",
                                 G_CALLBACK (show_pull),
                                 self,
                                 G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_menu_button_get_popover (self->options_button),
                           "show",
                           G_CALLBACK (fh_snippet_page_update_container),
                           self,
                           G_CONNECT_SWAPPED);
  show_container (self, NULL);
}
