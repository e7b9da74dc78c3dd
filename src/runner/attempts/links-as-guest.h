/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows links in folders that the guest has closed to others, where it has a user id of its own:
 * in a child process that has the guest's rights to files, see guest_user_assume. It is started
 * when it is needed for the first time, and does nothing but to look names up.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct attempt_call;

/* Part of a scene. */
struct links_as_guest
{
  int users;   /* the guest's user namespace, borrowed; -1: the guest has no user id of its own */
  int channel; /* to the child; -1: there is none */
  pid_t child; /* 0: none was started */
};

void links_as_guest_init (struct links_as_guest *self, int users);
/* Ends the child. */
void links_as_guest_clear (struct links_as_guest *self);

/* Where links_follow was not allowed to look: replaces `joined` and `found`, which it has answered,
 * by what the guest can find. Both stay as they are if that is not known. */
void links_follow_as_guest (const struct attempt_call *call,
                            const char *base,
                            const char *path,
                            bool follows_last,
                            char joined[PATH_MAX],
                            int *found);
