/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan: everything the sandbox's first process needs, worked out before that process exists.
 * From clone3 on there is no malloc, no stdio and no choice left to make, only system calls that
 * read from here.
 *
 * A plan borrows the policy, the files and the control group; they outlive it.
 */
#pragma once

#include "cgroup.h"
#include "run-folder.h"
#include "wire-policy.h"
#include "workspace.h"

#include <limits.h>
#include <sys/resource.h>

/* The identity inside: a neutral one, not root, because tools behave oddly as root. */
#define PLAN_USER_ID "1000"

#define PLAN_MAX_ETC_FOLDERS 8
#define PLAN_N_RLIMITS       16

struct plan_rlimit
{
  int resource;
  struct rlimit limit;
};

struct plan
{
  const struct fh_policy *policy;
  const struct workspace *workspace;
  const struct cgroup *cgroup;
  bool has_proxy;       /* there are hosts that may be reached */
  bool has_own_network; /* the network guard is not switched off */
  bool is_root;         /* the runner's user is, whom the kernel shows more */
  const char *program;  /* what is executed; argv[0] may be a mere name */
  char found[PATH_MAX]; /* where that is, if it had to be looked for */
  /* What the program is given: the policy's own, or what inside_paths_plan has made of it. */
  char **argv;
  char **env;
  const uint8_t *guest_message;
  size_t guest_message_size;
  struct run_folder folder; /* in tiers that have no filesystem of their own */
  char uid_map[48];
  char gid_map[48];
  char scratch_size[32];   /* of tmpfs; "" leaves the kernel's default */
  char scratch_inodes[32]; /* the same */
  /* Folders of /etc whose names depend on versions, such as java-17-openjdk. */
  char etc_folders[PLAN_MAX_ETC_FOLDERS][64];
  size_t n_etc_folders;
  struct plan_rlimit rlimits[PLAN_N_RLIMITS];
  size_t n_rlimits;
  char pid_max[16];
  int most_landlock_abi;    /* pretend that the kernel has no newer one, for tests; 0: do not */
  const char *failing_step; /* a step that must fail, for tests; NULL in any other build */
};

/* Fills in `plan`. Returns NULL, or the name of the step that can never succeed with this policy;
 * errno is then set. */
const char *plan_init (struct plan *plan,
                       const struct fh_policy *policy,
                       const struct workspace *workspace,
                       const struct cgroup *cgroup);
/* Removes what plan_init has made outside this process. False when the run folder could not be
 * removed completely. To be called once after each plan_init, whatever that returned. */
bool plan_clear (struct plan *plan);
/* Takes out of a policy what the user has switched off for this run. */
void plan_apply_switches (struct fh_policy *policy);
/* True for tiers in which the runner makes no namespaces: the guest's processes are among others
 * and have to be found to be killed, and the supervisor is among those that the guest could see. */
bool plan_is_shared (const struct plan *plan);
/* True for those of them in which the guest has the host's files, and a folder of its own there:
 * what the policy calls /workspace is elsewhere. */
bool plan_has_run_folder (const struct plan *plan);
