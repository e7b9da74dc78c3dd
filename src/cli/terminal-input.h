/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

/* Hands what is typed on the terminal of stdin to the program of one run. Lines are read only while
 * the program waits for input, so that what it does not ask for is left for the shell. Ctrl+D is
 * the end of the input; so is a terminal that is not ours, as for a job in the background. */
typedef struct _FhTerminalInput FhTerminalInput;

/* The request has input_stays and no input. */
FhTerminalInput *fh_terminal_input_new (FhRun *run);
void fh_terminal_input_free (FhTerminalInput *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTerminalInput, fh_terminal_input_free)

/* Whether stdin and stdout are terminals: a person sees what is asked and can type. */
gboolean fh_terminal_input_is_possible (void);
