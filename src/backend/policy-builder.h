/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy-parts.h"
#include "wire-policy.h"

/* Pure: reads nothing and starts nothing. To be freed with fh_policy_free. */
struct fh_policy *fh_policy_build (const FhPolicyParts *parts);

/* The messages for data/guest/bootstrap.py, see FH_FRAME_RUN: what to guard, if anything, and the
 * program with its arguments; empty for languages that it does not run. NULL with
 * FH_RUN_ERROR_INVALID when the arguments are too long. */
GBytes *fh_policy_build_messages (const FhPolicyParts *parts, GError **error);

/* The messages for the cell of this number (the request and the tier of `parts` count), of an
 * interpreter that counts from 1. */
GBytes *fh_policy_build_cell (const FhPolicyParts *parts, guint32 number);

/* The payload of FH_FRAME_RUN for a cell: its limits of time. */
GBytes *fh_policy_build_cell_limits (FhRunRequest *request);

/* Makes it one for many runs, of a sandbox that imports these modules ahead; see
 * fh_policy_can_fork. */
void fh_policy_fork (struct fh_policy *policy, const char *const *modules);

/* A policy that sets up every guard of this tier under the default limits and runs nothing. What
 * Python programs are started with is in there, if `guest_folder` is not NULL. */
struct fh_policy *fh_policy_build_probe (FhTier tier, const char *guest_folder);

/* The same for all programs that can share a sandbox, as if there were none in it. NULL with an
 * error, as below. */
GBytes *fh_policy_to_shared_frame (const struct fh_policy *policy, GError **error);
/* Returns the frame that starts the program of this policy in a sandbox that it shares:
 * FH_FRAME_PROGRAM. NULL with an error, as below. */
GBytes *fh_policy_to_program_frame (const struct fh_policy *policy, gboolean stays, GError **error);

/* The policy's frame; NULL with FH_RUN_ERROR_INVALID when the arguments are too long for one. */
GBytes *fh_policy_to_frame (const struct fh_policy *policy, GError **error);
