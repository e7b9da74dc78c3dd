/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proxy process: fumehood-proxy in the host's network, and what it reports. It is started for a
 * run that allows hosts and ends with it; when it ends before, or cannot be started, nothing inside
 * reaches anything any more.
 */
#pragma once

#include "attempt-list.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct proxy_process
{
  pid_t pid;          /* -1: there is none */
  int report;         /* -1: none of its processes is left */
  unsigned int hosts; /* different ones that were told */
};

#define PROXY_PROCESS_NONE ((struct proxy_process){ -1, -1, 0 })

/* The program beside the runner's own, or where the build puts it. False with errno when there is
 * none. */
bool proxy_process_find (char *path, size_t size);

/* Starts it for `hosts`, NULL-terminated; takes `listener`. False with errno when it could not. */
bool proxy_process_start (struct proxy_process *proxy, char *const *hosts, int listener);
void proxy_process_prepare (const struct proxy_process *proxy, struct pollfd *fd);
/* Takes what was reported. `time_us` is since the start of the program. */
void
proxy_process_hear (struct proxy_process *proxy, struct attempt_list *attempts, uint64_t time_us);
/* Ends all of its processes and hears their last words. */
void
proxy_process_end (struct proxy_process *proxy, struct attempt_list *attempts, uint64_t time_us);
