/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer.h"
#include "mcp-sessions.h"
#include "mcp-work.h"

/* Runs programs, or a cell of a session, as steps of a series. */
#define FH_TYPE_MCP_STEPS (fh_mcp_steps_get_type ())
G_DECLARE_FINAL_TYPE (FhMcpSteps, fh_mcp_steps, FH, MCP_STEPS, FhMcpWork)

/* Programs run like the blocks of an answer, see fh_series_new_answer; the history gets an entry
 * for each. `blocks`: (element-type FhAnswerBlock), not empty. `options`: of each. `note`:
 * nullable; for the caller. `is_list`: the result is that of execute_code_blocks, else that of one
 * run. */
FhMcpWork *fh_mcp_steps_new_programs (FhMcpHost *host,
                                      GPtrArray *blocks,
                                      const FhRunOptions *options,
                                      const char *note,
                                      gboolean is_list);
/* `cell`: FH_CELL_EXECUTE or FH_CELL_LIST, which runs only in a session that is there already.
 * `options`: with which it is run. `with_reset`: in a new interpreter. `note`: nullable; for the
 * caller. */
FhMcpWork *fh_mcp_steps_new_cell (FhMcpHost *host,
                                  FhMcpSessions *sessions,
                                  const char *name,
                                  FhCell *cell,
                                  const FhRunOptions *options,
                                  gboolean with_reset,
                                  const char *note);
