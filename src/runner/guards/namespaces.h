/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Namespaces: the guest's own users, processes, network, System V objects, machine name, control
 * groups and mounts. clone3 makes them; these steps make them usable.
 */
#pragma once

#include "setup.h"

/* All that clone3 is asked for. Why each one: see namespaces(7). */
#define NAMESPACES_CLONE_FLAGS                                                                     \
  (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |       \
   CLONE_NEWCGROUP)

/* One user and one group, user_namespaces(7). "deny" must be written first: a process without
 * privileges over the host may not map groups while setgroups is allowed (CVE-2014-8989). */
int namespaces_map_ids (struct setup *setup);
int namespaces_set_hostname (struct setup *setup);
/* The new network namespace holds nothing but `lo`, which starts out down. */
int namespaces_raise_loopback (struct setup *setup);
/* A session keyring of its own, so that nothing of the user's can be searched; keyrings(7). */
int namespaces_join_keyring (struct setup *setup);
