/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rpc-channel.h"

#include <string.h>

#include "json-guard.h"
#include "json-member.h"
#include "json-output.h"
#include "json-text.h"
#include "message.h"
#include "session-lines.h"

/* Requests that are not answered yet. */
#define MAX_OPEN 1000
/* Bytes of an id that is a string. */
#define MAX_ID 256

struct _FhRpcChannel
{
  FhRpcHandlers handlers;
  gpointer user_data;
  FhSessionLines *lines;
  GHashTable *open; /* (element-type utf8 FhRpcCall): by the JSON of their ids */
  gboolean is_unread;
};

struct _FhRpcCall
{
  FhRpcChannel *channel;
  JsonNode *id;
  char *key;
  char *method;
  JsonObject *params; /* nullable */
};

/* Takes the message. */
static void
send (FhRpcChannel *self, JsonObject *message)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), message);
  g_autofree char *text = fh_json_to_text (node, FALSE);
  g_autofree char *line = g_strconcat (text, "\n", NULL);

  json_object_unref (message);
  if (self->is_unread || fh_print (line))
    return;
  self->is_unread = TRUE;
  self->handlers.unread (self->user_data);
}

/* `id`: nullable. */
static JsonObject *
new_answer (JsonNode *id)
{
  JsonObject *answer = json_object_new ();

  json_object_set_string_member (answer, "jsonrpc", "2.0");
  if (id != NULL)
    json_object_set_member (answer, "id", json_node_copy (id));
  else
    json_object_set_null_member (answer, "id");
  return answer;
}

static JsonObject *
new_error (JsonNode *id, FhRpcCode code, const char *message, JsonObject *data)
{
  JsonObject *answer = new_answer (id);
  JsonObject *error = json_object_new ();

  json_object_set_int_member (error, "code", code);
  json_object_set_string_member (error, "message", message);
  if (data != NULL)
    json_object_set_object_member (error, "data", data);
  json_object_set_object_member (answer, "error", error);
  return answer;
}

/* Whether it can be the id of a request in MCP: neither null nor a fraction. */
static gboolean
is_id (JsonNode *node)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return strlen (json_node_get_string (node)) <= MAX_ID;
  return json_node_get_value_type (node) == G_TYPE_INT64;
}

static void
call_free (FhRpcCall *call)
{
  json_node_unref (call->id);
  g_clear_pointer (&call->params, json_object_unref);
  g_free (call->key);
  g_free (call->method);
  g_free (call);
}

/* A parsed message, or the reason why it is none. */
typedef struct
{
  JsonNode *id;       /* borrowed; NULL: none that can be used */
  const char *method; /* NULL: an answer to a request, but there are none of ours */
  JsonObject *params; /* borrowed, nullable */
  FhRpcCode code;
  const char *fault; /* nullable */
} Message;

static gboolean
refuse (Message *message, FhRpcCode code, const char *fault)
{
  message->code = code;
  message->fault = fault;
  return FALSE;
}

static gboolean
read_message (JsonNode *node, Message *message)
{
  JsonObject *object;
  JsonNode *params;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return refuse (message, FH_RPC_INVALID, "A message must be an object.");
  object = json_node_get_object (node);
  if (is_id (json_object_get_member (object, "id")))
    message->id = json_object_get_member (object, "id");
  if (g_strcmp0 (fh_json_get_text (object, "jsonrpc"), "2.0") != 0)
    return refuse (message, FH_RPC_INVALID, "“jsonrpc” must be “2.0”.");
  if (!json_object_has_member (object, "method") &&
      (json_object_has_member (object, "result") || json_object_has_member (object, "error")))
    return TRUE;
  message->method = fh_json_get_text (object, "method");
  if (message->method == NULL)
    return refuse (message, FH_RPC_INVALID, "“method” must be a string.");
  if (json_object_has_member (object, "id") && message->id == NULL)
    return refuse (message, FH_RPC_INVALID, "“id” must be a short string or an integer.");
  params = json_object_get_member (object, "params");
  if (params != NULL && !JSON_NODE_HOLDS_OBJECT (params))
    return refuse (message, FH_RPC_BAD_PARAMS, "“params” must be an object.");
  message->params = params != NULL ? json_node_get_object (params) : NULL;
  return TRUE;
}

static char *
key_of (JsonNode *id)
{
  return fh_json_to_text (id, FALSE);
}

static void
take_request (FhRpcChannel *self, Message *message)
{
  g_autofree char *key = key_of (message->id);
  FhRpcCall *call;

  if (g_hash_table_contains (self->open, key))
    refuse (message, FH_RPC_INVALID, "A request with this id is not answered yet.");
  else if (g_hash_table_size (self->open) >= MAX_OPEN)
    refuse (message, FH_RPC_BUSY, "Too many requests are not answered yet.");
  if (message->fault != NULL)
    {
      send (self, new_error (message->id, message->code, message->fault, NULL));
      return;
    }
  call = g_new0 (FhRpcCall, 1);
  call->channel = self;
  call->id = json_node_copy (message->id);
  call->key = g_steal_pointer (&key);
  call->method = g_strdup (message->method);
  call->params = message->params != NULL ? json_object_ref (message->params) : NULL;
  g_hash_table_insert (self->open, call->key, call);
  self->handlers.request (call, self->user_data);
}

static void
take_message (FhRpcChannel *self, JsonNode *node)
{
  Message message = { 0 };

  if (!read_message (node, &message))
    send (self, new_error (message.id, message.code, message.fault, NULL));
  else if (message.method == NULL)
    return;
  else if (message.id != NULL)
    take_request (self, &message);
  else
    self->handlers.notification (message.method, message.params, self->user_data);
}

/* A request with a value that cannot be used is answered by its id all the same: its sender waits
 * for that. `error`: why the line was refused. */
static void
refuse_line (FhRpcChannel *self, const char *line, gsize size, const GError *error)
{
  g_autofree char *fault = NULL;
  g_autoptr (JsonObject) object =
      fh_json_guard_parse_rest (line, size, FH_SESSION_LINE_MAX, &fault);
  JsonNode *id = object != NULL ? json_object_get_member (object, "id") : NULL;

  if (is_id (id) && fh_json_get_text (object, "method") != NULL)
    send (self, new_error (id, FH_RPC_BAD_PARAMS, fault, NULL));
  else
    send (self, new_error (NULL, FH_RPC_NOT_JSON, error->message, NULL));
}

static void
line_cb (const char *line, gsize size, gpointer user_data)
{
  FhRpcChannel *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = NULL;

  if (line == NULL)
    {
      send (self, new_error (NULL, FH_RPC_INVALID, "The line is too long.", NULL));
      return;
    }
  if (size == 0 || (size == 1 && *line == '\r'))
    return;
  node = fh_json_guard_parse_any (line, size, FH_SESSION_LINE_MAX, &error);
  if (node == NULL)
    refuse_line (self, line, size, error);
  else
    take_message (self, node);
}

static void
end_cb (gpointer user_data)
{
  FhRpcChannel *self = user_data;

  self->handlers.end (self->user_data);
}

FhRpcChannel *
fh_rpc_channel_new (const FhRpcHandlers *handlers, gpointer user_data)
{
  FhRpcChannel *self = g_new0 (FhRpcChannel, 1);

  self->handlers = *handlers;
  self->user_data = user_data;
  self->open = g_hash_table_new (g_str_hash, g_str_equal);
  self->lines = fh_session_lines_new (line_cb, end_cb, self);
  return self;
}

void
fh_rpc_channel_free (FhRpcChannel *self)
{
  g_assert (g_hash_table_size (self->open) == 0);

  g_hash_table_unref (self->open);
  fh_session_lines_free (self->lines);
  g_free (self);
}

FhRpcCall *
fh_rpc_channel_find (FhRpcChannel *self, JsonNode *id)
{
  g_autofree char *key = is_id (id) ? key_of (id) : NULL;

  return key != NULL ? g_hash_table_lookup (self->open, key) : NULL;
}

void
fh_rpc_channel_notify (FhRpcChannel *self, const char *method, JsonObject *params)
{
  JsonObject *message = json_object_new ();

  json_object_set_string_member (message, "jsonrpc", "2.0");
  json_object_set_string_member (message, "method", method);
  json_object_set_object_member (message, "params", params);
  send (self, message);
}

const char *
fh_rpc_call_get_method (FhRpcCall *call)
{
  return call->method;
}

JsonObject *
fh_rpc_call_get_params (FhRpcCall *call)
{
  return call->params;
}

/* `answer`: nullable; taken. */
static void
end_call (FhRpcCall *call, JsonObject *answer)
{
  FhRpcChannel *self = call->channel;

  g_hash_table_remove (self->open, call->key);
  if (answer != NULL)
    send (self, answer);
  call_free (call);
}

void
fh_rpc_call_answer (FhRpcCall *call, JsonObject *result)
{
  JsonObject *answer = new_answer (call->id);

  json_object_set_object_member (answer, "result", result);
  end_call (call, answer);
}

void
fh_rpc_call_refuse (FhRpcCall *call, FhRpcCode code, const char *message, JsonObject *data)
{
  end_call (call, new_error (call->id, code, message, data));
}

void
fh_rpc_call_drop (FhRpcCall *call)
{
  end_call (call, NULL);
}
