/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "entry.h"

#include "descriptor.h"
#include "stage-numbers.h"
#include "wire-container.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

int
entry_bubblewrap (struct setup *setup)
{
  setup->proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  setup->scratch = open (STAGE_SCRATCH, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  setup->workspace = open (STAGE_SCRATCH "/workspace", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  setup->tmp = open (STAGE_SCRATCH "/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (setup->proc < 0 || setup->scratch < 0 || setup->workspace < 0 || setup->tmp < 0)
    return -errno;
  return fchdir (setup->workspace) < 0 ? -errno : 0;
}

/* If /proc were something else, processes could not be found to be killed. */
static bool
is_proc (int folder)
{
  struct statfs status;

  return fstatfs (folder, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

int
entry_container (struct setup *setup)
{
  setup->runner = getppid ();
  /* The guest gets a group and a session of its own as well. */
  if (setsid () < 0)
    return -errno;
  setup->proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  setup->workspace = open (FH_CONTAINER_WORKSPACE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  setup->tmp = open (FH_CONTAINER_TMP, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (setup->proc < 0 || setup->workspace < 0 || setup->tmp < 0)
    return -errno;
  if (!is_proc (setup->proc))
    return -ENODEV;
  return fchdir (setup->workspace) < 0 ? -errno : 0;
}

/* An interpreter that cannot read what it begins with would fail as if its program had. */
int
entry_check_files (struct setup *setup)
{
  const struct fh_policy *policy = setup->plan->policy;

  for (size_t i = 0; i < policy->n_binds; i++)
    {
      fh_autofd int file = -1;

      if (!policy->binds[i].is_copy)
        continue;
      file = open (policy->binds[i].target, O_RDONLY | O_CLOEXEC);
      if (file < 0)
        return -errno;
    }
  return 0;
}

int
entry_start_folder (struct setup *setup)
{
  static const char workspace[] = "/workspace/";
  const struct plan *plan = setup->plan;
  fh_autofd int folder = -1;

  if (plan->policy->cwd[0] == '\0')
    return 0;
  if (strncmp (plan->policy->cwd, workspace, sizeof workspace - 1) == 0)
    folder = workspace_make_folder (setup->workspace, plan->policy->cwd + sizeof workspace - 1);
  else if ((folder = open (plan->cwd, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
    folder = -errno;
  if (folder < 0)
    return folder;
  return fchdir (folder) < 0 ? -errno : 0;
}
