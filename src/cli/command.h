/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The exit status if Fumehood itself failed. */
#define FH_EXIT_USAGE   2   /* wrong usage */
#define FH_EXIT_FAILED  1   /* a command other than `run` failed */
#define FH_EXIT_REFUSED 1   /* `run`: a person was asked and refused */
#define FH_EXIT_NO_RUN  125 /* `run`, `batch`: nothing was run */
/* 128 + SIGPIPE: what a shell reports for a program whose reader went away. */
#define FH_EXIT_UNREAD 141

/* Runs `fumehoodctl NAME …` and returns its exit status. argv[0] is "fumehoodctl NAME". */
int fh_command_run (int argc, char **argv);
int fh_command_batch (int argc, char **argv);
int fh_command_session (int argc, char **argv);
int fh_command_mcp (int argc, char **argv);
int fh_command_guards (int argc, char **argv);
int fh_command_inspect (int argc, char **argv);
int fh_command_history (int argc, char **argv);
int fh_command_exhibits (int argc, char **argv);
int fh_command_changes (int argc, char **argv);
int fh_command_apply (int argc, char **argv);
int fh_command_undo (int argc, char **argv);
int fh_command_engines (int argc, char **argv);
int fh_command_image (int argc, char **argv);
int fh_command_container (int argc, char **argv);
