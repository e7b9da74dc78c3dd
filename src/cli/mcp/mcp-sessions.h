/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-host.h"

G_BEGIN_DECLS

/* The sessions of a server by their names, each with an interpreter of its own. */
typedef struct _FhMcpSessions FhMcpSessions;

FhMcpSessions *fh_mcp_sessions_new (FhMcpHost *host);
void fh_mcp_sessions_free (FhMcpSessions *self);

/* Ends them all; the host's recorder then puts them into the history, and a message says which is
 * not there. */
void fh_mcp_sessions_close (FhMcpSessions *self);

/* NULL with FH_RUN_ERROR_INVALID if no session has this name. Borrowed. */
FhSeries *fh_mcp_sessions_find (FhMcpSessions *self, const char *name, GError **error);
/* Makes it if there is none. NULL with FH_RUN_ERROR_INVALID if there are too many. Borrowed. */
FhSeries *fh_mcp_sessions_get (FhMcpSessions *self, const char *name, GError **error);

G_END_DECLS
