/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-driver.h"

#include "main-source.h"

/* The end of a run that was never started. */
typedef struct
{
  FhRun *run;
  FhRunOutcome outcome;
  char *message;
} Early;

static void
early_free (gpointer data)
{
  Early *early = data;

  g_object_unref (early->run);
  g_free (early->message);
  g_free (early);
}

static gboolean
finish_cb (gpointer user_data)
{
  Early *early = user_data;

  fh_run_finish (early->run, &early->outcome);
  return G_SOURCE_REMOVE;
}

void
fh_run_finish_early (FhRun *self, FhRunStatus status, const char *step, const char *message)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  Early *early;

  g_return_if_fail (FH_IS_RUN (self));

  early = g_new0 (Early, 1);
  early->run = g_object_ref (self);
  early->message = g_strdup (message);
  early->outcome = (FhRunOutcome){
    .status = status,
    .exit_code = -1,
    .signal = -1,
    .step = g_intern_string (step),
    .message = early->message,
  };
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  fh_source_attach (source, finish_cb, early, early_free);
}
