/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "command-flags.h"

G_BEGIN_DECLS

/* The command line of `fumehoodctl session`. */
typedef struct
{
  FhCommandFlags *flags;
  FhRunOptions *options; /* those of `flags` */
  char *save_files;      /* a folder, or NULL */
} FhSessionCommandLine;

/* NULL with a sentence. --help is printed and ends the process. */
FhSessionCommandLine *fh_session_command_line_parse (int argc, char **argv, GError **error);
void fh_session_command_line_free (FhSessionCommandLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhSessionCommandLine, fh_session_command_line_free)

G_END_DECLS
