/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "run.h"

/* What one call of a tool does.
 *
 * Signal "done" (JsonObject *result): the result of the call, exactly once after the start; not
 * from within fh_mcp_work_start or _stop. */
#define FH_TYPE_MCP_WORK (fh_mcp_work_get_type ())
G_DECLARE_DERIVABLE_TYPE (FhMcpWork, fh_mcp_work, FH, MCP_WORK, GObject)

struct _FhMcpWorkClass
{
  GObjectClass parent_class;

  void (*start) (FhMcpWork *self);
  void (*stop) (FhMcpWork *self, gboolean by_force);
  /* Nullable: a line about what is being done, instead of the output so far. */
  char *(*dup_progress) (FhMcpWork *self);
};

/* For subclasses. What the call is about, for a person who is asked; without it none is. */
void fh_mcp_work_set_code (FhMcpWork *self,
                           const char *code,
                           const char *language,
                           const FhRunOptions *options);
/* Works with the same key are done one after the other. */
void fh_mcp_work_set_key (FhMcpWork *self, const char *key);
/* Counts its output. */
void fh_mcp_work_watch (FhMcpWork *self, FhRun *run);
/* Takes the result. */
void fh_mcp_work_finish (FhMcpWork *self, JsonObject *result);

/* NULL: it runs no code of the caller's. */
const char *fh_mcp_work_get_code (FhMcpWork *self);
const char *fh_mcp_work_get_language (FhMcpWork *self);
/* The limits and other options with which it would be run. */
const char *fh_mcp_work_get_summary (FhMcpWork *self);
const char *fh_mcp_work_get_key (FhMcpWork *self); /* nullable */

void fh_mcp_work_start (FhMcpWork *self);
/* It ends soon; `by_force`: at once. */
void fh_mcp_work_stop (FhMcpWork *self, gboolean by_force);
/* One line for people: how far it is. (transfer full) */
char *fh_mcp_work_dup_progress (FhMcpWork *self);
