/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-work.h"
#include "rpc-channel.h"

/* The calls of tools that go on: some at a time, and more that wait for their turn. */
typedef struct _FhMcpCalls FhMcpCalls;

FhMcpCalls *fh_mcp_calls_new (FhRpcChannel *channel);
/* All must have ended: what a call waits for, such as the answer of a person, points to it. */
void fh_mcp_calls_free (FhMcpCalls *self);

/* Asks a person before anything of a client of this name is run, from now on. */
void fh_mcp_calls_set_asking (FhMcpCalls *self, const char *client);

/* Does the work and answers the call. `title`: of the tool. `token`: nullable; that of its
 * progress. Takes `work`. */
void fh_mcp_calls_add (FhMcpCalls *self,
                       FhRpcCall *rpc,
                       FhMcpWork *work,
                       const char *title,
                       JsonNode *token);

/* Ends a call without an answer. FALSE if it is not one of these calls. */
gboolean fh_mcp_calls_cancel (FhMcpCalls *self, FhRpcCall *rpc);

/* Ends all of them by force, and takes no more. */
void fh_mcp_calls_stop (FhMcpCalls *self);
/* Whether no call runs or waits. */
gboolean fh_mcp_calls_are_done (FhMcpCalls *self);
