/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes system calls through the 32-bit entry, where each has another number.
 *
 * baseline: may the kernel can be built without it
 * expect-status: violation
 * expect-attempt: any
 * machine: i386
 * tiers: A A2 B
 */
#include <stdio.h>

int
main (void)
{
  long result;

  /* getpid is 20 there; here that is writev. */
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
  puts (result > 0 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
