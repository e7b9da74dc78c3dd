/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control group of a run, cgroups(7): if systemd gave the runner a scope of its own, the kernel
 * limits and counts everything inside as a whole.
 *
 * The runner moves into a leaf of the scope, "supervisor", because a group that enables controllers
 * for its children may hold no processes. What it runs is cloned into another leaf, "run". All of
 * this is optional: without it, setrlimit and sampling are used, and `reason` says why. The group
 * is new, so its counters start at zero.
 *
 * In a forked sandbox the warm interpreter has a leaf, "warm", and each run a new one, "run", into
 * which it is moved: cloning into it would take an interpreter that can write control groups.
 */
#pragma once

#include "wire-policy.h"

#include <stddef.h>
#include <sys/types.h>

struct cgroup
{
  int scope;              /* its folder, or -1 */
  const char *name;       /* the leaf's */
  int leaf;               /* the leaf's folder, or -1 if there is none */
  uint32_t own_processes; /* processes in the leaf that are not the guest's */
  bool is_borrowed;       /* the scope's folder belongs to another one of these */
  bool counts_memory;
  bool counts_processes;
  bool limits_memory; /* as the policy asks, read back from the kernel */
  bool limits_swap;   /* and swap is limited too */
  bool limits_processes;
  const char *reason; /* why the kernel does not limit memory; "" if it does */
};

#define CGROUP_NONE                                                                                \
  {                                                                                                \
    .scope = -1, .leaf = -1, .reason = ""                                                          \
  }

struct cgroup_usage
{
  uint64_t memory;    /* bytes; including kernel memory */
  uint32_t processes; /* threads count, ours do not */
  uint64_t cpu_user_us;
  uint64_t cpu_system_us;
};

struct cgroup_outcome
{
  uint64_t memory_peak;      /* 0 if unknown */
  uint32_t processes_peak;   /* 0 if unknown */
  uint64_t process_refusals; /* how often a new process was refused */
  bool was_over_memory;      /* the kernel killed because of the leaf's own limit */
};

/* False if the computer has none, so that it needs no limit. */
bool cgroup_has_swap (void);
/* Makes the leaves and sets the limits as far as possible. Call cgroup_close either way. */
void cgroup_open (struct cgroup *cgroup, const struct fh_policy *policy);
/* A leaf for one run of the warm interpreter that is in `warm`, with the same limits. If that has
 * none, the run has none either. False with errno if it cannot be limited like that. Borrows the
 * scope. Call cgroup_close either way. */
bool
cgroup_open_run (struct cgroup *cgroup, const struct cgroup *warm, const struct fh_policy *policy);
/* Moves a process without children into the leaf, if there is one. False with errno if it is not in
 * there. */
bool cgroup_take (const struct cgroup *cgroup, pid_t pid);
/* True if the kernel enforces all limits that the policy sets. */
bool cgroup_limits_all (const struct cgroup *cgroup, const struct fh_policy *policy);
/* The kernel's counters of the leaf: exact, for living and dead processes, however short-lived. Set
 * only what the leaf counts; without a leaf nothing is known. */
void cgroup_measure (const struct cgroup *cgroup, struct cgroup_usage *usage);
void cgroup_conclude (const struct cgroup *cgroup, struct cgroup_outcome *outcome);
/* Runs without it, if nothing can be started in the leaf. */
void cgroup_give_up (struct cgroup *cgroup, const char *reason);
/* Kills everything in the leaf at once, including processes that are being forked. */
void cgroup_kill (const struct cgroup *cgroup);
/* Removes the leaf, whose processes must be dead; waits a moment until the last ones have left. */
void cgroup_close (struct cgroup *cgroup);

/* For a backend that has gone before it said whether there is a scope: waits until systemd has
 * moved this process into one, or for some seconds. A process that ends earlier is no longer there
 * to be moved, and systemd would keep the empty scope until the user logs out. */
void cgroup_wait_for_scope (void);

/* The path of the group in a text of /proc/self/cgroup, below the root of the version 2 hierarchy
 * and without the leading slash. False if it is the root, not visible or not there. */
bool cgroup_find_path (const char *text, char *path, size_t size);
