/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "notifications.h"

#define LONG_RUN_US (10 * G_USEC_PER_SEC)

gboolean
fh_notifications_is_long (guint64 wall_us)
{
  return wall_us > LONG_RUN_US;
}

static gboolean
user_is_here (GtkApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (application);

  return window != NULL && gtk_window_is_active (window);
}

void
fh_notifications_run_finished (GtkApplication *application, FhRun *run, const char *page_id)
{
  g_autoptr (GNotification) notification = NULL;
  FhRunResult *result;

  g_return_if_fail (GTK_IS_APPLICATION (application));
  g_return_if_fail (FH_IS_RUN (run));

  result = fh_run_get_result (run);
  if (!fh_notifications_is_long (fh_run_result_get_outcome (result)->wall_us) ||
      user_is_here (application))
    return;
  notification = g_notification_new (fh_run_request_get_title (fh_run_get_request (run)));
  g_notification_set_body (notification, fh_run_result_get_sentence (result));
  g_notification_set_default_action_and_target (notification, "app.show-page", "s", page_id);
  g_application_send_notification (G_APPLICATION (application), page_id, notification);
}
