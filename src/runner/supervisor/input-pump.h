/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input pump: copies the runner's own standard input into the guest's, or what came as frames
 * instead. The guest never gets the original, because a descriptor of the host could be opened
 * anew, with other rights, by way of /proc/self/fd.
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
  struct input_store *store; /* instead of it, or NULL */
  int to;                    /* the guest's end of this pipe reads it; -1 when closed */
  uint8_t buffer[64 * 1024];
  size_t start;
  size_t end;
};

void input_pump_init (struct input_pump *pump, int from, int to);
/* Borrows the store. */
void input_pump_init_stored (struct input_pump *pump, struct input_store *store, int to);
void input_pump_close (struct input_pump *pump);
/* What to wait for: fds[0] to be read, fds[1] to be written. */
void input_pump_prepare (const struct input_pump *pump, struct pollfd fds[2]);
void input_pump_move (struct input_pump *pump, const struct pollfd fds[2]);
