/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "warm-interpreter.h"

#include "prepared-runner.h"

/* So many in succession: then none is started any more. */
#define MAX_FAILURES 3

/* These modules are what solutions import most, and each import takes milliseconds. They are
 * Python's own, and a program can notice of them only that they are there. */
static const char *const common_modules[] = { "bisect", "collections", "copy",   "functools",
                                              "heapq",  "itertools",   "math",   "operator",
                                              "re",     "string",      "typing", NULL };

/* Before it retires: time for its successor to start, and to import what is imported ahead. */
#define LAST_RUNS 100

struct _FhWarmInterpreter
{
  FhRunRequest *like;
  GStrv modules;
  GBytes *alike;           /* the policy of a single run like it; NULL until needed */
  GBytes *forked;          /* that of the runner */
  FhPreparedRunner *ready; /* NULL: none, or it is running something */
  FhPreparedRunner *next;  /* its successor, before it retires; else NULL */
  FhTier tier;             /* of both */
  int cpu;                 /* of both */
  guint n_runs;            /* of that which is ready or running */
  guint n_failures;
};

FhWarmInterpreter *
fh_warm_interpreter_new (FhRunRequest *like, const char *const *modules)
{
  FhWarmInterpreter *self = g_new0 (FhWarmInterpreter, 1);
  const guint n = g_strv_length ((GStrv) (gpointer) modules);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  self->like = g_object_ref (like);
  g_strv_builder_addv (builder, (const char **) (gpointer) modules);
  for (guint i = 0; common_modules[i] != NULL && n + i < FH_POLICY_MAX_PRELOAD; i++)
    g_strv_builder_add (builder, common_modules[i]);
  self->modules = g_strv_builder_end (builder);
  return self;
}

void
fh_warm_interpreter_free (FhWarmInterpreter *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->like);
  g_strfreev (self->modules);
  g_clear_pointer (&self->alike, g_bytes_unref);
  g_clear_pointer (&self->forked, g_bytes_unref);
  fh_prepared_runner_free (self->ready);
  fh_prepared_runner_free (self->next);
  g_free (self);
}

static void
fork_order (FhWarmInterpreter *self, FhOrder *order)
{
  fh_policy_fork (order->policy, (const char *const *) self->modules);
  fh_order_encode (order, NULL);
}

/* Only in tier A can an interpreter fork, so the policies are the same for all its runs. */
static gboolean
is_alike (FhWarmInterpreter *self, const FhOrder *order)
{
  if (self->alike == NULL)
    {
      g_autoptr (FhOrder) like = fh_native_order_new (self->like, order->tier, NULL, NULL);

      self->alike = like != NULL ? g_bytes_ref (like->frame) : NULL;
    }
  return self->alike != NULL && g_bytes_equal (order->frame, self->alike);
}

/* A file of the program's that is called like a module wins over that, but not if the module is
 * there already. It may be in a folder that the program searches. */
static gboolean
brings_module (FhWarmInterpreter *self, FhRunRequest *request)
{
  GPtrArray *files = fh_run_request_get_files (request);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const FhRunFile *file = files->pdata[i];
      g_auto (GStrv) parts = g_strsplit_set (file->path, "/.", -1);

      for (guint part = 0; parts[part] != NULL; part++)
        if (g_strv_contains ((const char *const *) self->modules, parts[part]))
          return TRUE;
    }
  return FALSE;
}

gboolean
fh_warm_interpreter_take (FhWarmInterpreter *self, FhOrder *order)
{
  /* A forked run gets no input before it begins, if more may come later. */
  if (fh_run_request_get_input_stays (order->request) &&
      !fh_run_request_takes_live_input (order->request))
    return FALSE;
  if (self->n_failures == MAX_FAILURES || !fh_policy_can_fork (order->policy) ||
      brings_module (self, order->request) || !is_alike (self, order))
    return FALSE;
  fork_order (self, order);
  if (self->forked == NULL && order->frame != NULL)
    self->forked = g_bytes_ref (order->frame);
  self->tier = order->tier;
  self->cpu = order->cpu;
  return TRUE;
}

FhRunner *
fh_warm_interpreter_steal (FhWarmInterpreter *self, const FhOrder *order, GBytes **guards)
{
  g_autoptr (FhPreparedRunner) ready = g_steal_pointer (&self->ready);
  g_autoptr (FhPreparedRunner) next = NULL;
  FhRunner *runner = ready != NULL ? fh_prepared_runner_steal (ready, order->frame, guards) : NULL;

  if (runner != NULL)
    return runner;
  self->n_runs = 0;
  next = g_steal_pointer (&self->next);
  return next != NULL ? fh_prepared_runner_steal (next, order->frame, guards) : NULL;
}

static FhPreparedRunner *
start_another (FhWarmInterpreter *self)
{
  g_autoptr (FhOrder) order = fh_native_order_new (self->like, self->tier, NULL, NULL);

  if (order == NULL)
    return NULL;
  order->cpu = self->cpu;
  fork_order (self, order);
  return order->frame != NULL ? fh_prepared_runner_start (order) : NULL;
}

void
fh_warm_interpreter_keep (FhWarmInterpreter *self, FhRunner *runner)
{
  g_return_if_fail (self->ready == NULL && self->forked != NULL);

  self->n_failures = 0;
  self->n_runs++;
  if (self->n_runs == FH_FORKED_RUNS_MAX - LAST_RUNS)
    self->next = start_another (self);
  self->ready = fh_prepared_runner_new (runner, self->forked);
  /* It would refuse another run. */
  if (self->n_runs == FH_FORKED_RUNS_MAX)
    g_clear_pointer (&self->ready, fh_prepared_runner_free);
}

void
fh_warm_interpreter_fail (FhWarmInterpreter *self)
{
  self->n_failures++;
}
