/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "approval-prompt.h"
#include "run-command-line.h"

G_BEGIN_DECLS

/* `fumehoodctl run` of a model's whole answer: runs its blocks. `text`: all of it. `blocks`:
 * (element-type FhAnswerBlock). `prompt`: NULL if there is nothing to ask. `folder`: for the files
 * that they leave, or -1. Returns the exit status. */
int fh_command_answer (const FhRunCommandLine *options,
                       const char *text,
                       GPtrArray *blocks,
                       FhApprovalPrompt *prompt,
                       int folder);

G_END_DECLS
