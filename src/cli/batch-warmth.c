/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-warmth.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "message.h"

/* At most so many different limits are counted; there are seldom two. */
#define MAX_LIMITS 1000

struct _FhBatchWarmth
{
  const FhBatchCommandLine *line;
  GHashTable *counts; /* of the samples with the same limits, by those as a text */
  guint most;
  FhRunLimits usual; /* of most samples */
  gboolean is_split; /* there are samples whose tests run apart */
  gboolean is_told;
};

FhBatchWarmth *
fh_batch_warmth_new (const FhBatchCommandLine *line)
{
  FhBatchWarmth *self = g_new0 (FhBatchWarmth, 1);

  self->line = line;
  self->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->is_told = line->cold;
  return self;
}

void
fh_batch_warmth_free (FhBatchWarmth *self)
{
  g_hash_table_unref (self->counts);
  g_free (self);
}

static gboolean
is_python (FhRunRequest *request)
{
  return g_str_equal (fh_run_request_get_parts (request)->language->id, "python");
}

/* A sample can only have a time and a memory of its own. */
void
fh_batch_warmth_expect (FhBatchWarmth *self, const FhBatchSample *sample)
{
  const FhRunLimits *limits = &fh_run_request_get_parts (sample->request)->limits;
  g_autofree char *key = g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                                          limits->wall_ms,
                                          limits->memory_bytes);
  const guint count = GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, key)) + 1;

  if (!is_python (sample->request) ||
      (count == 1 && g_hash_table_size (self->counts) == MAX_LIMITS))
    return;
  self->is_split = self->is_split || sample->test != NULL;
  g_hash_table_replace (self->counts, g_steal_pointer (&key), GUINT_TO_POINTER (count));
  if (count <= self->most)
    return;
  self->most = count;
  self->usual = *limits;
}

static FhRunRequest *
new_usual (FhBatchWarmth *self)
{
  g_autoptr (FhRunOptions) options = fh_run_options_copy (self->line->options);
  g_autoptr (GBytes) source = g_bytes_new_static ("", 0);

  options->limits = self->usual;
  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .is_called = self->is_split,
                                                  .options = options },
                             NULL);
}

/* Names the modules that Python does not find. An interpreter that is kept warm goes on without
 * them, and has no way to say so. */
static const char find_modules[] = "import importlib.util, sys\n"
                                   "for name in sys.argv[1:]:\n"
                                   "    try:\n"
                                   "        found = importlib.util.find_spec(name)\n"
                                   "    except ImportError:\n"
                                   "        found = None\n"
                                   "    if not found:\n"
                                   "        print(name)\n";

static void
tell_missing (FhBatchWarmth *self)
{
  const char *const *modules = (const char *const *) self->line->preload;
  g_autoptr (GBytes) source = g_bytes_new_static (find_modules, strlen (find_modules));
  g_autoptr (FhRunRequest) request =
      fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                               .source = source,
                                               .arguments = modules,
                                               .options = self->line->options },
                          NULL);
  g_autoptr (FhExecutor) executor = fh_executor_new (NULL);
  g_autoptr (FhRun) run = request != NULL ? fh_executor_run (executor, request) : NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) missing = NULL;

  if (run == NULL)
    return;
  while (fh_run_get_state (run) != FH_RUN_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  text = fh_output_log_dup_text (fh_run_result_get_parts (fh_run_get_result (run))->output,
                                 FH_STREAM_STDOUT);
  missing = g_strsplit (text, "\n", -1);
  for (guint i = 0; modules[i] != NULL; i++)
    {
      if (g_strv_contains ((const char *const *) missing, modules[i]))
        fh_message (_ ("Python does not find the module “%s”, so it is not imported ahead."),
                    modules[i]);
    }
}

void
fh_batch_warmth_begin (FhBatchWarmth *self, FhBatch *batch)
{
  g_autoptr (FhRunRequest) usual = NULL;

  if (self->line->cold || self->line->container != NULL || self->most == 0)
    return;
  if (self->line->preload[0] != NULL)
    tell_missing (self);
  usual = new_usual (self);
  if (usual != NULL)
    fh_batch_keep_warm (batch, usual, (const char *const *) self->line->preload);
}

/* A sample that differs from the others says nothing about them, nor does one that had to share an
 * interpreter with its tests. */
static gboolean
is_usual (FhBatchWarmth *self, const FhBatchSample *sample)
{
  return is_python (sample->request) &&
         self->is_split == (sample->tests != FH_BATCH_TESTS_TOGETHER) &&
         fh_run_limits_equal (&fh_run_request_get_parts (sample->request)->limits, &self->usual);
}

static const char *
why_not (FhBatchWarmth *self, FhRun *run)
{
  if (self->line->container != NULL)
    return _ ("Each program starts its own interpreter: in containers none is kept warm.");
  if (self->line->options->guards.allow_hosts != NULL)
    return _ ("Each program starts its own interpreter: with hosts allowed, none is kept warm.");
  if (!g_str_equal (fh_run_result_get_parts (fh_run_get_result (run))->tier, "A"))
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
fh_batch_warmth_add (FhBatchWarmth *self, const FhBatchSample *sample, FhRun *run)
{
  if (self->is_told || !is_usual (self, sample))
    return;
  self->is_told = TRUE;
  fh_message ("%s",
              fh_run_is_forked (run)
                  ? _ ("Each program is a copy of a warm interpreter; with --cold, it starts its "
                       "own.")
                  : why_not (self, run));
}
