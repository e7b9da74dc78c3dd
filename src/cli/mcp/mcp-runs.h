/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-host.h"
#include "mcp-work.h"

G_BEGIN_DECLS

/* A program of a call. */
typedef struct
{
  const FhLanguage *language;
  char *code;
} FhMcpBlock;

FhMcpBlock *fh_mcp_block_new (const FhLanguage *language, const char *code);
void fh_mcp_block_free (FhMcpBlock *block);

/* Runs programs one after the other until one fails; the files that each leaves are there for the
 * next one. */
#define FH_TYPE_MCP_RUNS (fh_mcp_runs_get_type ())
G_DECLARE_FINAL_TYPE (FhMcpRuns, fh_mcp_runs, FH, MCP_RUNS, FhMcpWork)

/* `blocks`: (element-type FhMcpBlock), not empty. `options`: of each. `note`: nullable; for the
 * caller. `is_list`: the result is that of execute_code_blocks, else that of one run. */
FhMcpWork *fh_mcp_runs_new (FhMcpHost *host,
                            GPtrArray *blocks,
                            const FhRunOptions *options,
                            const char *note,
                            gboolean is_list);

G_END_DECLS
