/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a socket for the kernel's cryptography with the 32-bit call socketcall, bypassing a filter
 * of families.
 *
 * baseline: may kernels differ in what they have
 * expect-status: violation
 * expect-attempt: any
 * machine: i386
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

int
main (void)
{
  unsigned int *arguments =
      mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  long result;

  if (arguments == MAP_FAILED)
    return 1;
  arguments[0] = 38; /* AF_ALG */
  arguments[1] = 5;
  arguments[2] = 0;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "a"(102 /* socketcall */), "b"(1 /* SYS_SOCKET */), "c"(arguments)
                   : "memory");
  puts ((int) result >= 0 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
