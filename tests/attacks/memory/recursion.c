/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls itself until the stack is full.
 *
 * baseline: skip it would dump its memory
 * expect-status: signalled
 * expect-attempt: none
 * tiers: A A2 B
 */
#include <stdio.h>

static volatile int sink;

__attribute__ ((noinline)) static int
descend (int n)
{
  volatile char frame[4096];

  frame[0] = (char) n;
  sink = frame[0];
  return n == -1 ? 0 : descend (n + 1) + frame[0];
}

int
main (void)
{
  printf ("%d\nSUCCEEDED\n", descend (0));
  return 0;
}
