/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One connection of the program to the proxy: one request, its answer, and the end. Every name that
 * a request speaks of is reported, whether it is let through or not.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct connection
{
  int client;
  int report;
  char *const *hosts; /* NULL-terminated, lower case: those that may be reached */
  _Atomic uint64_t *total;
};

/* Returns when all is said. Meant for a process of its own, which then ends. */
void connection_serve (const struct connection *connection);
