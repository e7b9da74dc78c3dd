/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-folders.h"
#include "descriptor.h"
#include "supervisor-private.h"
#include "wire-container.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static bool
is_in_memory (int folder)
{
  struct statfs status;

  return fstatfs (folder, &status) == 0 && status.f_type == TMPFS_MAGIC;
}

/* The clock of the kernel's file times. */
static void
enter_shared_workspace (struct supervisor *self)
{
  self->shared_workspace =
      open (FH_CONTAINER_WORKSPACE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (self->shared_workspace < 0)
    return;
  /* The setup then fails for the same reason, before it touches the folder. */
  if (!container_folders_prove (self->policy, FH_CONTAINER_WORKSPACE, self->shared_workspace))
    {
      fh_clear_fd (&self->shared_workspace);
      return;
    }
  workspace_make_room (&self->request->workspace, self->shared_workspace);
  clock_gettime (CLOCK_REALTIME_COARSE, &self->since);
}

void
supervisor_enter (struct supervisor *self)
{
  self->shared_workspace = -1;
  self->cgroup = (struct cgroup) CGROUP_NONE;
  if (self->warm == NULL)
    cgroup_open (&self->cgroup, self->policy);
  if (!self->request->is_inside)
    return;
  container_cgroup_open (&self->container, CONTAINER_CGROUP_FOLDER);
  container_cgroup_grant (&self->container, self->policy, self->request->input.size, &self->cgroup);
  if (self->policy->flags & FH_POLICY_SHARED_WORKSPACE)
    enter_shared_workspace (self);
}

void
supervisor_watch_disk (struct supervisor *self)
{
  const uint64_t limit = self->policy->disk_bytes;

  if (self->shared_workspace >= 0 && !is_in_memory (self->shared_workspace))
    disk_watch_begin_growing (&self->disk, self->shared_workspace, limit);
  else
    disk_watch_begin (&self->disk, self->plan->folder.fd, limit);
}

/* All tmpfs that the usage watch counts; the first is the workspace. */
void
supervisor_begin_to_watch (struct supervisor *self, uint64_t setup_cpu_us)
{
  const int workspace = self->inside[INIT_WORKSPACE];
  const bool is_inside = self->request->is_inside;
  const bool has_scratch =
      is_inside ? workspace >= 0 && is_in_memory (workspace) : !self->sandbox.is_shared;

  usage_watch_begin (&self->watch,
                     self->inside[INIT_PROC],
                     has_scratch ? workspace : -1,
                     setup_cpu_us);
  kernel_objects_begin (&self->watch.objects, self->inside[INIT_SOCKETS]);
  if (warm_interpreter_shares_network (self->warm))
    self->watch.objects.sockets.ends = WARM_NETWORK_ENDS;
  if (is_inside)
    {
      usage_watch_add_scratch (&self->watch, FH_CONTAINER_TMP);
      usage_watch_add_scratch (&self->watch, "/dev/shm");
      usage_watch_add_scratch (&self->watch, FH_CONTAINER_HOME);
    }
}

void
supervisor_clear_workspace (struct supervisor *self)
{
  /* Nothing uses the workspace if nothing was started, or if all of it has ended. */
  const bool is_dead =
      self->phase != PHASE_FINISHED || (self->sandbox.pidfd < 0 && !self->has_survivors);

  if (self->shared_workspace < 0)
    return;
  if (is_dead)
    workspace_remove (&self->request->workspace, self->shared_workspace);
  fh_clear_fd (&self->shared_workspace);
}

void
supervisor_leave (struct supervisor *self)
{
  supervisor_clear_workspace (self);
  if (self->request->is_inside)
    container_cgroup_close (&self->container);
  cgroup_close (&self->cgroup);
}
