/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A system call that the filter asked about, and what is reported of it. The caller waits
 * meanwhile, so its arguments and memory can be read; but other threads of its process run, and it
 * can be killed at any time, after which its id may be reused. What was read counts only if the
 * call is still waiting afterwards.
 *
 *   attempt-refused.c   calls that were refused
 *   attempt-watched.c   calls that are let through: which of them to report
 *   attempt-files.c     those that name paths
 *   attempt-target.c    what a path names, with attempt-links.c and links-as-guest.c
 *   attempt-network.c   those that name addresses
 */
#pragma once

#include "attempt-list.h"
#include "links-as-guest.h"
#include "run-folder.h"
#include "seccomp-decision.h"
#include "wire-policy.h"

#include <sys/types.h>

/* The process that made a call. */
struct attempt_identity
{
  uint32_t process; /* process id inside; 0 if unknown */
  pid_t parent;     /* in the supervisor's numbering; 0 if unknown */
  char command[FH_ATTEMPT_COMMAND_MAX + 1];
};

/* Shared by all calls of one run. */
struct attempt_scene
{
  const struct fh_policy *policy;
  struct attempt_list *list;
  int root; /* O_PATH of what the guest sees as / */
  struct links_as_guest as_guest;
  const struct run_folder *folder; /* NULL in a sandbox with a root of its own */
  int listener;                    /* the system call filter's */
  enum seccomp_sandbox filter;     /* its rules */
  pid_t init;                      /* the sandbox's first process */
  uint16_t proxy_port;             /* of our own proxy inside, or 0 */
  bool has_network;                /* a container's network, which the guest may use */
  bool has_file_rules;             /* Landlock's */
  bool has_begun;                  /* the program was started */
  bool kills_itself;               /* the main process has sent SIGKILL to itself */
  uint64_t started_us;             /* when it was started */
  /* The last caller: usually the next call is its as well. Read again after an execve, and before
   * the thread id could be reused. */
  struct attempt_identity last;
  pid_t last_thread; /* 0: unknown */
  uint64_t last_until_us;
};

struct attempt_call
{
  struct attempt_scene *scene;
  uint64_t id;
  pid_t thread; /* in the supervisor's numbering */
  const char *name;
  const uint64_t *arguments;
  int answer; /* the filter's; 0 also if the call is let through */
};

/* What to report about a call; the rest is added when needed. */
struct attempt_finding
{
  uint8_t guard;
  uint8_t verdict;
  uint32_t flags;
  int error;
  const char *layer;
  const char *operation;
  const char *object;
  bool is_from_registers; /* does not rely on memory that may be another process's by now */
};

/* Reports a finding. Does nothing if the call is no longer waiting. */
void attempt_call_report (const struct attempt_call *call, const struct attempt_finding *finding);
/* Whether the caller is a child of the sandbox's first process, as the main process is. */
bool attempt_call_is_main (const struct attempt_call *call);
/* Whether the process has executed a file already. One that cannot be looked into has not. */
bool attempt_call_is_of_guest (const struct attempt_call *call);
/* The caller's process id inside; 0 if unknown. */
uint32_t attempt_call_process (const struct attempt_call *call);

void attempt_refused (const struct attempt_call *call);
void attempt_watched (const struct attempt_call *call, const struct seccomp_watched *watched);
void attempt_files (const struct attempt_call *call, const struct seccomp_watched *watched);
void attempt_network (const struct attempt_call *call, enum seccomp_act act);
