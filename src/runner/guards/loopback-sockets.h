/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sockets in the sandbox's network that are served outside. A socket stays in the network namespace
 * it was made in, wherever its descriptor goes: init makes them and sends them to the supervisor.
 * From inside they only lead to the process that holds the other end.
 */
#pragma once

#include "setup-state.h"

/* 127.0.0.1, port 53, for the DNS sink. Needs a capability that is dropped later. */
int loopback_make_dns_socket (struct setup *setup);
/* 127.0.0.1, FH_PROXY_PORT, listening for the proxy, when a policy allows any host. */
int loopback_make_proxy_socket (struct setup *setup);
/* The netlink socket of socket-meter.h. */
int loopback_make_socket_list (struct setup *setup);
