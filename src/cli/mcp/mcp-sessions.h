/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cells.h"
#include "mcp-host.h"

G_BEGIN_DECLS

/* The sessions of a server by their names, each with an interpreter of its own. */
typedef struct _FhMcpSessions FhMcpSessions;

FhMcpSessions *fh_mcp_sessions_new (FhMcpHost *host);
/* Ends them, and waits until they are in the history. */
void fh_mcp_sessions_free (FhMcpSessions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhMcpSessions, fh_mcp_sessions_free)

/* NULL if no session has this name. */
FhCells *fh_mcp_sessions_find (FhMcpSessions *self, const char *name);
/* Makes it if there is none. NULL with FH_RUN_ERROR_INVALID if there are too many. Borrowed. */
FhCells *fh_mcp_sessions_get (FhMcpSessions *self, const char *name, GError **error);

G_END_DECLS
