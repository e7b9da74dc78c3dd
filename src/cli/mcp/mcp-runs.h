/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer-run.h"
#include "mcp-host.h"
#include "mcp-work.h"

G_BEGIN_DECLS

/* Runs programs as the blocks of an answer, see answer-run.h. */
#define FH_TYPE_MCP_RUNS (fh_mcp_runs_get_type ())
G_DECLARE_FINAL_TYPE (FhMcpRuns, fh_mcp_runs, FH, MCP_RUNS, FhMcpWork)

/* `blocks`: (element-type FhAnswerBlock), not empty. `options`: of each. `note`: nullable; for the
 * caller. `is_list`: the result is that of execute_code_blocks, else that of one run. */
FhMcpWork *fh_mcp_runs_new (FhMcpHost *host,
                            GPtrArray *blocks,
                            const FhRunOptions *options,
                            const char *note,
                            gboolean is_list);

G_END_DECLS
