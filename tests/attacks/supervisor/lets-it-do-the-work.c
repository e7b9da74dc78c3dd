/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes calls that cost the supervisor more than itself, to use more CPU time than its limit.
 *
 * baseline: skip there is no listener outside
 * options: --cpu-time 1 --timeout 120
 * expect-status: timed-out:cpu
 * expect-attempt: time use CPU time * limited
 * alone: yes
 * slow: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static long
used_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
         (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

int
main (void)
{
  while (used_ms () < 800)
    {
      for (int i = 0; i < 100; i++)
        syscall (SYS_process_vm_readv, 1L, 0L, 0L, 0L, 0L, 0L);
    }
  puts ("SUCCEEDED");
  return 0;
}
