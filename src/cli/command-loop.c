/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "command-loop.h"

#include <glib-unix.h>
#include <string.h>

#include "message.h"
#include "stop-signals.h"
#include "sync-wait.h"

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer user_data)
{
  while (fh_stop_signals_take () != 0)
    fh_series_stop (user_data);
  return G_SOURCE_CONTINUE;
}

void
fh_command_loop_run (FhSeries *series)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  guint source;

  fh_stop_signals_catch ();
  source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, series);
  g_signal_connect_swapped (series, "done", G_CALLBACK (g_main_loop_quit), loop);
  if (fh_series_get_state (series) != FH_SERIES_DONE)
    g_main_loop_run (loop);
  g_signal_handlers_disconnect_by_data (series, loop);
  g_source_remove (source);
}

/* The executor is closed first, because it waits for the container of a run that goes on; the
 * series then takes the end of that run. */
void
fh_command_loop_end (FhExecutor *executor, FhSeries *series)
{
  FhRun *run = fh_executor_get_run (executor);
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GError) error = NULL;

  if (run != NULL)
    g_set_object (&result, fh_run_get_result (run));
  fh_executor_close_async (executor, fh_sync_wait_cb, wait);
  fh_series_close (series);
  if (!fh_executor_close_finish (executor, fh_sync_wait_get (wait), &error) &&
      (result == NULL ||
       strstr (fh_run_result_get_parts (result)->sentence, error->message) == NULL))
    fh_message ("%s", error->message);
}

void
fh_command_loop_save (FhRecorder *recorder)
{
  while (fh_recorder_get_busy (recorder))
    g_main_context_iteration (NULL, TRUE);
}
