/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The relay: carries bytes between the program and a host, both ways at once, until both have ended
 * or nothing has moved for a while. One side that has said all it had to say can go on listening.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nothing goes on for longer than this without a single byte. */
#define RELAY_IDLE_MS 120000

/* All connections of a run together may carry this much. */
#define RELAY_MAX_BYTES (UINT64_C (16) << 30)

struct relay
{
  int client;
  int host;
  /* How much more of what the client says is for the host. Without a limit its end is told on. */
  bool has_limit;
  uint64_t limit;
  /* Bytes of the whole run, shared by all of its connections. */
  _Atomic uint64_t *total;
};

/* `first` is what the client has said already. Makes both sockets non-blocking. */
void relay_run (const struct relay *relay, const char *first, size_t size);
