/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps pages that are far from each other: each pair of them takes three pages of page tables, and
 * is itself the page of zeros, which counts nowhere.
 *
 * baseline: skip it would take much of the machine's memory
 * options: --memory 128M --timeout 60
 * expect-status: memory-exceeded
 * expect-attempt: memory use memory * limited
 * alone: yes
 * needs: memory
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define N     28000
#define FIRST ((uint64_t) 64 << 30)

int
main (void)
{
  for (uint64_t i = 0; i < N; i++)
    {
      volatile char *pages = mmap ((void *) (uintptr_t) (FIRST + (i << 30) - 4096),
                                   8192,
                                   PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                                   -1,
                                   0);

      if (pages == MAP_FAILED)
        return 1;
      (void) pages[0];
      (void) pages[4096];
    }
  sleep (3);
  puts ("SUCCEEDED");
  return 0;
}
