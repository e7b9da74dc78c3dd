/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The usage watch: measures a running sandbox often enough, and says when it is over its limit of
 * memory or CPU time. Far from the limits it looks every 50 ms, close to the memory limit every
 * 2 ms. It is certain: what it takes for too much is measured exactly before it says so.
 */
#pragma once

#include "usage.h"
#include "wire-event.h"
#include "wire-policy.h"

enum usage_verdict
{
  USAGE_WITHIN_LIMITS,
  USAGE_OVER_MEMORY,
  USAGE_OVER_CPU,
  USAGE_OVER_PROCESSES, /* only for root, whom the kernel lets have more */
};

struct usage_watch
{
  const struct fh_policy *policy;
  struct usage_source source; /* -1 until usage_watch_begin */
  int scratch;
  uint64_t setup_cpu_us; /* not the guest's */
  uint64_t next_us;      /* when to look again; UINT64_MAX: never */

  uint64_t cpu_user_us;
  uint64_t cpu_system_us;
  uint64_t memory;
  uint64_t memory_peak;
  uint32_t threads;
  uint32_t threads_peak;
  bool is_over_cpu; /* at the last look */

  /* The last exact measurement, which need not be repeated at every look. */
  uint64_t exact;
  uint64_t exact_quick; /* what the quick one said at that time */
  uint64_t exact_again_us;
};

void usage_watch_init (struct usage_watch *watch, const struct fh_policy *policy);
/* Takes over both descriptors. */
void usage_watch_begin (struct usage_watch *watch, int proc, int scratch, uint64_t setup_cpu_us);
void usage_watch_end (struct usage_watch *watch);
/* Looks, and sets the time of the next look. */
enum usage_verdict usage_watch_look (struct usage_watch *watch);
/* Adds the main process to what the last look saw, because it ended only just before. */
void usage_watch_count_main (struct usage_watch *watch);
/* True when as many processes and threads as are allowed have been seen at one time. */
bool usage_watch_saw_process_limit (const struct usage_watch *watch);
/* True when the sandbox has nothing left to write on. */
bool usage_watch_disk_is_full (const struct usage_watch *watch);
