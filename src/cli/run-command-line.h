/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "command-flags.h"

/* The command line of the commands that run what they are given: `fumehoodctl run`, or `session`
 * and `mcp`, which have only some of the members. */
typedef struct
{
  FhCommandFlags *flags;
  FhRunOptions *options;               /* those of `flags` */
  const FhContainerOptions *container; /* those of `options`; NULL: on this computer */
  char *file;                          /* "-": standard input */
  char *standard_input;
  char *language;
  GStrv arguments;     /* of the program, never NULL */
  char *save_files;    /* a folder for the files that it leaves behind, or NULL */
  gboolean as_written; /* the blocks of an answer, without repairs */
  GStrv policies;      /* for the blocks of an answer, nullable */
  gboolean ask;        /* before anything is run */
  gboolean json;
  gboolean attempts;
  gboolean raw;
} FhRunCommandLine;

/* NULL with a sentence. --help is printed and ends the process. */
FhRunCommandLine *fh_run_command_line_parse (char **argv, GError **error);
FhRunCommandLine *fh_run_command_line_parse_session (char **argv, GError **error);
FhRunCommandLine *fh_run_command_line_parse_mcp (char **argv, GError **error);
void fh_run_command_line_free (FhRunCommandLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunCommandLine, fh_run_command_line_free)
