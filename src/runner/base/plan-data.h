/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan: everything the sandbox's first process needs, computed before that process exists.
 * After clone3 there is no malloc, no stdio and no decision left, only system calls that read from
 * here.
 *
 * A plan borrows the policy, the files and the control group; they outlive it.
 */
#pragma once

#include "cgroup.h"
#include "guest-user.h"
#include "run-folder.h"
#include "tier.h"
#include "workspace.h"

#include <limits.h>
#include <sys/resource.h>
#include <sys/types.h>

/* The user id inside: not root, because tools behave oddly as root. */
#define PLAN_USER_ID "1000"
/* The host user's id inside, if the guest has a user id of its own. */
#define PLAN_KEEPER_ID "65534"

#define PLAN_MAX_ETC_FOLDERS 8
#define PLAN_MAX_RLIMITS     16

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
  bool has_proxy;       /* some hosts are allowed */
  bool has_own_network; /* the network guard is not switched off */
  bool is_root;         /* the runner's user is root, to whom the kernel shows more */
  mode_t users_mask;    /* of a run without protection: what new files hide, umask (2) */
  const char *program;  /* the file to execute; argv[0] may be a bare name */
  char found[PATH_MAX]; /* where the bare name was found */
  /* The policy's own, or as rewritten by inside_paths_plan. */
  char **argv;
  char **env;
  char *cwd;                /* where the program starts, if not below /workspace; "": there */
  int project;              /* the project folder, or -1 */
  int sealed_program;       /* a descriptor of it, or -1; if forked, of the module that forks */
  int warm_request;         /* what a warm interpreter gets, warm-interpreter.c; or -1 */
  struct run_folder folder; /* in tiers without a file system of their own */
  struct guest_user guest_user;
  char uid_map[48];
  char gid_map[48];
  char scratch_size[32];   /* of tmpfs; "" leaves the kernel's default */
  char scratch_inodes[32]; /* the same */
  /* Folders of /etc whose names depend on versions, such as java-17-openjdk. */
  char etc_folders[PLAN_MAX_ETC_FOLDERS][sizeof "/etc/" + 64];
  size_t n_etc_folders;
  struct plan_rlimit rlimits[PLAN_MAX_RLIMITS];
  size_t n_rlimits;
  char pid_max[16];
  bool without_overlays; /* for tests: behave as if the kernel had none */
  int most_landlock_abi; /* for tests: behave as if the kernel had no newer one; 0: the real one */
  const char *failing_step; /* for tests: a step that must fail; NULL in other builds */
};
