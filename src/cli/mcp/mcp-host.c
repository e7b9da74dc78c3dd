/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mcp-host.h"

#include "message.h"

struct _FhMcpHost
{
  FhRunOptions *options;
  FhHistory *history;
  FhRecorder *recorder;
  FhProbes *probes;
  GPtrArray *executors; /* (element-type FhExecutor): that nothing runs in */
  gboolean is_closing;
  guint n_closing; /* executors */
};

static void
notice_cb (FhRecorder *recorder, const char *notice)
{
  fh_message ("%s", notice);
}

FhMcpHost *
fh_mcp_host_new (const FhRunOptions *options)
{
  FhMcpHost *self = g_new0 (FhMcpHost, 1);

  self->options = fh_run_options_copy (options);
  self->probes = fh_probes_new (NULL);
  self->executors = g_ptr_array_new_with_free_func (g_object_unref);
  self->history = fh_history_new (NULL);
  self->recorder = fh_recorder_new (self->history);
  g_signal_connect (self->recorder, "notice", G_CALLBACK (notice_cb), NULL);
  return self;
}

static void
closed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhMcpHost *self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_executor_close_finish (FH_EXECUTOR (source), result, &error))
    fh_message ("%s", error->message);
  self->n_closing--;
}

void
fh_mcp_host_close (FhMcpHost *self)
{
  self->is_closing = TRUE;
  self->n_closing += self->executors->len;
  for (guint i = 0; i < self->executors->len; i++)
    fh_executor_close_async (g_ptr_array_index (self->executors, i), closed_cb, self);
  g_ptr_array_set_size (self->executors, 0);
}

gboolean
fh_mcp_host_is_closed (FhMcpHost *self)
{
  return self->is_closing && self->n_closing == 0;
}

void
fh_mcp_host_free (FhMcpHost *self)
{
  g_assert (fh_mcp_host_is_closed (self) && !fh_recorder_get_busy (self->recorder));

  g_ptr_array_unref (self->executors);
  g_object_unref (self->recorder);
  g_object_unref (self->history);
  g_object_unref (self->probes);
  fh_run_options_free (self->options);
  g_free (self);
}

const FhRunOptions *
fh_mcp_host_get_options (FhMcpHost *self)
{
  return self->options;
}

FhHistory *
fh_mcp_host_get_history (FhMcpHost *self)
{
  return self->options->no_history ? NULL : self->history;
}

FhRecorder *
fh_mcp_host_get_recorder (FhMcpHost *self)
{
  return self->recorder;
}

gboolean
fh_mcp_host_keeps_container (FhMcpHost *self)
{
  return self->options->in_container && self->options->container.is_kept;
}

gboolean
fh_mcp_host_keeps_files (FhMcpHost *self)
{
  return fh_mcp_host_keeps_container (self) || fh_run_options_get_work_dir (self->options) != NULL;
}

gboolean
fh_mcp_host_is_python_only (FhMcpHost *self)
{
  const FhRunGuards *guards = &self->options->guards;

  return guards->limit_functions || guards->imports != NULL || guards->max_operations > 0;
}

FhExecutor *
fh_mcp_host_take_executor (FhMcpHost *self)
{
  if (self->executors->len > 0)
    return g_ptr_array_steal_index (self->executors, self->executors->len - 1);
  return fh_executor_new (self->probes);
}

void
fh_mcp_host_return_executor (FhMcpHost *self, FhExecutor *executor)
{
  /* Its output may be large. */
  fh_executor_end_run (executor);
  g_ptr_array_add (self->executors, executor);
  if (self->is_closing)
    fh_mcp_host_close (self);
}
