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
  bool has_own_network; /* the network guard is not switched off */
  bool is_root;         /* the runner's user is, whom the kernel shows more */
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
  const char *failing_step; /* a step that must fail, for tests; NULL in any other build */
};

/* Fills in `plan`. Returns NULL, or the name of the step that can never succeed with this policy;
 * errno is then set. */
const char *plan_init (struct plan *plan,
                       const struct fh_policy *policy,
                       const struct workspace *workspace,
                       const struct cgroup *cgroup);
