/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forks from child to child with thousands of mappings: the kernel keeps an object for each mapping
 * of each process that it was inherited from.
 *
 * baseline: skip it would take too much memory
 * options: --memory 128M
 * expect-status: memory-exceeded
 * expect-attempt: memory use memory * limited
 * alone: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAPPINGS    2500
#define GENERATIONS 90
#define PAGE        4096

int
main (void)
{
  char *all = mmap (NULL,
                    (size_t) MAPPINGS * 2 * PAGE,
                    PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS,
                    -1,
                    0);

  if (all == MAP_FAILED)
    return 1;
  for (size_t i = 0; i < MAPPINGS; i++)
    {
      if (mprotect (all + (2 * i + 1) * PAGE, PAGE, PROT_READ) < 0)
        return 1;
      all[2 * i * PAGE] = 'x';
    }
  for (int generation = 0; generation < GENERATIONS; generation++)
    {
      const pid_t child = fork ();

      if (child < 0)
        return 1;
      /* The next one inherits from this one only if it keeps its memory. */
      if (child > 0)
        {
          for (;;)
            pause ();
        }
    }
  sleep (3);
  printf ("%d MiB\nSUCCEEDED\n", GENERATIONS * GENERATIONS / 2 * MAPPINGS / 1024 * 64 / 1024);
  fflush (stdout);
  kill (0, SIGKILL);
  return 0;
}
