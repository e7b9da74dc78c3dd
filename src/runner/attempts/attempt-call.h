/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A system call that the filter asked about, and what is told of it. Whoever made it waits
 * meanwhile, so its arguments and memory can be looked at; but other threads of its process run,
 * and it can be killed at any moment, after which its number may be another's. What was read counts
 * only if the call is still waiting afterwards.
 *
 *   attempt-refused.c   calls that were refused
 *   attempt-watched.c   calls that are let through: which of them is worth telling
 *   attempt-files.c     the part of those that name paths
 *   attempt-network.c   the part of those that name addresses
 */
#pragma once

#include "attempt-list.h"
#include "run-folder.h"
#include "seccomp-decision.h"
#include "wire-policy.h"

#include <sys/types.h>

/* Who made a call. */
struct attempt_identity
{
  uint32_t process; /* its number inside; 0 when it cannot be known */
  char command[FH_ATTEMPT_COMMAND_MAX + 1];
};

/* The same for all calls of one run. */
struct attempt_scene
{
  const struct fh_policy *policy;
  struct attempt_list *list;
  int root;                        /* O_PATH of what the guest sees as / */
  int home;                        /* O_PATH of the user's, or -1 */
  const struct run_folder *folder; /* NULL in a sandbox with a root of its own */
  int listener;                    /* where the calls come from */
  pid_t init;                      /* the sandbox's first process, ours */
  uint16_t proxy_port;             /* of our own proxy inside, or 0 */
  bool has_network;                /* a container's, which the guest may use */
  bool has_begun;                  /* the program was started */
  uint64_t started_us;             /* when that was */
  /* Who called last: as a rule the next call is from there as well. It is found out anew after an
   * execve, and before the number of the thread could be another's. */
  struct attempt_identity last;
  pid_t last_thread; /* 0: not known */
  uint64_t last_until_us;
};

struct attempt_call
{
  struct attempt_scene *scene;
  uint64_t id;
  pid_t thread; /* as the supervisor numbers it */
  const char *name;
  const uint64_t *arguments;
};

/* What is to be told of a call; the rest is found out when it is needed. */
struct attempt_finding
{
  uint8_t guard;
  uint8_t verdict;
  uint32_t flags;
  int error;
  const char *layer;
  const char *operation;
  const char *object;
  bool is_from_registers; /* nothing was read that could be another's by now */
};

/* False when whoever made the call is gone, and what was read may be another's. */
bool attempt_call_is_waiting (const struct attempt_call *call);
/* Counts what was found. Does nothing when the call is no longer waiting. */
void attempt_call_tell (const struct attempt_call *call, const struct attempt_finding *finding);
/* The number inside of the process that made the call; 0 when it cannot be known. */
uint32_t attempt_call_process (const struct attempt_call *call);

void attempt_refused (const struct attempt_call *call, int answer);
void attempt_watched (const struct attempt_call *call, const struct seccomp_watched *watched);
void attempt_files (const struct attempt_call *call, const struct seccomp_watched *watched);
void attempt_network (const struct attempt_call *call, enum seccomp_act act);
