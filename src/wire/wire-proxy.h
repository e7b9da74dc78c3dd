/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proxy: shared by runner, backend and fumehood-proxy. The arguments of fumehood-proxy are the
 * names of the allowed hosts.
 */
#pragma once

#include <stdint.h>

/* Its port inside, on 127.0.0.1. */
#define FH_PROXY_PORT 3128
#define FH_PROXY_URL  "http://127.0.0.1:3128"

/* Its descriptors. */
#define FH_PROXY_LISTENER_FD 3 /* in the sandbox's network */
#define FH_PROXY_REPORT_FD   4 /* a SOCK_SEQPACKET socket */

/* One message per requested host. The reader must not trust it: the program may have taken over the
 * proxy. */
struct fh_proxy_report
{
  uint8_t is_refused;
  char object[319]; /* "example.com:443", NUL-terminated */
};
