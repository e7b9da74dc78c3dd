/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include "container-evidence.h"
#include "descriptor.h"
#include "etc-files.h"
#include "inside-paths.h"
#include "kernel-file.h"
#include "path-within.h"
#include "program-path.h"
#include "project-folder.h"
#include "resource-limits.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool
is_normal_path (const char *path)
{
  if (path[0] != '/' || path[1] == '\0' || strlen (path) >= PATH_MAX)
    return false;
  for (const char *part = path; *part != '\0'; part = strchrnul (part + 1, '/'))
    {
      size_t size = (size_t) (strchrnul (part + 1, '/') - part - 1);

      if (size == 0 || size > NAME_MAX || (size == 1 && part[1] == '.') ||
          (size == 2 && part[1] == '.' && part[2] == '.'))
        return false;
    }
  return true;
}

bool
bind_target_is_allowed (const char *target)
{
  return is_normal_path (target) && strcmp (target, "/workspace") != 0 &&
         strcmp (target, "/tmp") != 0 && !path_is_within (target, "/proc") &&
         !path_is_within (target, "/dev");
}

/* In a pid namespace, ids are given out in order. Where init or a desktop runs, the second id is
 * never a child of the first that was started for us. */
#define FIRST_PROCESS 1
#define OUR_PROCESS   2

static bool
is_alone (void)
{
  struct statfs status;

  return getpid () == OUR_PROCESS && getppid () == FIRST_PROCESS &&
         statfs ("/proc", &status) == 0 && status.f_type == PROC_SUPER_MAGIC &&
         access ("/.flatpak-info", F_OK) == 0;
}

/* Two lines of headings, then one for each interface. */
static bool
has_loopback_only (void)
{
  char text[4096] = "";
  char *rest = NULL;
  const char *line;
  unsigned int number = 0;

  /* A text that does not fit is that of many interfaces. */
  if (!kernel_file_read (AT_FDCWD, "/proc/self/net/dev", text, sizeof text) ||
      strlen (text) + 1 == sizeof text)
    return false;
  for (line = strtok_r (text, "\n", &rest); line != NULL; line = strtok_r (NULL, "\n", &rest))
    {
      line += strspn (line, " ");
      if (number++ >= 2 && strncmp (line, "lo:", 3) != 0)
        return false;
    }
  return number >= 2;
}

/* 0 if the folder is the one that the app has asked for, else an errno. */
static int
check_folder (const struct fh_proof *proof)
{
  struct stat status;

  if (lstat (proof->path, &status) < 0)
    return errno;
  return S_ISDIR (status.st_mode) && status.st_dev == proof->device && status.st_ino == proof->inode
             ? 0
             : ESTALE;
}

/* The sub-sandbox of tier F: Flatpak's portal has made namespaces with nothing in them but
 * bubblewrap and the runner, and shows one folder of the app's. Newer portals leave out what they
 * refuse without saying so; and a runner that believed to be alone would kill the user's programs.
 * So everything that the tier relies on is checked here, before anything is built. Returns NULL, or
 * with errno the step that failed. */
static const char *
check_sub_sandbox (const struct fh_policy *policy)
{
  const char *step = NULL;
  int error = 0;

  if (!is_alone ())
    {
      step = "sub-sandbox";
      error = EXDEV;
    }
  else if (!has_loopback_only ())
    {
      step = "sub-sandbox-network";
      error = ENOTUNIQ;
    }
  else if ((error = check_folder (&policy->proofs[0])) != 0)
    step = "sub-sandbox-folder";
  errno = error;
  return step;
}

static const char *
plan_folder (struct plan *plan)
{
  const struct fh_policy *policy = plan->policy;
  int error = policy->tier == FH_WIRE_TIER_PORTAL
                  ? run_folder_make_in (&plan->folder, policy->proofs[0].path)
                  : run_folder_make (&plan->folder, policy->home);

  if (error == 0)
    error = inside_paths_plan (plan);
  plan->program = error == 0 ? plan->argv[0] : NULL;
  errno = -error;
  return error == 0 ? NULL : "run-folder";
}

/* The program's path. In a container, whose folders are unknown outside, a bare name is searched
 * for. */
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

/* It stays open, so that the number of its inode stays its own. */
static bool
open_project (struct plan *plan)
{
  plan->project = project_folder_open (plan->policy);
  errno = plan->project < 0 ? -plan->project : 0;
  return plan->project >= 0;
}

const char *
plan_init (struct plan *plan,
           const struct fh_policy *policy,
           const struct workspace *workspace,
           const struct cgroup *cgroup)
{
  const char *step;

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
  plan->without_overlays = getenv ("FH_RUNNER_WITHOUT_OVERLAYS") != NULL;
#endif
  plan->argv = policy->argv;
  plan->env = policy->env;
  plan->cwd = policy->cwd;
  plan->sealed_program = plan->warm_request = plan->project = -1;
  plan->folder = (struct run_folder){ .base = -1, .fd = -1 };
  if (policy->tier == FH_WIRE_TIER_PORTAL && (step = check_sub_sandbox (policy)) != NULL)
    return step;
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      /* In a container, mounts are the engine's. */
      if (policy->tier == FH_WIRE_TIER_CONTAINER ||
          !bind_target_is_allowed (policy->binds[i].target))
        {
          errno = EINVAL;
          return "binds";
        }
    }
  errno = ELOOP;
  if (policy->tier == FH_WIRE_TIER_CONTAINER && !container_places_check (policy))
    return "container-places";
  if (policy->argv[0] != NULL && !find_program (plan))
    return "exec";
  if (policy->flags & FH_POLICY_SEALED_PROGRAM &&
      (plan->sealed_program = workspace_seal_last (workspace)) < 0)
    return "files";
  if (policy->flags & FH_POLICY_PROJECT && !open_project (plan))
    return "project-folder";
  plan->has_proxy =
      plan->has_own_network && !tier_is_shared (policy) && policy->allow_hosts[0] != NULL;
  snprintf (plan->uid_map, sizeof plan->uid_map, PLAN_USER_ID " %u 1", (unsigned int) geteuid ());
  snprintf (plan->gid_map, sizeof plan->gid_map, PLAN_USER_ID " %u 1", (unsigned int) getegid ());
  guest_user_plan (plan);
  etc_files_find_folders (plan);
  limits_plan (plan);
  if (policy->kind == FH_POLICY_FORKED)
    return NULL;
  return tier_has_run_folder (policy) ? plan_folder (plan) : NULL;
}

bool
plan_clear (struct plan *plan)
{
  fh_clear_fd (&plan->sealed_program);
  fh_clear_fd (&plan->warm_request);
  fh_clear_fd (&plan->project);
  inside_paths_clear (plan);
  return run_folder_remove (&plan->folder);
}
