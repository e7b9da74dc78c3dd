/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Namespaces: users, processes, network, System V objects, host name, control groups and mounts of
 * the guest's own. clone3 makes all but the network; these steps make them usable.
 *
 * Some sockets in the sandbox's network are served outside. A socket stays in the network namespace
 * it was made in, wherever its descriptor goes: init makes them and sends them to the supervisor.
 * From inside they only lead to the process that holds the other end.
 */
#pragma once

#include "setup-state.h"

/* The flags for clone3; see namespaces(7). */
#define NAMESPACES_CLONE_FLAGS                                                                     \
  (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

/* One user and one group, user_namespaces(7). "deny" must be written first: an unprivileged process
 * may not map groups while setgroups is allowed (CVE-2014-8989). If the guest has its own user id,
 * waits for the runner to map it, see guest-user.h. */
int namespaces_map_ids (struct setup *setup);
/* Takes the longest, so it runs while the runner maps the users. */
int namespaces_make_network (struct setup *setup);
/* Waits until the supervisor has moved this process into its control group, and makes that the root
 * of a new control group namespace. */
int namespaces_enter_box (struct setup *setup);
int namespaces_set_hostname (struct setup *setup);
/* A new network namespace has only `lo`, which is down. */
int namespaces_raise_loopback (struct setup *setup);
/* A new session keyring, so that nothing of the user's can be searched; keyrings(7). */
int namespaces_join_keyring (struct setup *setup);
/* 127.0.0.1, port 53, for the DNS sink. Needs a capability that is dropped later. */
int loopback_make_dns_socket (struct setup *setup);
/* 127.0.0.1, FH_PROXY_PORT, listening for the proxy, when a policy allows any host. */
int loopback_make_proxy_socket (struct setup *setup);
/* The netlink socket of socket-meter.h. */
int loopback_make_socket_list (struct setup *setup);
