/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "window/window.h"

/* Adds the options. Arguments are files to open; "-" is standard input. */
void fh_command_line_add_options (GApplication *application);

/* Handles options that need no window: returns an exit status, or -1 to continue. */
int fh_command_line_handle_locally (GVariantDict *options);

typedef struct
{
  gboolean new_window;
  gboolean from_stdin;
  GFile *run_file;  /* to be opened and run; nullable */
  GPtrArray *files; /* (element-type GFile) to be opened */
} FhCommandLine;

FhCommandLine *fh_command_line_parse (GApplicationCommandLine *command_line);
void fh_command_line_free (FhCommandLine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhCommandLine, fh_command_line_free)

/* Opens a tab of the window with what the standard input of the command line holds. */
void fh_command_line_read_stdin (GApplicationCommandLine *command_line, FhWindow *window);
