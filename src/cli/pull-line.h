/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox.h"

/* Shows the progress of a pull on standard error: in one line that is updated on a terminal, else
 * with one line at the start and one at the end. Errors are left to the caller. */
typedef struct _FhPullLine FhPullLine;

FhPullLine *fh_pull_line_new (void);
void fh_pull_line_update (FhPullLine *self, const FhSandboxProgress *progress);
void fh_pull_line_free (FhPullLine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPullLine, fh_pull_line_free)
