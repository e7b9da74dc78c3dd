/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* The question to a person. All texts are borrowed. */
typedef struct
{
  const char *client;   /* who asks, as it calls itself */
  const char *tool;     /* “Run Python Code” */
  const char *code;     /* at most FH_MCP_APPROVAL_MAX_CODE bytes */
  const char *language; /* “python” */
  const char *summary;  /* its limits and other options */
} FhMcpApproval;

#define FH_MCP_APPROVAL_MAX_CODE ((gsize) 1 << 20)

/* Asks in the window, which is opened if there is none. Cancelling withdraws the question. */
void fh_mcp_approval_ask_async (const FhMcpApproval *approval,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);

/* TRUE only if a person said yes. Else `reason` is why not: that of the person, or what went wrong.
 * (out: transfer full) */
gboolean fh_mcp_approval_ask_finish (GAsyncResult *result, char **reason);
