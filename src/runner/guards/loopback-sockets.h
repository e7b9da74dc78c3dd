/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sockets in the sandbox's own network that others serve. A socket stays in the network it was made
 * in, wherever its descriptor goes: init makes them and hands them out, and nothing that happens
 * inside can lead any further than to who holds the other end.
 */
#pragma once

#include "setup.h"

/* 127.0.0.1, port 53, for the DNS sink. Needs a capability that is dropped later. */
int loopback_make_dns_socket (struct setup *setup);
/* 127.0.0.1, FH_PROXY_PORT, listening for the proxy, when a policy allows any host. */
int loopback_make_proxy_socket (struct setup *setup);
