/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-host.h"
#include "mcp-work.h"

G_BEGIN_DECLS

/* Looks at code without running it. */
#define FH_TYPE_MCP_LOOK (fh_mcp_look_get_type ())
G_DECLARE_FINAL_TYPE (FhMcpLook, fh_mcp_look, FH, MCP_LOOK, FhMcpWork)

FhMcpWork *fh_mcp_look_new (FhMcpHost *host, FhRunRequest *request);

G_END_DECLS
