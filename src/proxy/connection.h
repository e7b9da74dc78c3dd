/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One connection of the program to the proxy: one request, its response, and the end. Every
 * requested name is reported, whether it is allowed or not.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct connection
{
  int client;
  int report;
  char *const *hosts; /* allowed hosts, NULL-terminated, lower case */
  _Atomic uint64_t *total;
};

/* Returns when the connection is over. Runs in a process of its own, which then exits. */
void connection_serve (const struct connection *connection);
