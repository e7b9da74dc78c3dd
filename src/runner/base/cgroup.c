/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cgroup.h"

#include "descriptor.h"
#include "kernel-file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>
#include <unistd.h>

#define ROOT       "/sys/fs/cgroup"
#define SUPERVISOR "supervisor"
#define RUN        "run"
#define WARM       "warm"

/* How often to look for a scope that systemd was asked for, and the pause between: 10 s in all,
 * after which a backend, too, takes systemd for stuck. */
#define SCOPE_LOOKS    1000
#define SCOPE_PAUSE_US 10000

/* Attempts to remove a leaf that is still busy, and the pause between them. */
#define REMOVALS         50
#define REMOVAL_PAUSE_US 2000

bool
cgroup_find_path (const char *text, char *path, size_t size)
{
  const char *line = text;
  size_t length;

  while (strncmp (line, "0::/", 4) != 0)
    {
      line = strchr (line, '\n');
      if (line == NULL)
        return false;
      line++;
    }
  line += strlen ("0::/");
  length = strcspn (line, "\n");
  if (length == 0 || length >= size)
    return false;
  memcpy (path, line, length);
  path[length] = '\0';
  /* Outside of what this mount shows. */
  return strncmp (path, "..", 2) != 0 && strstr (path, "/..") == NULL;
}

static bool
find_own_group (char *path, size_t size)
{
  char text[8192];

  return kernel_file_read (AT_FDCWD, "/proc/self/cgroup", text, sizeof text) &&
         cgroup_find_path (text, path, size);
}

static int
open_own_group (void)
{
  char path[PATH_MAX];
  struct statfs status;
  fh_autofd int root = -1;

  if (!find_own_group (path, sizeof path))
    return -1;
  root = open (ROOT, O_PATH | O_DIRECTORY | O_CLOEXEC);
  /* With cgroup version 1 in use, something else may be mounted here. */
  if (root < 0 || fstatfs (root, &status) < 0 || status.f_type != CGROUP2_SUPER_MAGIC)
    return -1;
  return openat (root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* Checks what the backend says, because other processes would be affected. */
static bool
is_alone (int scope)
{
  char text[256];
  char *end;

  return kernel_file_read (scope, "cgroup.procs", text, sizeof text) &&
         strtol (text, &end, 10) == getpid () && strcmp (end, "\n") == 0;
}

static bool
has_controller (const char *controllers, const char *name)
{
  const size_t length = strlen (name);
  const char *found = controllers;

  while ((found = strstr (found, name)) != NULL)
    {
      if ((found == controllers || found[-1] == ' ') && strchr (" \n", found[length]) != NULL)
        return true;
      found += length;
    }
  return false;
}

/* CPU time is accounted without a controller. */
static bool
make_leaf (struct cgroup *cgroup)
{
  char controllers[512];

  if (mkdirat (cgroup->scope, cgroup->name, 0755) < 0)
    return false;
  cgroup->leaf =
      openat (cgroup->scope, cgroup->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (cgroup->leaf < 0)
    return false;
  /* A module that a warm interpreter imports could mount its own group, and make others in it. */
  kernel_file_write (cgroup->leaf, "cgroup.max.descendants", "0");
  if (kernel_file_read (cgroup->leaf, "cgroup.controllers", controllers, sizeof controllers))
    {
      cgroup->counts_memory = has_controller (controllers, "memory");
      cgroup->counts_processes = has_controller (controllers, "pids");
    }
  return true;
}

static bool
make_leaves (struct cgroup *cgroup)
{
  if (mkdirat (cgroup->scope, SUPERVISOR, 0755) < 0 && errno != EEXIST)
    return false;
  if (kernel_file_write (cgroup->scope, SUPERVISOR "/cgroup.procs", "0") < 0)
    return false;
  kernel_file_write (cgroup->scope, "cgroup.subtree_control", "+memory");
  kernel_file_write (cgroup->scope, "cgroup.subtree_control", "+pids");
  return make_leaf (cgroup);
}

/* True if the kernel reads back this limit, or the next lower one that it supports. */
static bool
set_limit (const struct cgroup *cgroup, const char *name, uint64_t limit)
{
  char text[32];
  uint64_t granted = UINT64_MAX;

  snprintf (text, sizeof text, "%" PRIu64, limit);
  if (kernel_file_write (cgroup->leaf, name, text) == 0)
    granted = kernel_file_read_number (cgroup->leaf, name, UINT64_MAX);
  /* It may be a word, for no limit. */
  return granted != UINT64_MAX && granted <= limit;
}

bool
cgroup_has_swap (void)
{
  struct sysinfo info;

  return sysinfo (&info) < 0 || info.totalswap > 0;
}

static void
limit_memory (struct cgroup *cgroup, uint64_t limit)
{
  if (!cgroup->counts_memory)
    {
      cgroup->reason = "cgroup-controllers";
      return;
    }
  cgroup->limits_memory = set_limit (cgroup, "memory.max", limit);
  if (!cgroup->limits_memory)
    {
      cgroup->reason = "cgroup-refused";
      return;
    }
  cgroup->limits_swap = set_limit (cgroup, "memory.swap.max", 0) || !cgroup_has_swap ();
  cgroup->reason = cgroup->limits_swap ? "" : "swap";
  /* Kill the whole group: a program that loses one process of many misbehaves. */
  kernel_file_write (cgroup->leaf, "memory.oom.group", "1");
}

static const char *
build (struct cgroup *cgroup)
{
  cgroup->scope = open_own_group ();
  if (cgroup->scope < 0)
    return "no-cgroup";
  if (!is_alone (cgroup->scope))
    return "cgroup-shared";
  return make_leaves (cgroup) ? NULL : "cgroup-refused";
}

static void
set_limits (struct cgroup *cgroup, const struct fh_policy *policy)
{
  if (policy->memory_bytes > 0)
    limit_memory (cgroup, policy->memory_bytes);
  if (policy->processes > 0 && cgroup->counts_processes)
    cgroup->limits_processes =
        set_limit (cgroup, "pids.max", (uint64_t) policy->processes + cgroup->own_processes);
}

void
cgroup_open (struct cgroup *cgroup, const struct fh_policy *policy)
{
  const bool is_warm = policy->kind == FH_POLICY_FORKED;
  const char *failure = "no-cgroup";

  *cgroup = (struct cgroup) CGROUP_NONE;
  cgroup->name = is_warm ? WARM : RUN;
  if (policy->flags & FH_POLICY_SCOPE && policy->tier != FH_WIRE_TIER_CONTAINER)
    failure = build (cgroup);
  if (failure != NULL)
    {
      cgroup_give_up (cgroup, failure);
      return;
    }
  /* Init, and bubblewrap's process that waits for it; or a run's init until it is moved. */
  cgroup->own_processes = policy->tier == FH_WIRE_TIER_BUBBLEWRAP || is_warm ? 2 : 1;
  set_limits (cgroup, policy);
}

bool
cgroup_open_run (struct cgroup *cgroup, const struct cgroup *warm, const struct fh_policy *policy)
{
  *cgroup = *warm;
  cgroup->leaf = -1;
  if (warm->leaf < 0)
    return true;
  *cgroup = (struct cgroup){
    .scope = warm->scope,
    .name = RUN,
    .leaf = -1,
    .own_processes = 1,
    .is_borrowed = true,
    .reason = "",
  };
  if (!make_leaf (cgroup))
    return false;
  set_limits (cgroup, policy);
  errno = EPERM;
  return cgroup->counts_memory == warm->counts_memory &&
         cgroup->counts_processes == warm->counts_processes &&
         cgroup->limits_memory == warm->limits_memory && cgroup->limits_swap == warm->limits_swap &&
         cgroup->limits_processes == warm->limits_processes;
}

bool
cgroup_take (const struct cgroup *cgroup, pid_t pid)
{
  char text[16];
  int error = 0;

  snprintf (text, sizeof text, "%d", (int) pid);
  if (cgroup->leaf >= 0)
    error = kernel_file_write (cgroup->leaf, "cgroup.procs", text);
  errno = -error;
  return error == 0;
}

bool
cgroup_limits_all (const struct cgroup *cgroup, const struct fh_policy *policy)
{
  return cgroup->leaf >= 0 && (policy->memory_bytes == 0 || cgroup->limits_memory) &&
         (policy->processes == 0 || cgroup->limits_processes);
}

static uint32_t
count_guests (const struct cgroup *cgroup, const char *name)
{
  uint64_t all = kernel_file_read_number (cgroup->leaf, name, 0);

  if (all > UINT32_MAX)
    return UINT32_MAX;
  return all > cgroup->own_processes ? (uint32_t) all - cgroup->own_processes : 0;
}

void
cgroup_measure (const struct cgroup *cgroup, struct cgroup_usage *usage)
{
  char text[2048];

  if (cgroup->leaf < 0)
    return;
  if (cgroup->counts_memory)
    usage->memory = kernel_file_read_number (cgroup->leaf, "memory.current", 0);
  if (cgroup->counts_processes)
    usage->processes = count_guests (cgroup, "pids.current");
  if (kernel_file_read (cgroup->leaf, "cpu.stat", text, sizeof text))
    {
      usage->cpu_user_us = kernel_file_number (text, "user_usec", 0);
      usage->cpu_system_us = kernel_file_number (text, "system_usec", 0);
    }
}

/* The kernel also kills in the leaf if the whole computer, or a parent group, is out of memory. An
 * "oom" event of the leaf itself means its own limit. */
static bool
was_over_memory (const char *events)
{
  return kernel_file_number (events, "oom", 0) > 0 &&
         (kernel_file_number (events, "oom_kill", 0) > 0 ||
          kernel_file_number (events, "oom_group_kill", 0) > 0);
}

void
cgroup_conclude (const struct cgroup *cgroup, struct cgroup_outcome *outcome)
{
  char text[2048];

  *outcome = (struct cgroup_outcome){ 0 };
  if (cgroup->leaf < 0)
    return;
  if (cgroup->counts_memory)
    outcome->memory_peak = kernel_file_read_number (cgroup->leaf, "memory.peak", 0);
  if (cgroup->counts_processes)
    outcome->processes_peak = count_guests (cgroup, "pids.peak");
  if (cgroup->limits_memory && kernel_file_read (cgroup->leaf, "memory.events", text, sizeof text))
    outcome->was_over_memory = was_over_memory (text);
  if (cgroup->limits_processes && kernel_file_read (cgroup->leaf, "pids.events", text, sizeof text))
    outcome->process_refusals = kernel_file_number (text, "max", 0);
}

void
cgroup_give_up (struct cgroup *cgroup, const char *reason)
{
  cgroup_close (cgroup);
  *cgroup = (struct cgroup) CGROUP_NONE;
  cgroup->reason = reason;
}

void
cgroup_kill (const struct cgroup *cgroup)
{
  if (cgroup->leaf >= 0)
    kernel_file_write (cgroup->leaf, "cgroup.kill", "1");
}

void
cgroup_close (struct cgroup *cgroup)
{
  if (cgroup->leaf >= 0)
    {
      close (cgroup->leaf);
      for (int i = 0; i < REMOVALS; i++)
        {
          if (unlinkat (cgroup->scope, cgroup->name, AT_REMOVEDIR) == 0 || errno != EBUSY)
            break;
          usleep (REMOVAL_PAUSE_US);
        }
    }
  /* The other leaf is this process's own; systemd removes it with the scope. */
  if (cgroup->scope >= 0 && !cgroup->is_borrowed)
    close (cgroup->scope);
  cgroup->scope = cgroup->leaf = -1;
}

void
cgroup_wait_for_scope (void)
{
  char path[PATH_MAX];

  for (int i = 0; i < SCOPE_LOOKS; i++)
    {
      if (!find_own_group (path, sizeof path) || strstr (path, FH_SCOPE_PREFIX) != NULL)
        return;
      usleep (SCOPE_PAUSE_US);
    }
}
