/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "early-end.h"

#include "wire-translation.h"

typedef struct
{
  FhRun *run;
  FhRunStatus status;
  const char *step;
  char *message;
} EarlyEnd;

static void
early_end_free (gpointer data)
{
  EarlyEnd *end = data;

  g_object_unref (end->run);
  g_free (end->message);
  g_free (end);
}

static gboolean
early_end_cb (gpointer user_data)
{
  EarlyEnd *end = user_data;
  FhRunOutcome outcome = fh_outcome_of_ours (end->status, end->step, end->message);

  fh_run_finish (end->run, &outcome);
  return G_SOURCE_REMOVE;
}

void
fh_run_end_early (FhRun *run, FhRunStatus status, const char *step, const char *message)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  EarlyEnd *end = g_new0 (EarlyEnd, 1);

  g_return_if_fail (FH_IS_RUN (run));

  end->run = g_object_ref (run);
  end->status = status;
  end->step = g_intern_string (step);
  end->message = g_strdup (message);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, early_end_cb, end, early_end_free);
  g_source_attach (source, g_main_context_get_thread_default ());
}
