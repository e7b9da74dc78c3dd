/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-host.h"
#include "mcp-work.h"

/* Looks at code without running it: the one block of `blocks` (element-type FhAnswerBlock). */
#define FH_TYPE_MCP_LOOK (fh_mcp_look_get_type ())
G_DECLARE_FINAL_TYPE (FhMcpLook, fh_mcp_look, FH, MCP_LOOK, FhMcpWork)

/* NULL with a sentence if it is too long. */
FhMcpWork *fh_mcp_look_new (FhMcpHost *host, GPtrArray *blocks, GError **error);
