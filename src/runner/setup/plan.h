/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan-data.h"

/* Fills in `plan`. Returns NULL, or with errno the name of the step that cannot succeed with this
 * policy. */
const char *plan_init (struct plan *plan,
                       const struct fh_policy *policy,
                       const struct workspace *workspace,
                       const struct cgroup *cgroup);
/* Removes what plan_init made outside this process. False if the run folder could not be removed
 * completely. Call it after each plan_init, even if that failed. */
bool plan_clear (struct plan *plan);
