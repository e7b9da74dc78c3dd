/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits forever in vfork: until the child ends, only SIGKILL has an effect.
 *
 * baseline: skip it would stop the test
 * options: --timeout 1
 * expect-status: timed-out:wall
 * expect-attempt: time run on * limited
 * within: 3
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
  if (vfork () == 0)
    {
      sleep (1000);
      _exit (0);
    }
  puts ("SUCCEEDED");
  return 0;
}
