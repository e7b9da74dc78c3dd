/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer.h"
#include "run-options.h"

typedef enum
{
  FH_APPROVAL_REFUSED,
  FH_APPROVAL_ONCE,
  FH_APPROVAL_ALWAYS,
  FH_APPROVAL_STOPPED, /* a signal asked us to end, see stop-signals.h */
} FhApproval;

/* Asks a person whether code may run: on the controlling terminal, because standard input may be
 * the program and standard output a pipe. What cannot be asked is refused. */
typedef struct _FhApprovalPrompt FhApprovalPrompt;

/* Looks at the blocks (element-type FhAnswerBlock) and finds out what protects the run. `options`
 * must outlive it. NULL with a sentence if there is no terminal. */
FhApprovalPrompt *
fh_approval_prompt_new (const FhRunOptions *options, GPtrArray *blocks, GError **error);
void fh_approval_prompt_free (FhApprovalPrompt *prompt);

/* Shows the code of the block at `index`, what stands out in it, what protects the run and the
 * limits, and waits. `place`: where the code comes from. `has_more`: whether there is something
 * that “always” could mean. `reason`: of a refusal, or NULL. (transfer full) */
FhApproval fh_approval_prompt_ask (FhApprovalPrompt *prompt,
                                   guint index,
                                   const char *place,
                                   gboolean has_more,
                                   char **reason);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhApprovalPrompt, fh_approval_prompt_free)
