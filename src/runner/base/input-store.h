/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input store: a program's standard input from frames, until the program reads it. It is a
 * shared mapping, so that child processes do not copy it, and what was read is freed piece by
 * piece.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input_store
{
  uint8_t *data; /* NULL before the first piece */
  size_t size;
  size_t taken;
  bool is_open; /* more may come: FH_POLICY_INPUT_STAYS */
};

/* False if it would exceed FH_INPUT_MAX, or if out of memory. */
bool input_store_add (struct input_store *store, const void *bytes, size_t size);
/* Frees so many of the next bytes, from `data + taken` on. */
void input_store_skip (struct input_store *store, size_t size);
void input_store_clear (struct input_store *store);
