/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recorder.h"

/* The things that all calls of an MCP server share: the options of the command, which no call goes
 * beyond; the history; and executors to run in. */
typedef struct _FhMcpHost FhMcpHost;

FhMcpHost *fh_mcp_host_new (const FhRunOptions *options);
/* Called after fh_mcp_host_close, and only if the host is closed. */
void fh_mcp_host_free (FhMcpHost *self);

/* Closes all executors that nothing runs in, and those that are returned later; it is closed when
 * their containers are stopped or removed, as the options want it. */
void fh_mcp_host_close (FhMcpHost *self);
gboolean fh_mcp_host_is_closed (FhMcpHost *self);

const FhRunOptions *fh_mcp_host_get_options (FhMcpHost *self);
/* NULL: nothing is kept. */
FhHistory *fh_mcp_host_get_history (FhMcpHost *self);
/* Every series of a call is followed by it, also if nothing is kept. Borrowed. */
FhRecorder *fh_mcp_host_get_recorder (FhMcpHost *self);

/* All runs share one container that stays: then only one runs at a time. */
gboolean fh_mcp_host_keeps_container (FhMcpHost *self);
/* The key of works that need it. */
#define FH_MCP_CONTAINER_KEY "container"

/* All runs have one workspace, that of a container or a folder of the user. */
gboolean fh_mcp_host_keeps_files (FhMcpHost *self);
/* The interpreter's guard was asked for, which other languages do not have. */
gboolean fh_mcp_host_is_python_only (FhMcpHost *self);

/* (transfer full) */
FhExecutor *fh_mcp_host_take_executor (FhMcpHost *self);
/* When its run has ended. Takes it. */
void fh_mcp_host_return_executor (FhMcpHost *self, FhExecutor *executor);
