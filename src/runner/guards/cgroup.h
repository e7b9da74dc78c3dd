/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control group of a run, cgroups(7): where systemd has given the runner a scope of its own,
 * the kernel itself limits and counts what everything inside takes together.
 *
 * The runner moves into a leaf of the scope, "supervisor", because a group that hands controllers
 * on to others may hold no processes itself. What it runs is born in another leaf, "box".
 * Everything here is optional: what cannot be had is left to setrlimit and to looking, and `reason`
 * says why. The group is new, so its counters begin at zero.
 */
#pragma once

#include "wire-policy.h"

#include <stddef.h>

struct cgroup
{
  int scope;              /* its folder, or -1 */
  int box;                /* the leaf's folder, or -1: there is none */
  uint32_t own_processes; /* those in the box that are not the guest's */
  bool counts_memory;
  bool counts_processes;
  bool limits_memory; /* as the policy wants it, read back from the kernel */
  bool limits_swap;   /* nothing can go there instead */
  bool limits_processes;
  const char *reason; /* what keeps the memory limit from being the kernel's own; "" if nothing */
};

/* Makes the leaves and sets the limits, as far as possible. To be closed in any case. */
void cgroup_open (struct cgroup *cgroup, const struct fh_policy *policy);
/* Goes without: for when nothing can be started in the box. */
void cgroup_give_up (struct cgroup *cgroup, const char *reason);
/* Kills everything in the box at once, those who are just being born included. */
void cgroup_kill (const struct cgroup *cgroup);
/* Removes the box, which must have died out; waits a moment for the last ones to leave it. */
void cgroup_close (struct cgroup *cgroup);

/* Where the process is that this text of /proc/self/cgroup speaks of, below the root of the version
 * 2 hierarchy and without the leading slash. False when it is in the root, outside of what can be
 * seen or in none. */
bool cgroup_find_path (const char *text, char *path, size_t size);
