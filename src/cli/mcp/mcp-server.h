/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-command-line.h"

/* Serves the Model Context Protocol on standard input and output until the client goes away.
 * Returns the exit status. */
int fh_mcp_server_run (const FhRunCommandLine *line);
