/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest's user: one of the user's subordinate ids, subuid (5), if the system has assigned a
 * range. Then what the kernel counts per user over all namespaces (descriptors in flight, pipe
 * memory, epoll watches, keys) is not counted for the user outside, and no file of the user is the
 * guest's by ownership. What it counts per user namespace (processes, inotify) still counts for the
 * user, who made the namespace: user_namespaces (7).
 *
 * Inside nothing looks different: the guest is PLAN_USER_ID. The user, as whom the sandbox is set
 * up, is PLAN_KEEPER_ID, which is also what files of other host users look like. The group stays
 * the user's: the kernel counts nothing per group, and newgidmap need not be started.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct plan;
struct setup;

/* Part of a plan. */
struct guest_user
{
  bool is_own;        /* false: the guest has the user's own id */
  uid_t outside;      /* its id outside */
  const char *mapper; /* the system's program that may map it */
};

/* Finds the subordinate range of the user `uid`, called `name`, in a file such as /etc/subuid.
 * `name` may be "" if unknown. False if there is none. */
bool guest_user_read_range (FILE *ranges, const char *name, uid_t uid, uid_t *first, uid_t *count);

/* The range of the user who runs this, from which the guests of all his runs are. False if there is
 * none. */
bool guest_user_find_range (uid_t *first, uid_t *count);

/* Decides whether the guest gets an id of its own, and which: one that no other run has while this
 * process lives. It does not if the system has no newuidmap or no range, if all numbers that are
 * tried are taken, or if the guest could not read a file that it is shown. */
void guest_user_plan (struct plan *plan);

/* Maps the user and the guest in the user namespace of `pid`, a child that waits. Returns 0 or a
 * negative errno; after an error the namespace is useless. */
int guest_user_map (const struct guest_user *user, pid_t pid);

/* Gives the calling process, single-threaded and the user's, the dead guest's rights to files:
 * enters `user_namespace`, drops all capabilities there and sets the file system user id. False on
 * failure. */
bool guest_user_assume (int user_namespace);

/* Calls `function` with these rights, in a child, because a process that has entered a user
 * namespace cannot leave it. The child has the memory of the calling process, which is
 * single-threaded and waits for it, as vfork (2) does, and its descriptors: what the function
 * changes or opens stays so.
 * Returns what the function returns, -EPERM if it was not called, or another negative errno. */
int guest_user_call (int user_namespace, int (*function) (void *data), void *data);

/* In the sandbox: makes the guest the owner of `name` in `folder`, if it has its own id. Returns 0
 * or a negative errno. */
int guest_user_give (const struct setup *setup, int folder, const char *name);
/* A step: this process, and all that follow, run as the guest's user; its pipes change owner
 * too. */
int guest_user_enter (struct setup *setup);
/* Returns 0 if it cannot be undone, or a negative errno. */
int guest_user_verify (const struct setup *setup);
