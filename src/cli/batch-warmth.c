/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-warmth.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "message.h"

static FhRunRequest *
new_usual (const FhRunOptions *options)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("", 0);

  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .options = options },
                             NULL);
}

void
fh_batch_warmth_begin (FhBatchWarmth *self, const FhBatchCommandLine *line, FhBatch *batch)
{
  g_autoptr (FhRunRequest) usual = NULL;

  self->line = line;
  self->is_told = line->cold;
  if (line->cold || line->container != NULL)
    return;
  usual = new_usual (line->options);
  if (usual != NULL)
    fh_batch_keep_warm (batch, usual, (const char *const *) line->preload);
}

/* A sample that differs from the others says nothing about them. */
static gboolean
is_usual (FhBatchWarmth *self, FhRunRequest *request)
{
  return g_str_equal (fh_run_request_get_language (request)->id, "python") &&
         fh_run_limits_equal (fh_run_request_get_limits (request), &self->line->options->limits);
}

static const char *
why_not (FhBatchWarmth *self, FhRun *run)
{
  if (self->line->container != NULL)
    return _ ("Each program starts its own interpreter: in containers none is kept warm.");
  if (self->line->options->guards.allow_hosts != NULL)
    return _ ("Each program starts its own interpreter: with hosts allowed, none is kept warm.");
  if (!g_str_equal (fh_run_result_get_tier (fh_run_get_result (run)), "A"))
    return _ (
        "Each program starts its own interpreter: only in a sandbox of tier A can one be kept "
        "warm.");
  if (self->line->preload[0] != NULL)
    return _ (
        "Each program starts its own interpreter: one that is kept warm did not work here. It may "
        "with fewer modules in --preload: those that leave threads or processes cannot be "
        "copied.");
  return _ ("Each program starts its own interpreter: one that is kept warm did not work here.");
}

void
fh_batch_warmth_add (FhBatchWarmth *self, FhRun *run)
{
  if (self->is_told || !is_usual (self, fh_run_get_request (run)))
    return;
  self->is_told = TRUE;
  fh_message ("%s",
              fh_run_is_forked (run)
                  ? _ ("Each program is a copy of a warm interpreter; with --cold, it starts its "
                       "own.")
                  : why_not (self, run));
}
