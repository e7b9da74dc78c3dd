/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sync-wait.h"

struct _FhSyncWait
{
  GMainLoop *loop;
  GAsyncResult *result;
};

FhSyncWait *
fh_sync_wait_new (void)
{
  FhSyncWait *wait = g_new0 (FhSyncWait, 1);

  wait->loop = g_main_loop_new (NULL, FALSE);
  return wait;
}

void
fh_sync_wait_free (FhSyncWait *wait)
{
  g_main_loop_unref (wait->loop);
  g_clear_object (&wait->result);
  g_free (wait);
}

void
fh_sync_wait_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhSyncWait *wait = user_data;

  g_set_object (&wait->result, result);
  g_main_loop_quit (wait->loop);
}

GAsyncResult *
fh_sync_wait_get (FhSyncWait *wait)
{
  g_return_val_if_fail (wait != NULL, NULL);

  if (wait->result == NULL)
    g_main_loop_run (wait->loop);
  return wait->result;
}
