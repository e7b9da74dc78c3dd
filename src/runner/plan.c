/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include "etc-files.h"
#include "inside-paths.h"
#include "mounts.h"
#include "program-path.h"
#include "resource-limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
plan_has_run_folder (const struct plan *plan)
{
  return plan->policy->tier == FH_WIRE_TIER_LANDLOCK ||
         plan->policy->tier == FH_WIRE_TIER_UNPROTECTED;
}

bool
plan_is_shared (const struct plan *plan)
{
  return plan_has_run_folder (plan) || plan->policy->tier == FH_WIRE_TIER_CONTAINER;
}

static const char *
plan_folder (struct plan *plan)
{
  int error = run_folder_make (&plan->folder, plan->policy->home);

  if (error == 0)
    error = inside_paths_plan (plan);
  plan->program = error == 0 ? plan->argv[0] : NULL;
  errno = -error;
  return error == 0 ? NULL : "run-folder";
}

/* The program's path; in a container, whose folders nobody outside knows, also by its name. */
static bool
find_program (struct plan *plan)
{
  const struct fh_policy *policy = plan->policy;

  plan->program = policy->argv[0];
  if (policy->argv[0][0] == '/')
    return true;
  errno = EINVAL;
  if (policy->tier != FH_WIRE_TIER_CONTAINER || strchr (policy->argv[0], '/') != NULL ||
      policy->argv[0][0] == '\0')
    return false;
  plan->program = plan->found;
  return program_path_find (policy->argv[0], policy->env, plan->found, sizeof plan->found);
}

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
  if (getenv ("FH_RUNNER_LANDLOCK_ABI") != NULL)
    plan->most_landlock_abi = atoi (getenv ("FH_RUNNER_LANDLOCK_ABI"));
#endif
  plan->argv = policy->argv;
  plan->env = policy->env;
  plan->guest_message = policy->guest_message;
  plan->guest_message_size = policy->guest_message_size;
  plan->folder = (struct run_folder){ .base = -1, .fd = -1 };
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      /* What a container shows is the engine's to mount. */
      if (policy->tier == FH_WIRE_TIER_CONTAINER ||
          !mounts_target_is_allowed (policy->binds[i].target))
        {
          errno = EINVAL;
          return "binds";
        }
    }
  if (policy->argv[0] != NULL && !find_program (plan))
    return "exec";
  plan->has_proxy =
      plan->has_own_network && !plan_is_shared (plan) && policy->allow_hosts[0] != NULL;
  snprintf (plan->uid_map, sizeof plan->uid_map, PLAN_USER_ID " %u 1", (unsigned int) geteuid ());
  snprintf (plan->gid_map, sizeof plan->gid_map, PLAN_USER_ID " %u 1", (unsigned int) getegid ());
  etc_files_find_folders (plan);
  limits_plan (plan);
  return plan_has_run_folder (plan) ? plan_folder (plan) : NULL;
}

bool
plan_clear (struct plan *plan)
{
  inside_paths_clear (plan);
  return run_folder_remove (&plan->folder);
}

void
plan_apply_switches (struct fh_policy *policy)
{
  uint32_t without = policy->without;

  if (policy->tier == FH_WIRE_TIER_UNPROTECTED)
    {
      without |= 1u << FH_WIRE_GUARD_MEMORY | 1u << FH_WIRE_GUARD_DISK;
      policy->processes = 0;
    }
  if (without & 1u << FH_WIRE_GUARD_MEMORY)
    policy->memory_bytes = 0;
  if (without & 1u << FH_WIRE_GUARD_DISK)
    policy->disk_bytes = 0;
  if (without & 1u << FH_WIRE_GUARD_OUTPUT)
    policy->output_bytes = 0;
  if (without & 1u << FH_WIRE_GUARD_TIME)
    policy->wall_ms = policy->cpu_ms = 0;
}
