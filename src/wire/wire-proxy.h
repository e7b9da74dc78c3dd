/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proxy: what the runner, the backend and fumehood-proxy agree upon. The arguments of
 * fumehood-proxy are the names of the hosts that may be reached.
 */
#pragma once

#include <stdint.h>

/* Where it is found inside: at 127.0.0.1, a port that is always free there. */
#define FH_PROXY_PORT 3128
#define FH_PROXY_URL  "http://127.0.0.1:3128"

/* The descriptors that it is started with. */
#define FH_PROXY_LISTENER_FD 3 /* in the sandbox's network */
#define FH_PROXY_REPORT_FD   4 /* a socket that keeps the boundaries of messages */

/* One message for each name that a request speaks of. Whoever reads them believes nothing: the
 * program that the proxy serves may have taken it over. */
struct fh_proxy_report
{
  uint8_t is_refused;
  char object[319]; /* "example.com:443", with a NUL at the end */
};
