/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-sessions.h"
#include "mcp-work.h"

/* The tools of the server: tools.json describes them, and here are the works that they do. */
typedef struct _FhMcpTools FhMcpTools;

FhMcpTools *fh_mcp_tools_new (FhMcpHost *host, FhMcpSessions *sessions);
void fh_mcp_tools_free (FhMcpTools *self);

/* Returns the answer to tools/list. (transfer full) */
JsonArray *fh_mcp_tools_list (FhMcpTools *self);

/* The name for people, such as “Run Python Code”; NULL: there is no such tool. */
const char *fh_mcp_tools_get_title (FhMcpTools *self, const char *name);

/* NULL with FH_RUN_ERROR_INVALID if the arguments cannot be used. The tool must exist. (transfer
 * full) */
FhMcpWork *
fh_mcp_tools_new_work (FhMcpTools *self, const char *name, JsonObject *arguments, GError **error);
