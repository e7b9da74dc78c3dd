/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-host.h"

/* The sessions of a server by their names, each with an interpreter of its own. */
typedef struct _FhMcpSessions FhMcpSessions;

FhMcpSessions *fh_mcp_sessions_new (FhMcpHost *host);
void fh_mcp_sessions_free (FhMcpSessions *self);

/* When no call runs any more: lets what programs have registered with atexit run, see
 * fh_cell_new_end, and tells whether all of it has ended. */
void fh_mcp_sessions_end (FhMcpSessions *self);
gboolean fh_mcp_sessions_have_ended (FhMcpSessions *self);
/* Closes them all; the host's recorder then puts them into the history, and a message says which is
 * not there. */
void fh_mcp_sessions_close (FhMcpSessions *self);

/* NULL with FH_RUN_ERROR_INVALID if no session has this name. Borrowed. */
FhSeries *fh_mcp_sessions_find (FhMcpSessions *self, const char *name, GError **error);
/* Makes it if there is none. NULL with FH_RUN_ERROR_INVALID if there are too many. Borrowed. */
FhSeries *fh_mcp_sessions_get (FhMcpSessions *self, const char *name, GError **error);
