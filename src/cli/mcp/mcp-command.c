/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "mcp-server.h"
#include "message.h"

int
fh_command_mcp (int argc, char **argv)
{
  g_autoptr (FhRunCommandLine) line = NULL;
  g_autoptr (GError) error = NULL;

  line = fh_run_command_line_parse_mcp (argv, &error);
  if (line == NULL)
    {
      fh_message_usage ("mcp", error);
      return FH_EXIT_NO_RUN;
    }
  return fh_mcp_server_run (line);
}
