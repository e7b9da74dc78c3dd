/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proxy process: fumehood-proxy in the host's network, and what it reports. It is started for a
 * run that allows hosts and ends with it; if it ends earlier or cannot be started, nothing inside
 * can reach any host.
 */
#pragma once

#include "attempt-list.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct proxy_process
{
  pid_t pid;          /* -1: none */
  int report;         /* -1: all of its processes have ended */
  unsigned int hosts; /* distinct hosts that were reported */
};

#define PROXY_PROCESS_NONE ((struct proxy_process){ -1, -1, 0 })

/* Finds the program beside the runner's own, or where the build puts it. False with errno if there
 * is none. */
bool proxy_process_find (char *path, size_t size);

/* Starts it for `hosts`, NULL-terminated; takes `listener`. False with errno on failure. */
bool proxy_process_start (struct proxy_process *proxy, char *const *hosts, int listener);
void proxy_process_prepare (const struct proxy_process *proxy, struct pollfd *fd);
/* Receives reports. `time_us` is since the start of the program. */
void proxy_process_receive (struct proxy_process *proxy,
                            struct attempt_list *attempts,
                            uint64_t time_us);
/* Kills all of its processes and receives their last reports. */
void
proxy_process_end (struct proxy_process *proxy, struct attempt_list *attempts, uint64_t time_us);
