/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-server.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "command.h"
#include "json-member.h"
#include "mcp-calls.h"
#include "mcp-resources.h"
#include "mcp-tools.h"
#include "message.h"
#include "rpc-channel.h"
#include "stop-signals.h"
#include "write-out.h"

/* The version of the protocol. A client that asks for another one is told of this, and may leave.
 */
#define VERSION "2025-06-18"

/* Runs that are killed end sooner. */
#define CLOSE_MS 3000
/* A write to the history waits 10 s for another program, and then says so. */
#define KEEP_MS 15000

typedef struct
{
  FhMcpHost *host;
  FhMcpSessions *sessions;
  FhRpcChannel *channel;
  FhMcpTools *tools;
  FhMcpCalls *calls;
  FhMcpResources *resources;
  gboolean asks;       /* a person before anything runs */
  gboolean is_greeted; /* a client has introduced itself */
  gboolean must_close; /* the client has gone, or a signal has come */
  guint n_signals;
  int status;
} Server;

static JsonObject *
get_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static char *
describe_option (const FhRunOptions *options, const char *key)
{
  return fh_run_option_describe (fh_run_option_find (key), options);
}

/* Instructions for a model that hold for all calls. */
static char *
new_instructions (Server *self)
{
  const FhRunOptions *options = fh_mcp_host_get_options (self->host);
  g_autofree char *time = describe_option (options, "limits.wall_ms");
  g_autofree char *memory = describe_option (options, "limits.memory_bytes");
  g_autofree char *others = fh_run_options_describe (options);

  return g_strdup_printf ("Code runs on the user's computer in sandboxes made by Fumehood, which "
                          "also tell what it tried and which guard stopped it. Limits of each "
                          "run: time %s, memory %s. What the user chose besides: %s.",
                          time,
                          memory,
                          *others != '\0' ? others : "nothing");
}

/* `client`: nullable; what it says of itself. */
static void
ask_about (Server *self, JsonObject *client)
{
  const char *title = fh_json_get_text (client, "title");
  const char *name = fh_json_get_text (client, "name");

  fh_mcp_calls_set_asking (self->calls, title != NULL ? title : name != NULL ? name : "?");
}

static void
initialize (Server *self, FhRpcCall *call)
{
  const char *wanted = fh_json_get_text (fh_rpc_call_get_params (call), "protocolVersion");
  g_autofree char *instructions = new_instructions (self);
  JsonObject *result;
  JsonObject *server;
  JsonObject *capabilities;

  if (self->is_greeted || wanted == NULL)
    {
      fh_rpc_call_refuse (call,
                          wanted == NULL ? FH_RPC_BAD_PARAMS : FH_RPC_INVALID,
                          wanted == NULL ? "“protocolVersion” must be a string."
                                         : "This must be the first request, and only once.",
                          NULL);
      return;
    }
  self->is_greeted = TRUE;
  if (self->asks)
    ask_about (self, get_object (fh_rpc_call_get_params (call), "clientInfo"));
  result = json_object_new ();
  server = json_object_new ();
  capabilities = json_object_new ();
  json_object_set_object_member (capabilities, "tools", json_object_new ());
  if (fh_mcp_resources_are_there (self->resources))
    json_object_set_object_member (capabilities, "resources", json_object_new ());
  json_object_set_string_member (server, "name", "fumehood");
  json_object_set_string_member (server, "title", "Fumehood");
  json_object_set_string_member (server, "version", FH_VERSION);
  json_object_set_string_member (result, "protocolVersion", VERSION);
  json_object_set_object_member (result, "capabilities", capabilities);
  json_object_set_object_member (result, "serverInfo", server);
  json_object_set_string_member (result, "instructions", instructions);
  fh_rpc_call_answer (call, result);
}

static void
ping (Server *self, FhRpcCall *call)
{
  fh_rpc_call_answer (call, json_object_new ());
}

/* All of them fit into one page. */
static void
list_tools (Server *self, FhRpcCall *call)
{
  JsonObject *params = fh_rpc_call_get_params (call);
  JsonObject *result;

  if (params != NULL && json_object_has_member (params, "cursor"))
    {
      fh_rpc_call_refuse (call, FH_RPC_BAD_PARAMS, "There is no such page.", NULL);
      return;
    }
  result = json_object_new ();
  json_object_set_array_member (result, "tools", fh_mcp_tools_list (self->tools));
  fh_rpc_call_answer (call, result);
}

/* A string or an integer; NULL: there is none. Borrowed. */
static JsonNode *
get_token (JsonObject *params)
{
  JsonObject *meta = get_object (params, "_meta");
  JsonNode *token = meta != NULL ? json_object_get_member (meta, "progressToken") : NULL;
  const GType type = token != NULL ? json_node_get_value_type (token) : G_TYPE_INVALID;

  return type == G_TYPE_STRING || type == G_TYPE_INT64 ? token : NULL;
}

static void
call_tool (Server *self, FhRpcCall *call)
{
  JsonObject *params = fh_rpc_call_get_params (call);
  const char *name = fh_json_get_text (params, "name");
  g_autoptr (JsonObject) arguments = json_object_new ();
  g_autoptr (GError) error = NULL;
  FhMcpWork *work;

  if (name == NULL || fh_mcp_tools_get_title (self->tools, name) == NULL)
    {
      g_autofree char *message = g_strdup_printf ("Unknown tool: %.60s", name != NULL ? name : "");

      fh_rpc_call_refuse (call, FH_RPC_BAD_PARAMS, message, NULL);
      return;
    }
  if (json_object_has_member (params, "arguments"))
    {
      json_object_unref (arguments);
      arguments = get_object (params, "arguments");
      if (arguments == NULL)
        {
          fh_rpc_call_refuse (call, FH_RPC_BAD_PARAMS, "“arguments” must be an object.", NULL);
          return;
        }
      json_object_ref (arguments);
    }
  work = fh_mcp_tools_new_work (self->tools, name, arguments, &error);
  if (work == NULL)
    fh_rpc_call_refuse (call, FH_RPC_BAD_PARAMS, error->message, NULL);
  else
    fh_mcp_calls_add (self->calls,
                      call,
                      work,
                      fh_mcp_tools_get_title (self->tools, name),
                      get_token (params));
}

static void
list_resources (Server *self, FhRpcCall *call)
{
  fh_mcp_resources_list (self->resources, call);
}

static void
list_templates (Server *self, FhRpcCall *call)
{
  fh_mcp_resources_list_templates (self->resources, call);
}

static void
read_resource (Server *self, FhRpcCall *call)
{
  fh_mcp_resources_read (self->resources, call);
}

static const struct
{
  const char *method;
  void (*answer) (Server *self, FhRpcCall *call);
  gboolean is_always_allowed;
  gboolean needs_history;
} methods[] = {
  { "initialize", initialize, TRUE, FALSE },
  { "ping", ping, TRUE, FALSE },
  { "tools/list", list_tools, FALSE, FALSE },
  { "tools/call", call_tool, FALSE, FALSE },
  { "resources/list", list_resources, FALSE, TRUE },
  { "resources/templates/list", list_templates, FALSE, TRUE },
  { "resources/read", read_resource, FALSE, TRUE },
};

static void
request_cb (FhRpcCall *call, gpointer user_data)
{
  Server *self = user_data;

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      if (!g_str_equal (methods[i].method, fh_rpc_call_get_method (call)) ||
          (!self->is_greeted && !methods[i].is_always_allowed) ||
          (methods[i].needs_history && !fh_mcp_resources_are_there (self->resources)))
        continue;
      methods[i].answer (self, call);
      return;
    }
  if (!self->is_greeted)
    fh_rpc_call_refuse (call, FH_RPC_INVALID, "The first request must be “initialize”.", NULL);
  else
    fh_rpc_call_refuse (call, FH_RPC_NO_METHOD, "There is no such method here.", NULL);
}

static void
notification_cb (const char *method, JsonObject *params, gpointer user_data)
{
  Server *self = user_data;
  JsonNode *id = params != NULL ? json_object_get_member (params, "requestId") : NULL;
  FhRpcCall *call = id != NULL && g_str_equal (method, "notifications/cancelled")
                        ? fh_rpc_channel_find (self->channel, id)
                        : NULL;

  if (call != NULL)
    fh_mcp_calls_cancel (self->calls, call);
}

static void
end_cb (gpointer user_data)
{
  ((Server *) user_data)->must_close = TRUE;
}

static void
unread_cb (gpointer user_data)
{
  Server *self = user_data;

  if (self->n_signals == 0)
    self->status = FH_EXIT_UNREAD;
  self->must_close = TRUE;
}

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer user_data)
{
  Server *self = user_data;
  const int number = fh_stop_signals_take ();

  if (number == 0)
    return G_SOURCE_CONTINUE;
  self->status = 128 + number;
  self->must_close = TRUE;
  self->n_signals++;
  return G_SOURCE_CONTINUE;
}

static gboolean
late_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Lets things go on until they are done, for some time at most, and not after a second signal. */
static void
wait_until (Server *self, gboolean (*is_done) (Server *self), guint ms)
{
  gboolean is_late = FALSE;
  const guint timer = g_timeout_add (ms, late_cb, &is_late);

  while (!is_done (self) && !is_late && self->n_signals < 2)
    g_main_context_iteration (NULL, TRUE);
  if (!is_late)
    g_source_remove (timer);
}

static gboolean
has_stopped (Server *self)
{
  return fh_mcp_calls_are_done (self->calls);
}

/* All that calls and sessions have run is in the history, or is known not to get there. */
static gboolean
has_saved (Server *self)
{
  return has_stopped (self) && !fh_recorder_get_busy (fh_mcp_host_get_recorder (self->host));
}

static gboolean
is_idle (Server *self)
{
  return fh_mcp_sessions_have_ended (self->sessions);
}

static gboolean
has_ended (Server *self)
{
  return has_saved (self) && fh_mcp_host_is_closed (self->host);
}

/* All runs end with the connection; then the sessions do, and are kept. */
static void
close_down (Server *self)
{
  fh_mcp_calls_stop (self->calls);
  wait_until (self, has_stopped, CLOSE_MS);
  if (has_stopped (self))
    {
      fh_mcp_sessions_end (self->sessions);
      wait_until (self, is_idle, CLOSE_MS);
    }
  fh_mcp_sessions_close (self->sessions);
  fh_mcp_host_close (self->host);
  wait_until (self, has_ended, KEEP_MS);
  if (has_ended (self))
    return;
  if (fh_mcp_host_get_history (self->host) != NULL && !has_saved (self))
    fh_message (_ ("This ended before the history had kept everything: runs or sessions may be "
                   "missing there."));
  if (fh_mcp_host_get_options (self->host)->in_container && !fh_mcp_host_is_closed (self->host))
    fh_message (_ ("This ended before the engine had stopped each container: one may still be "
                   "running."));
}

static void
clear (Server *self)
{
  fh_mcp_calls_free (self->calls);
  fh_mcp_resources_free (self->resources);
  fh_rpc_channel_free (self->channel);
  fh_mcp_tools_free (self->tools);
  fh_mcp_sessions_free (self->sessions);
  fh_mcp_host_free (self->host);
  g_free (self);
}

int
fh_mcp_server_run (const FhRunCommandLine *line)
{
  const FhRpcHandlers handlers = { request_cb, notification_cb, end_cb, unread_cb };
  Server *self = g_new0 (Server, 1);
  guint source;
  int status;

  self->asks = line->ask;
  self->host = fh_mcp_host_new (line->options);
  self->sessions = fh_mcp_sessions_new (self->host);
  self->tools = fh_mcp_tools_new (self->host, self->sessions);
  self->resources = fh_mcp_resources_new (self->host);
  fh_stop_signals_catch ();
  fh_write_out_watch_input ();
  source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, self);
  self->channel = fh_rpc_channel_new (&handlers, self);
  self->calls = fh_mcp_calls_new (self->channel);
  while (!self->must_close)
    g_main_context_iteration (NULL, TRUE);
  close_down (self);
  g_source_remove (source);
  /* An answer that nobody read may have been given up before the signal was seen. */
  signal_cb (-1, 0, self);
  status = self->status;
  /* Whatever is still on its way points to all this, and ends with the process. */
  if (has_ended (self) && fh_mcp_resources_are_done (self->resources))
    clear (self);
  return status;
}
