/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "notifications.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

/* A tab has under this name the id of the notification that its program waits. That of the end has
 * another one, as it may come before the wait is seen to be over. */
#define WAIT_ID "fh-wait-id"

/* A dialog belongs to its window. */
static gboolean
is_in_use (GtkApplication *application, FhWindow *window)
{
  GtkWindow *active = gtk_application_get_active_window (application);

  if (active == NULL || !gtk_window_is_active (active))
    return FALSE;
  return active == GTK_WINDOW (window) ||
         gtk_window_get_transient_for (active) == GTK_WINDOW (window);
}

/* Title and body are shown as plain text. Without a session bus nothing can be shown, and GLib
 * complains. */
static void
notify (GtkApplication *application,
        const char *id,
        const char *tab_id,
        const char *title,
        const char *body)
{
  g_autoptr (GNotification) notification = g_notification_new (title);

  if (g_application_get_dbus_connection (G_APPLICATION (application)) == NULL)
    return;
  g_notification_set_body (notification, body);
  g_notification_set_default_action_and_target (notification, "app.show-page", "s", tab_id);
  g_application_send_notification (G_APPLICATION (application), id, notification);
}

/* A tab that is gone has nothing to show. */
static void
finished_cb (GtkApplication *application,
             FhRunRequest *request,
             FhRunResult *result,
             const char *tab_id)
{
  FhWindow *window = tab_id != NULL ? fh_window_find (application, tab_id) : NULL;

  if (window != NULL && !is_in_use (application, window))
    notify (application,
            tab_id,
            tab_id,
            fh_run_request_get_parts (request)->title,
            fh_run_result_get_parts (result)->sentence);
}

static void
withdraw_wait (GtkApplication *application, FhTab *page)
{
  g_autofree char *id = g_object_steal_data (G_OBJECT (page), WAIT_ID);

  if (id != NULL)
    g_application_withdraw_notification (G_APPLICATION (application), id);
}

static void
run_state_cb (GtkApplication *application, GParamSpec *pspec, FhTab *page)
{
  const char *tab_id = fh_tab_get_id (page);
  FhWindow *window = fh_window_find (application, tab_id);
  char *id;

  if (!fh_tab_waits_for_input (page))
    {
      withdraw_wait (application, page);
      return;
    }
  if (window == NULL || g_object_get_data (G_OBJECT (page), WAIT_ID) != NULL ||
      (is_in_use (application, window) && fh_tabs_get_page (fh_window_get_tabs (window)) == page))
    return;
  id = g_strconcat (tab_id, "-input", NULL);
  g_object_set_data_full (G_OBJECT (page), WAIT_ID, id, g_free);
  notify (application, id, tab_id, fh_tab_get_name (page), _ ("The program waits for input."));
}

static void
withdraw (GtkApplication *application, FhWindow *window)
{
  FhTab *page = fh_tabs_get_page (fh_window_get_tabs (window));

  if (page == NULL || !is_in_use (application, window))
    return;
  g_application_withdraw_notification (G_APPLICATION (application), fh_tab_get_id (page));
  withdraw_wait (application, page);
}

static void
active_cb (GtkApplication *application, GParamSpec *pspec, FhWindow *window)
{
  withdraw (application, window);
}

static void
tab_selected_cb (GtkApplication *application, GParamSpec *pspec, FhTabs *tabs)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (tabs));

  if (FH_IS_WINDOW (window))
    withdraw (application, FH_WINDOW (window));
}

/* A tab that moves to another window is known already. */
static void
attached_cb (GtkApplication *application, AdwTabPage *tab)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  g_signal_handlers_disconnect_by_func (page, run_state_cb, application);
  fh_connect (page, "notify::run-state", run_state_cb, application);
}

void
fh_notifications_start (GtkApplication *application, FhRecorder *recorder)
{
  g_return_if_fail (GTK_IS_APPLICATION (application));
  g_return_if_fail (FH_IS_RECORDER (recorder));

  fh_connect (recorder, "finished", finished_cb, application);
}

void
fh_notifications_add_window (GtkApplication *application, FhWindow *window)
{
  g_return_if_fail (GTK_IS_APPLICATION (application));
  g_return_if_fail (FH_IS_WINDOW (window));

  fh_connect (window, "notify::is-active", active_cb, application);
  fh_connect (fh_window_get_tabs (window), "notify::page", tab_selected_cb, application);
  fh_connect (fh_tabs_get_view (fh_window_get_tabs (window)),
              "page-attached",
              attached_cb,
              application);
}
