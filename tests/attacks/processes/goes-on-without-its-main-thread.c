/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends its main thread and those of its children with the exit system call, while other threads go
 * on past the time limit: /proc shows only zombies.
 *
 * baseline: skip it would not end
 * options: --timeout 1
 * expect-status: timed-out:wall
 * expect-attempt: time run on * limited
 * within: 4
 * tiers: A A2 B B4 B5
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *
go_on (void *data)
{
  for (;;)
    sleep (60);
  return data;
}

int
main (void)
{
  pthread_t thread;

  for (int i = 0; i < 5; i++)
    {
      if (fork () > 0)
        break;
      setsid ();
    }
  pthread_create (&thread, NULL, go_on, NULL);
  syscall (SYS_exit, 0);
}
