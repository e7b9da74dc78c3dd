/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mcp-look.h"

#include "code-look.h"
#include "mcp-result.h"

struct _FhMcpLook
{
  FhMcpWork parent_instance;

  FhMcpHost *host;
  GPtrArray *blocks;
  FhRunRequest *request;
  FhExecutor *executor; /* while it works */
  FhRun *run;
  guint turn; /* an idle source */
};

G_DEFINE_FINAL_TYPE (FhMcpLook, fh_mcp_look, FH_TYPE_MCP_WORK)

static void
release (FhMcpLook *self)
{
  g_clear_object (&self->run);
  if (self->executor != NULL)
    fh_mcp_host_return_executor (self->host, g_steal_pointer (&self->executor));
}

/* Ends in a later turn, because the sandbox that told of it is not to be replaced now. */
static gboolean
ended_cb (gpointer user_data)
{
  FhMcpLook *self = user_data;
  g_autoptr (FhRunResult) result = g_object_ref (fh_run_get_result (self->run));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) looks = fh_code_look_read (result, self->blocks, &error);
  JsonObject *found = looks != NULL ? fh_code_look_to_json (looks->pdata[0]) : NULL;
  g_autofree char *text =
      found != NULL ? fh_code_look_dup_text (looks->pdata[0]) : g_strdup (error->message);

  release (self);
  fh_mcp_work_finish (FH_MCP_WORK (self), fh_mcp_result_new (text, found, found == NULL));
  return G_SOURCE_REMOVE;
}

static void
state_cb (FhRun *run, GParamSpec *pspec, FhMcpLook *self)
{
  if (fh_run_get_state (run) == FH_RUN_FINISHED && self->turn == 0)
    self->turn =
        g_idle_add_full (G_PRIORITY_DEFAULT, ended_cb, g_object_ref (self), g_object_unref);
}

static void
start (FhMcpWork *work)
{
  FhMcpLook *self = FH_MCP_LOOK (work);

  self->executor = fh_mcp_host_take_executor (self->host);
  self->run = fh_executor_run (self->executor, self->request);
  g_signal_connect_object (self->run, "notify::state", G_CALLBACK (state_cb), self, 0);
  state_cb (self->run, NULL, self);
}

static void
stop (FhMcpWork *work, gboolean by_force)
{
  FhMcpLook *self = FH_MCP_LOOK (work);

  if (self->run != NULL)
    fh_run_stop (self->run);
  if (self->run != NULL && by_force)
    fh_run_stop (self->run);
}

static void
fh_mcp_look_finalize (GObject *object)
{
  FhMcpLook *self = FH_MCP_LOOK (object);

  release (self);
  g_ptr_array_unref (self->blocks);
  g_object_unref (self->request);

  G_OBJECT_CLASS (fh_mcp_look_parent_class)->finalize (object);
}

static void
fh_mcp_look_class_init (FhMcpLookClass *klass)
{
  FhMcpWorkClass *work_class = FH_MCP_WORK_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fh_mcp_look_finalize;
  work_class->start = start;
  work_class->stop = stop;
}

static void
fh_mcp_look_init (FhMcpLook *self)
{
}

FhMcpWork *
fh_mcp_look_new (FhMcpHost *host, GPtrArray *blocks, GError **error)
{
  g_autoptr (FhRunRequest) request =
      fh_code_look_new_request (blocks, fh_mcp_host_get_options (host), error);
  FhMcpLook *self;

  if (request == NULL)
    return NULL;
  self = g_object_new (FH_TYPE_MCP_LOOK, NULL);
  self->host = host;
  self->blocks = g_ptr_array_ref (blocks);
  self->request = g_steal_pointer (&request);
  if (fh_mcp_host_keeps_container (host))
    fh_mcp_work_set_key (FH_MCP_WORK (self), FH_MCP_CONTAINER_KEY);
  return FH_MCP_WORK (self);
}
