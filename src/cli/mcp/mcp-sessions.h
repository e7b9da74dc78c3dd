/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cells.h"
#include "mcp-host.h"

G_BEGIN_DECLS

/* The sessions of a server by their names, each with an interpreter of its own. */
typedef struct _FhMcpSessions FhMcpSessions;

FhMcpSessions *fh_mcp_sessions_new (FhMcpHost *host);
/* Only when they are saved: what the history still does points to them. */
void fh_mcp_sessions_free (FhMcpSessions *self);

/* Lets the programs of all end as Python does: see fh_cell_new_end. */
void fh_mcp_sessions_end (FhMcpSessions *self);
/* True if no cell runs or waits. */
gboolean fh_mcp_sessions_are_idle (FhMcpSessions *self);

/* Ends them all and puts them into the history; a message says which is not there. */
void fh_mcp_sessions_close (FhMcpSessions *self);
gboolean fh_mcp_sessions_are_saved (FhMcpSessions *self);

/* NULL if no session has this name. */
FhCells *fh_mcp_sessions_find (FhMcpSessions *self, const char *name);
/* Makes it if there is none. NULL with FH_RUN_ERROR_INVALID if there are too many. Borrowed. */
FhCells *fh_mcp_sessions_get (FhMcpSessions *self, const char *name, GError **error);

G_END_DECLS
