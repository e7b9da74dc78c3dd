/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input store: a program's standard input that came as frames, until the program reads it. It
 * lies in memory that processes share, so that one which is made meanwhile does not copy it, and
 * what was read is given back piece by piece.
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
};

/* False when it would be more than FH_INPUT_MAX, or there is no memory. */
bool input_store_add (struct input_store *store, const void *bytes, size_t size);
/* Copies what comes next; 0 at the end. */
size_t input_store_take (struct input_store *store, void *bytes, size_t size);
void input_store_clear (struct input_store *store);
