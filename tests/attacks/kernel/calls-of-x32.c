/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a system call with the x32 bit set, bypassing filters of numbers.
 *
 * baseline: may the kernel can be built without it
 * expect-status: violation
 * expect-attempt: any
 * machine: x86_64
 * tiers: A A2 B
 */
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
  puts (syscall (0x40000000 | 39 /* getpid */) > 0 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
