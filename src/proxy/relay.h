/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The relay: forwards bytes between the program and a host in both directions, until both have
 * ended or nothing has moved for a while. One direction may end before the other.
 */
#pragma once

#include "tls-handshake.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum time without a single byte. */
#define RELAY_IDLE_MS 120000

/* Maximum for all connections of a run together. */
#define RELAY_MAX_BYTES (UINT64_C (16) << 30)

struct relay
{
  int client;
  int host;
  /* Bytes of the client that are still for the host. Without a limit its end of file is
   * forwarded. */
  bool has_limit;
  uint64_t limit;
  /* Bytes of the whole run, shared by all connections. */
  _Atomic uint64_t *total;
  /* NULL, or checks the beginning of both directions before it is forwarded. */
  struct tls_handshake *handshake;
};

/* `first`: bytes that the client has sent already. Makes both sockets non-blocking. False if the
 * client sent something forbidden, which was not forwarded. */
bool relay_run (const struct relay *relay, const char *first, size_t size);
