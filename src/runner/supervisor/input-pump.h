/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input pump: writes the program's standard input, which comes as frames, to the guest's pipe.
 */
#pragma once

#include "input-store.h"

#include <poll.h>
#include <stdbool.h>

struct input_pump
{
  struct input_store *store;
  int to; /* our end of the guest's pipe; -1 when closed */
};

/* Borrows the store. The pipe is closed once it is empty, unless more may come. */
void input_pump_init (struct input_pump *pump, struct input_store *store, int to);
void input_pump_close (struct input_pump *pump);
void input_pump_prepare (const struct input_pump *pump, struct pollfd *fd);
void input_pump_move (struct input_pump *pump, const struct pollfd *fd);
/* True if the program has read everything so far, and more may come. */
bool input_pump_is_dry (const struct input_pump *pump);
