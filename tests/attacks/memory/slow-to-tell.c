/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children write to shared memory, so that only the kernel knows how much each has; many others are
 * slow to read, to delay the measurement.
 *
 * baseline: skip it would take too much memory
 * options: --memory 64M --timeout 120
 * expect-status: memory-exceeded
 * expect-attempt: memory use memory * limited
 * alone: yes
 * slow: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOW     24
#define CHILDREN 5
#define SIZE     ((size_t) 40 << 20)

/* Both threads of a process want to change its mappings, all the time. */
static void *
change (void *data)
{
  const size_t size = (size_t) 1 << 30;

  (void) data;
  while (1)
    {
      char *memory = mmap (NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      for (size_t i = 0; i < 3000; i++)
        mprotect (memory + i * 8192, 4096, PROT_READ);
      munmap (memory, size);
    }
  return NULL;
}

int
main (void)
{
  char *memory;
  pthread_t thread;
  int done[2];
  char byte;

  for (int i = 0; i < SLOW; i++)
    {
      if (fork () == 0 && pthread_create (&thread, NULL, change, NULL) == 0)
        change (NULL);
    }
  memory = mmap (NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || pipe (done) < 0)
    return 1;
  memset (memory, 'x', SIZE);
  for (int i = 0; i < CHILDREN; i++)
    {
      if (fork () != 0)
        continue;
      for (size_t at = 0; at < SIZE; at += 4096)
        memory[at] = 'y';
      if (write (done[1], "x", 1) == 1)
        pause ();
      return 1;
    }
  for (int i = 0; i < CHILDREN; i++)
    {
      if (read (done[0], &byte, 1) != 1)
        return 1;
    }
  sleep (12);
  puts ("SUCCEEDED");
  fflush (stdout);
  kill (0, SIGKILL);
  return 0;
}
