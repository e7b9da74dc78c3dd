/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The exit status when Fumehood itself could not do what was asked. */
#define FH_EXIT_USAGE  2   /* the command line makes no sense */
#define FH_EXIT_FAILED 1   /* a command other than `run` failed */
#define FH_EXIT_NO_RUN 125 /* `run`: nothing was run */

/* What `fumehoodctl NAME …` does. argv[0] is the name for messages, "fumehoodctl NAME"; the rest
 * is what stood after it. What comes back is the exit status. Each prints its own --help. */
int fh_command_run (int argc, char **argv);
int fh_command_guards (int argc, char **argv);
int fh_command_history (int argc, char **argv);
int fh_command_engines (int argc, char **argv);
int fh_command_image (int argc, char **argv);
int fh_command_container (int argc, char **argv);

G_END_DECLS
