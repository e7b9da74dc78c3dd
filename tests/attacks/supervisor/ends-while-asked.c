/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread kills the process or executes another program while another thread waits for the
 * guard's answer.
 *
 * baseline: skip there is no listener outside
 * expect-status: ok
 * expect-attempt: any
 * within: 6
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *
ask (void *data)
{
  for (;;)
    unshare (CLONE_NEWUSER);
  return data;
}

int
main (void)
{
  for (int i = 0; i < 100; i++)
    {
      pid_t pid = fork ();

      if (pid == 0)
        {
          pthread_t thread;

          pthread_create (&thread, NULL, ask, NULL);
          usleep ((useconds_t) (i * 20));
          if (i % 2 == 0)
            execl ("/bin/true", "true", NULL);
          kill (getpid (), SIGKILL);
        }
      waitpid (pid, NULL, 0);
    }
  puts ("STOPPED");
  return 0;
}
