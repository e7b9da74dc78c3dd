/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The options of the program. The files to open stand behind them; "-" is standard input. */
void fh_command_line_add_options (GApplication *application);

/* What can be answered without a window: an exit status, or -1 to go on. */
int fh_command_line_handle_locally (GVariantDict *options);

/* What was asked for. */
typedef struct
{
  gboolean new_window;
  gboolean from_stdin;
  GFile *run_file;  /* nullable: this one is run */
  GPtrArray *files; /* (element-type GFile): these are only opened */
} FhCommandLine;

FhCommandLine *fh_command_line_parse (GApplicationCommandLine *command_line);
void fh_command_line_free (FhCommandLine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhCommandLine, fh_command_line_free)

G_END_DECLS
