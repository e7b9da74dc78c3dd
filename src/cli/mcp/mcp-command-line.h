/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "command-flags.h"

G_BEGIN_DECLS

/* The command line of `fumehoodctl mcp`. */
typedef struct
{
  FhCommandFlags *flags;
  FhRunOptions *options; /* those of `flags` */
  gboolean asks;         /* a person before anything runs */
} FhMcpCommandLine;

/* NULL with a sentence. --help is printed and ends the process. */
FhMcpCommandLine *fh_mcp_command_line_parse (int argc, char **argv, GError **error);
void fh_mcp_command_line_free (FhMcpCommandLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhMcpCommandLine, fh_mcp_command_line_free)

G_END_DECLS
