/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "awaited.h"

struct _FhAwaited
{
  GMainLoop *loop;
  GAsyncResult *result;
};

FhAwaited *
fh_awaited_new (void)
{
  FhAwaited *awaited = g_new0 (FhAwaited, 1);

  awaited->loop = g_main_loop_new (NULL, FALSE);
  return awaited;
}

void
fh_awaited_free (FhAwaited *awaited)
{
  g_main_loop_unref (awaited->loop);
  g_clear_object (&awaited->result);
  g_free (awaited);
}

void
fh_awaited_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhAwaited *awaited = user_data;

  g_set_object (&awaited->result, result);
  g_main_loop_quit (awaited->loop);
}

GAsyncResult *
fh_awaited_get (FhAwaited *awaited)
{
  g_return_val_if_fail (awaited != NULL, NULL);

  if (awaited->result == NULL)
    g_main_loop_run (awaited->loop);
  return awaited->result;
}
