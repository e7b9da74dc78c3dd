/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends its main thread and continues in short-lived threads that start each other, so that hardly
 * any can be read.
 *
 * baseline: skip it would stop the machine
 * options: --memory 128M
 * expect-status: memory-exceeded
 * expect-attempt: any
 * alone: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PIECE ((size_t) 256 << 10)
#define WHOLE ((size_t) 640 << 20)

static size_t filled;
static struct timespec since;

static void *
take_turn (void *data)
{
  pthread_attr_t attributes;
  pthread_t thread;
  char *pages;

  if (filled < WHOLE)
    {
      pages = mmap (NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      if (pages == MAP_FAILED)
        {
          puts ("STOPPED");
          fflush (stdout);
          _exit (0);
        }
      memset (pages, 'x', PIECE);
      filled += PIECE;
      clock_gettime (CLOCK_MONOTONIC, &since);
    }
  else
    {
      struct timespec now;

      clock_gettime (CLOCK_MONOTONIC, &now);
      if (now.tv_sec > since.tv_sec + 1)
        {
          puts ("SUCCEEDED");
          fflush (stdout);
          _exit (0);
        }
    }
  pthread_attr_init (&attributes);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  while (pthread_create (&thread, &attributes, take_turn, NULL) != 0)
    continue;
  return data;
}

int
main (void)
{
  take_turn (NULL);
  syscall (SYS_exit, 0);
}
