/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/window.h"

#include <glib/gi18n.h>

#include "history/history-view.h"
#include "window/window-private.h"

G_DEFINE_FINAL_TYPE (FhWindow, fh_window, ADW_TYPE_APPLICATION_WINDOW)

FhSnippetPage *
fh_window_get_page (FhWindow *self)
{
  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tab_view);

  return tab != NULL ? FH_SNIPPET_PAGE (adw_tab_page_get_child (tab)) : NULL;
}

static void
set_enabled (FhWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
fh_window_update_actions (FhWindow *self)
{
  const char *const for_page[] = {
    "save",           "save-as",      "find",       "find-replace", "find-next",    "find-previous",
    "find-in-output", "clear-output", "go-to-line", "show-options", "show-results",
  };
  FhSnippetPage *page = fh_window_get_page (self);
  FhRunState state = page != NULL ? fh_snippet_page_get_run_state (page) : FH_RUN_FINISHED;
  gboolean runs = state != FH_RUN_FINISHED;

  for (guint i = 0; i < G_N_ELEMENTS (for_page); i++)
    set_enabled (self, for_page[i], page != NULL);
  set_enabled (self, "run", page != NULL && !runs && fh_snippet_page_may_run (page));
  set_enabled (self,
               "run-unprotected",
               page != NULL && !runs && !fh_snippet_page_is_in_container (page));
  set_enabled (self, "stop", runs);
  set_enabled (self, "reopen-tab", !g_queue_is_empty (&self->closed));
  fh_run_button_set_state (self->run_button, state);
}

static void
update_title (FhWindow *self)
{
  FhSnippetPage *page = fh_window_get_page (self);
  const char *name = page != NULL ? fh_snippet_page_get_title (page) : _ ("Fumehood");
  g_autofree char *subtitle = NULL;
  g_autofree char *shown = NULL;

  if (page != NULL)
    g_object_get (page, "subtitle", &subtitle, NULL);
  shown = page != NULL && fh_snippet_page_get_modified (page) ? g_strconcat ("• ", name, NULL)
                                                              : g_strdup (name);
  adw_window_title_set_title (self->title, shown);
  adw_window_title_set_subtitle (self->title, subtitle != NULL ? subtitle : "");
  gtk_window_set_title (GTK_WINDOW (self), shown);
}

static void
result_cb (FhWindow *self)
{
  FhSnippetPage *page = fh_window_get_page (self);

  fh_guard_button_set_result (self->guard_button,
                              page != NULL ? fh_snippet_page_get_result (page) : NULL);
}

/* What keeps runs on this computer from happening is no matter for a container. */
static void
protection_cb (FhWindow *self)
{
  FhProtection *here = fh_services_get_protection (self->services);
  FhSnippetPage *page = fh_window_get_page (self);
  FhProtection *protection = page != NULL ? fh_snippet_page_get_protection (page) : NULL;
  gboolean in_container = page != NULL && fh_snippet_page_is_in_container (page);
  g_autofree char *text = NULL;

  fh_guard_button_set_protection (self->guard_button, protection != NULL ? protection : here);
  if (!in_container && fh_protection_get_state (here) == FH_PROTECTION_REFUSED)
    {
      const char *reason = fh_protection_get_reason (here);
      const char *advice = fh_protection_get_advice (here);

      if (reason == NULL)
        reason = _ ("Nothing can run here.");
      text = advice != NULL ? g_strconcat (reason, " ", advice, NULL) : g_strdup (reason);
    }
  fh_notice_bar_set_text (self->notice, text);
  fh_window_update_actions (self);
}

static void
page_changed_cb (FhWindow *self)
{
  FhSnippetPage *page = fh_window_get_page (self);

  g_signal_group_set_target (self->page_signals, page);
  fh_guard_button_set_options (self->guard_button,
                               page != NULL ? fh_snippet_page_get_options (page) : NULL);
  protection_cb (self);
  result_cb (self);
  update_title (self);
  fh_window_update_actions (self);
}

static void
pages_changed_cb (FhWindow *self)
{
  gboolean has_pages = adw_tab_view_get_n_pages (self->tab_view) > 0;

  gtk_stack_set_visible_child_name (self->stack, has_pages ? "tabs" : "empty");
}

static gboolean
fh_window_close_request (GtkWindow *window)
{
  if (!fh_window_prepare_close (FH_WINDOW (window)))
    return GDK_EVENT_STOP;
  return GTK_WINDOW_CLASS (fh_window_parent_class)->close_request (window);
}

static void
fh_window_dispose (GObject *object)
{
  FhWindow *self = FH_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->page_signals);
  g_clear_object (&self->services);

  G_OBJECT_CLASS (fh_window_parent_class)->dispose (object);
}

static void
fh_window_finalize (GObject *object)
{
  FhWindow *self = FH_WINDOW (object);

  g_object_unref (self->cancellable);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_queue_clear_full (&self->closed, (GDestroyNotify) fh_draft_free);

  G_OBJECT_CLASS (fh_window_parent_class)->finalize (object);
}

static void
fh_window_class_init (FhWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_window_dispose;
  object_class->finalize = fh_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = fh_window_close_request;

  g_type_ensure (FH_TYPE_GUARD_BUTTON);
  g_type_ensure (FH_TYPE_NOTICE_BAR);
  g_type_ensure (FH_TYPE_RUN_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fumehood/Fumehood/window/window.ui");
  gtk_widget_class_bind_template_child (widget_class, FhWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, flap);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, history);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, title);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, run_button);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, guard_button);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, notice);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, FhWindow, tab_view);
}

static void
fh_window_init (FhWindow *self)
{
  const char *const watched[] = { "notify::title", "notify::subtitle", "notify::modified" };

  self->cancellable = g_cancellable_new ();
  g_queue_init (&self->closed);
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_window_init_actions (self);
  fh_window_init_tabs (self);
  fh_window_init_drop (self);

  self->page_signals = g_signal_group_new (FH_TYPE_SNIPPET_PAGE);
  for (guint i = 0; i < G_N_ELEMENTS (watched); i++)
    g_signal_group_connect_object (self->page_signals,
                                   watched[i],
                                   G_CALLBACK (update_title),
                                   self,
                                   G_CONNECT_SWAPPED);
  g_signal_group_connect_object (self->page_signals,
                                 "notify::result",
                                 G_CALLBACK (result_cb),
                                 self,
                                 G_CONNECT_SWAPPED);
  g_signal_group_connect_object (self->page_signals,
                                 "notify::run-state",
                                 G_CALLBACK (fh_window_update_actions),
                                 self,
                                 G_CONNECT_SWAPPED);
  g_signal_group_connect_object (self->page_signals,
                                 "notify::protection",
                                 G_CALLBACK (protection_cb),
                                 self,
                                 G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view,
                           "notify::selected-page",
                           G_CALLBACK (page_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view,
                           "notify::n-pages",
                           G_CALLBACK (pages_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

FhWindow *
fh_window_new (GtkApplication *application, FhServices *services)
{
  FhWindow *self;

  g_return_val_if_fail (application == NULL || GTK_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (FH_IS_SERVICES (services), NULL);

  self = g_object_new (FH_TYPE_WINDOW, "application", application, NULL);
  self->services = g_object_ref (services);
  adw_bin_set_child (self->history, fh_history_view_new (fh_services_get_history (services)));
  g_signal_connect_object (fh_services_get_protection (services),
                           "notify::state",
                           G_CALLBACK (protection_cb),
                           self,
                           G_CONNECT_SWAPPED);
  fh_window_restore_state (self);
  page_changed_cb (self);
  return self;
}

void
fh_window_set_history_notice (FhWindow *self, const char *notice)
{
  g_return_if_fail (FH_IS_WINDOW (self));

  g_object_set (adw_bin_get_child (self->history), "notice", notice, NULL);
}
