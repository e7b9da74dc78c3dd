/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes memory in forked children while a thread of their parent waits in vfork, as if it had lent
 * its memory to them: what it waits for is another thread, or a child with memory of its own.
 *
 * baseline: skip it would take too much memory
 * options: --memory 128M
 * expect-status: memory-exceeded:certain
 * expect-attempt: memory use memory * limited
 * alone: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHILDREN 4
#define STEPS    100
#define STEP     ((size_t) 1 << 20)

static char stacks[CHILDREN][2][64 * 1024] __attribute__ ((aligned (16)));

static int
sleeper (void *data)
{
  (void) data;
  for (;;)
    pause ();
  return 0;
}

/* What a thread of the C library would be made with, and VFORK. */
static void *
lend (void *data)
{
  char (*stack)[64 * 1024] = stacks[(size_t) data];
  const int thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;

  if (clone (sleeper, stack[0] + sizeof stack[0], thread | CLONE_SYSVSEM | CLONE_VFORK, NULL) < 0)
    clone (sleeper, stack[1] + sizeof stack[1], CLONE_VFORK | SIGCHLD, NULL);
  return NULL;
}

/* In step with the parent, as what borrows has the same size. */
static void
grow (volatile int *steps, int is_parent)
{
  for (int i = 0; i < STEPS; i++)
    {
      char *step = malloc (STEP);

      if (step == NULL)
        return;
      memset (step, 'x', STEP);
      if (is_parent)
        *steps = i + 1;
      while (*steps <= i)
        usleep (100);
      usleep (5000);
    }
}

int
main (void)
{
  volatile int *steps =
      mmap (NULL, sizeof *steps, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_t thread;

  if (steps == MAP_FAILED)
    return 1;
  for (size_t i = 0; i < CHILDREN; i++)
    {
      if (pthread_create (&thread, NULL, lend, (void *) i) != 0)
        return 1;
    }
  usleep (300000);
  for (size_t i = 0; i < CHILDREN; i++)
    {
      if (fork () != 0)
        continue;
      grow (steps, 0);
      sleeper (NULL);
    }
  grow (steps, 1);
  sleep (1);
  printf ("%zu MiB\nSUCCEEDED\n", (CHILDREN + 1) * STEPS * STEP >> 20);
  fflush (stdout);
  kill (0, SIGKILL);
  return 0;
}
