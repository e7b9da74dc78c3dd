/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends its main thread, whose files in /proc then show no memory, and fills shared pages in another
 * thread.
 *
 * baseline: skip it would stop the machine
 * options: --memory 128M
 * expect-status: memory-exceeded
 * expect-attempt: any
 * alone: yes
 * tiers: A A2 B B4 B5
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SIZE ((size_t) 16 << 20)

static void *
fill (void *data)
{
  const struct timespec moment = { 0, 20000000 };

  for (int i = 0; i < 40; i++)
    {
      char *pages = mmap (NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

      if (pages == MAP_FAILED)
        {
          puts ("STOPPED");
          fflush (stdout);
          _exit (0);
        }
      memset (pages, 'x', SIZE);
      nanosleep (&moment, NULL);
    }
  sleep (1);
  puts ("SUCCEEDED");
  fflush (stdout);
  _exit (0);
  return data;
}

int
main (void)
{
  pthread_t thread;

  pthread_create (&thread, NULL, fill, NULL);
  syscall (SYS_exit, 0);
}
