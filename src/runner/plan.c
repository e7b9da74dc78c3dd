/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include "etc-files.h"
#include "mounts.h"
#include "resource-limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *
plan_init (struct plan *plan,
           const struct fh_policy *policy,
           const struct workspace *workspace,
           const struct cgroup *cgroup)
{
  *plan = (struct plan){
    .policy = policy,
    .workspace = workspace,
    .cgroup = cgroup,
    .has_own_network = !(policy->without & 1u << FH_WIRE_GUARD_NETWORK),
    .is_root = geteuid () == 0,
  };
#ifdef FH_RUNNER_TESTS
  plan->failing_step = getenv ("FH_RUNNER_FAIL_STEP");
#endif
  if (policy->tier != FH_WIRE_TIER_NAMESPACES)
    {
      errno = ENOSYS;
      return "tier";
    }
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      if (!mounts_target_is_allowed (policy->binds[i].target))
        {
          errno = EINVAL;
          return "binds";
        }
    }
  if (policy->argv[0] != NULL && policy->argv[0][0] != '/')
    {
      errno = EINVAL;
      return "exec";
    }
  snprintf (plan->uid_map, sizeof plan->uid_map, PLAN_USER_ID " %u 1", (unsigned int) geteuid ());
  snprintf (plan->gid_map, sizeof plan->gid_map, PLAN_USER_ID " %u 1", (unsigned int) getegid ());
  etc_files_find_folders (plan);
  limits_plan (plan);
  return NULL;
}
