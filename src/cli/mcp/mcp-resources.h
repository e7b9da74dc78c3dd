/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp-host.h"
#include "rpc-channel.h"

/* Past runs, as resources: fumehood://run/ID. They can only be read. */
typedef struct _FhMcpResources FhMcpResources;

FhMcpResources *fh_mcp_resources_new (FhMcpHost *host);
/* Every call must have been answered: what the history still reads for one points to it. */
void fh_mcp_resources_free (FhMcpResources *self);
gboolean fh_mcp_resources_are_done (FhMcpResources *self);

/* Whether there is a history. */
gboolean fh_mcp_resources_are_there (FhMcpResources *self);

/* These answer resources/list, resources/templates/list and resources/read. */
void fh_mcp_resources_list (FhMcpResources *self, FhRpcCall *call);
void fh_mcp_resources_list_templates (FhMcpResources *self, FhRpcCall *call);
void fh_mcp_resources_read (FhMcpResources *self, FhRpcCall *call);
