/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan-data.h"

/* Fills in `plan`. Returns NULL, or with errno the name of the step that cannot succeed with this
 * policy. */
const char *plan_init (struct plan *plan,
                       const struct fh_policy *policy,
                       const struct workspace *workspace,
                       const struct cgroup *cgroup);
/* True if a policy may put something there: an absolute path without empty, "." or ".." parts, that
 * does not cover the root, /workspace or /tmp and neither is in nor covers /proc or /dev. */
bool bind_target_is_allowed (const char *target);
/* Removes what plan_init made outside this process. False if the run folder could not be removed
 * completely. Call it after each plan_init, even if that failed. */
bool plan_clear (struct plan *plan);
