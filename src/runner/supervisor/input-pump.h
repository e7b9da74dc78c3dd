/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input pump: copies the runner's standard input, or input frames, to the guest's. The guest
 * never gets the original, because a descriptor of the host could be reopened with other rights
 * through /proc/self/fd.
 */
#pragma once

#include "input-store.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input_pump
{
  int from;                  /* -1 after its end */
  struct input_store *store; /* used instead, or NULL */
  int to;                    /* our end of the guest's pipe; -1 when closed */
  uint8_t buffer[64 * 1024];
  size_t start;
  size_t end;
};

void input_pump_init (struct input_pump *pump, int from, int to);
/* Borrows the store. */
void input_pump_init_stored (struct input_pump *pump, struct input_store *store, int to);
void input_pump_close (struct input_pump *pump);
/* Sets what to poll: fds[0] for reading, fds[1] for writing. */
void input_pump_prepare (const struct input_pump *pump, struct pollfd fds[2]);
void input_pump_move (struct input_pump *pump, const struct pollfd fds[2]);
