/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* The codes of JSON-RPC 2.0, one of our own for a server that is busy, and MCP's for a resource. */
typedef enum
{
  FH_RPC_NOT_JSON = -32700,
  FH_RPC_INVALID = -32600,
  FH_RPC_NO_METHOD = -32601,
  FH_RPC_BAD_PARAMS = -32602,
  FH_RPC_FAILED = -32603,
  FH_RPC_BUSY = -32000,
  FH_RPC_NO_RESOURCE = -32002,
} FhRpcCode;

/* JSON-RPC 2.0 over standard input and output, one message in each line. Lines that are no message
 * are answered by an error here. */
typedef struct _FhRpcChannel FhRpcChannel;

/* A request that has come and is not answered yet: exactly one of fh_rpc_call_answer, _refuse and
 * _drop ends it. */
typedef struct _FhRpcCall FhRpcCall;

typedef struct
{
  void (*request) (FhRpcCall *call, gpointer user_data);
  /* `params`: nullable. */
  void (*notification) (const char *method, JsonObject *params, gpointer user_data);
  /* Nothing more can be read. */
  void (*end) (gpointer user_data);
  /* Nothing more can be written: the reader is gone. */
  void (*unread) (gpointer user_data);
} FhRpcHandlers;

FhRpcChannel *fh_rpc_channel_new (const FhRpcHandlers *handlers, gpointer user_data);
/* Every call must have ended. */
void fh_rpc_channel_free (FhRpcChannel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRpcChannel, fh_rpc_channel_free)

/* The call with this id that is not answered yet, or NULL. */
FhRpcCall *fh_rpc_channel_find (FhRpcChannel *self, JsonNode *id);

/* Takes `params`. */
void fh_rpc_channel_notify (FhRpcChannel *self, const char *method, JsonObject *params);

const char *fh_rpc_call_get_method (FhRpcCall *call);
JsonObject *fh_rpc_call_get_params (FhRpcCall *call); /* nullable */

/* Takes `result`. */
void fh_rpc_call_answer (FhRpcCall *call, JsonObject *result);
/* `data`: nullable; taken. */
void fh_rpc_call_refuse (FhRpcCall *call, FhRpcCode code, const char *message, JsonObject *data);
/* Ends a call that was cancelled, without an answer. */
void fh_rpc_call_drop (FhRpcCall *call);
