/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "executor-end.h"

#include <string.h>

#include "message.h"
#include "sync-wait.h"

void
fh_executor_end (FhExecutor *executor)
{
  FhRun *run = fh_executor_get_run (executor);
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GError) error = NULL;

  if (run != NULL)
    g_set_object (&result, fh_run_get_result (run));
  fh_executor_close_async (executor, fh_sync_wait_cb, wait);
  if (!fh_executor_close_finish (executor, fh_sync_wait_get (wait), &error) &&
      (result == NULL || strstr (fh_run_result_get_sentence (result), error->message) == NULL))
    fh_message ("%s", error->message);
}
