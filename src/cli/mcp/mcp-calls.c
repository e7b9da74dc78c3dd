/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-calls.h"

#include "mcp-approval.h"
#include "mcp-result.h"

/* Works that are done at a time. */
#define MAX_RUNNING 8
/* Calls that wait for one of them to end. */
#define MAX_WAITING 100
/* Between two notifications of one call. */
#define PROGRESS_MS 500

struct _FhMcpCalls
{
  FhRpcChannel *channel;
  GQueue waiting; /* (element-type Call) */
  GQueue running; /* the same */
  char *client;   /* that a person is asked about; NULL: none is */
  gboolean is_stopped;
};

typedef struct
{
  FhMcpCalls *calls;
  FhRpcCall *rpc; /* NULL: cancelled */
  FhMcpWork *work;
  char *title;
  GCancellable *asking; /* while a person is asked */
  JsonNode *token;      /* nullable */
  gint64 begin;
  guint timer;
} Call;

static void
call_free (Call *call)
{
  g_clear_handle_id (&call->timer, g_source_remove);
  g_clear_pointer (&call->rpc, fh_rpc_call_drop);
  g_clear_pointer (&call->token, json_node_unref);
  g_signal_handlers_disconnect_by_data (call->work, call);
  g_object_unref (call->work);
  g_clear_object (&call->asking);
  g_free (call->title);
  g_free (call);
}

/* The progress grows with each notification, as the protocol wants it. */
static gboolean
progress_cb (gpointer user_data)
{
  Call *call = user_data;
  g_autofree char *message = call->asking != NULL
                                 ? g_strdup ("A person is asked in Fumehood’s window.")
                                 : fh_mcp_work_dup_progress (call->work);
  JsonObject *params = json_object_new ();

  json_object_set_member (params, "progressToken", json_node_copy (call->token));
  json_object_set_double_member (params,
                                 "progress",
                                 (double) (g_get_monotonic_time () - call->begin) / 1e6);
  json_object_set_string_member (params, "message", message);
  fh_rpc_channel_notify (call->calls->channel, "notifications/progress", params);
  return G_SOURCE_CONTINUE;
}

static void next (FhMcpCalls *self);

/* `result`: nullable; the call was cancelled. */
static void
end (Call *call, JsonObject *result)
{
  FhMcpCalls *self = call->calls;

  if (call->rpc != NULL && result != NULL)
    fh_rpc_call_answer (g_steal_pointer (&call->rpc), json_object_ref (result));
  g_queue_remove (&self->running, call);
  call_free (call);
  next (self);
}

static void
done_cb (FhMcpWork *work, JsonObject *result, Call *call)
{
  end (call, result);
}

static void
do_work (Call *call)
{
  g_signal_connect (call->work, "done", G_CALLBACK (done_cb), call);
  fh_mcp_work_start (call->work);
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;
  g_autofree char *reason = NULL;
  const gboolean is_approved = fh_mcp_approval_ask_finish (result, &reason);
  const gboolean was_cancelled = g_cancellable_is_cancelled (call->asking);

  g_clear_object (&call->asking);
  if (was_cancelled)
    end (call, NULL);
  else if (is_approved)
    do_work (call);
  else
    {
      g_autofree char *text =
          g_strconcat ("Code execution was not approved. Reason: ", reason, NULL);
      g_autoptr (JsonObject) refusal = fh_mcp_result_new_refusal (text);

      end (call, refusal);
    }
}

static void
start (FhMcpCalls *self, Call *call)
{
  const FhMcpApproval approval = {
    .client = self->client,
    .tool = call->title,
    .code = fh_mcp_work_get_code (call->work),
    .language = fh_mcp_work_get_language (call->work),
    .summary = fh_mcp_work_get_summary (call->work),
  };

  g_queue_push_tail (&self->running, call);
  if (self->client == NULL || approval.code == NULL)
    {
      do_work (call);
      return;
    }
  call->asking = g_cancellable_new ();
  fh_mcp_approval_ask_async (&approval, call->asking, asked_cb, call);
}

static gboolean
may_start (FhMcpCalls *self, Call *call)
{
  const char *key = fh_mcp_work_get_key (call->work);

  for (GList *at = self->running.head; key != NULL && at != NULL; at = at->next)
    {
      if (g_strcmp0 (fh_mcp_work_get_key (((Call *) at->data)->work), key) == 0)
        return FALSE;
    }
  return TRUE;
}

static void
next (FhMcpCalls *self)
{
  GList *at = self->waiting.head;

  while (at != NULL && g_queue_get_length (&self->running) < MAX_RUNNING)
    {
      GList *following = at->next;
      Call *call = at->data;

      if (may_start (self, call))
        {
          g_queue_delete_link (&self->waiting, at);
          start (self, call);
        }
      at = following;
    }
}

FhMcpCalls *
fh_mcp_calls_new (FhRpcChannel *channel)
{
  FhMcpCalls *self = g_new0 (FhMcpCalls, 1);

  self->channel = channel;
  return self;
}

void
fh_mcp_calls_free (FhMcpCalls *self)
{
  g_assert (fh_mcp_calls_are_done (self));

  g_free (self->client);
  g_free (self);
}

void
fh_mcp_calls_set_asking (FhMcpCalls *self, const char *client)
{
  g_free (self->client);
  self->client = g_strdup (client);
}

void
fh_mcp_calls_add (FhMcpCalls *self,
                  FhRpcCall *rpc,
                  FhMcpWork *work,
                  const char *title,
                  JsonNode *token)
{
  g_autoptr (FhMcpWork) owned = work;
  Call *call;

  if (self->is_stopped || g_queue_get_length (&self->waiting) >= MAX_WAITING)
    {
      fh_rpc_call_refuse (rpc, FH_RPC_BUSY, "Too many calls are waiting.", NULL);
      return;
    }
  call = g_new0 (Call, 1);
  call->calls = self;
  call->rpc = rpc;
  call->work = g_steal_pointer (&owned);
  call->title = g_strdup (title);
  call->token = token != NULL ? json_node_copy (token) : NULL;
  call->begin = g_get_monotonic_time ();
  if (token != NULL)
    call->timer = g_timeout_add (PROGRESS_MS, progress_cb, call);
  g_queue_push_tail (&self->waiting, call);
  next (self);
}

/* Its place is free when the work has ended. */
static void
cancel (Call *call, gboolean by_force)
{
  g_clear_handle_id (&call->timer, g_source_remove);
  g_clear_pointer (&call->rpc, fh_rpc_call_drop);
  if (call->asking != NULL)
    g_cancellable_cancel (call->asking);
  else
    fh_mcp_work_stop (call->work, by_force);
}

static gint
compare (gconstpointer item, gconstpointer rpc)
{
  return ((const Call *) item)->rpc == rpc ? 0 : 1;
}

gboolean
fh_mcp_calls_cancel (FhMcpCalls *self, FhRpcCall *rpc)
{
  GList *waiting = g_queue_find_custom (&self->waiting, rpc, compare);
  GList *running = g_queue_find_custom (&self->running, rpc, compare);

  if (waiting != NULL)
    {
      call_free (waiting->data);
      g_queue_delete_link (&self->waiting, waiting);
    }
  else if (running != NULL)
    cancel (running->data, FALSE);
  return waiting != NULL || running != NULL;
}

void
fh_mcp_calls_stop (FhMcpCalls *self)
{
  self->is_stopped = TRUE;
  g_queue_clear_full (&self->waiting, (GDestroyNotify) call_free);
  for (GList *at = self->running.head; at != NULL; at = at->next)
    cancel (at->data, TRUE);
}

gboolean
fh_mcp_calls_are_done (FhMcpCalls *self)
{
  return g_queue_is_empty (&self->running) && g_queue_is_empty (&self->waiting);
}
