/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "notifications.h"

#include "parts/calls.h"

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

/* Title and sentence are shown as plain text. A tab that is gone has nothing to show; and without a
 * session bus it cannot be shown, and GLib complains. */
static void
finished_cb (GtkApplication *application,
             FhRunRequest *request,
             FhRunResult *result,
             const char *tab_id)
{
  FhWindow *window = tab_id != NULL ? fh_window_find (application, tab_id) : NULL;
  g_autoptr (GNotification) notification = NULL;

  if (window == NULL || is_in_use (application, window) ||
      g_application_get_dbus_connection (G_APPLICATION (application)) == NULL)
    return;
  notification = g_notification_new (fh_run_request_get_parts (request)->title);
  g_notification_set_body (notification, fh_run_result_get_parts (result)->sentence);
  g_notification_set_default_action_and_target (notification, "app.show-page", "s", tab_id);
  g_application_send_notification (G_APPLICATION (application), tab_id, notification);
}

static void
withdraw (GtkApplication *application, FhWindow *window)
{
  FhTab *page = fh_tabs_get_page (fh_window_get_tabs (window));

  if (page != NULL && is_in_use (application, window))
    g_application_withdraw_notification (G_APPLICATION (application), fh_tab_get_id (page));
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
}
