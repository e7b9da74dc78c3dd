/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-sessions.h"
#include "mcp-work.h"

G_BEGIN_DECLS

/* Runs a cell in a session, or lists its variables. */
#define FH_TYPE_MCP_CELLS (fh_mcp_cells_get_type ())
G_DECLARE_FINAL_TYPE (FhMcpCells, fh_mcp_cells, FH, MCP_CELLS, FhMcpWork)

/* `cell`: FH_CELL_EXECUTE or FH_CELL_LIST. `options`: with which it is run. `with_reset`: in a new
 * interpreter. `note`: nullable; for the caller. */
FhMcpWork *fh_mcp_cells_new (FhMcpHost *host,
                             FhMcpSessions *sessions,
                             const char *name,
                             FhCell *cell,
                             const FhRunOptions *options,
                             gboolean with_reset,
                             const char *note);

G_END_DECLS
