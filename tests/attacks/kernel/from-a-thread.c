/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a forbidden system call from a thread that existed before. A filter must apply to all
 * threads.
 *
 * baseline: may the kernel can forbid it
 * expect-status: ok
 * expect-attempt: system-calls unshare *USER* denied
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *
work (void *data)
{
  pid_t pid = fork ();
  int status = 1;

  if (pid == 0)
    _exit (unshare (CLONE_NEWUSER | CLONE_NEWNET) == 0 ? 0 : 1);
  waitpid (pid, &status, 0);
  *(int *) data = status;
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  int status = 1;

  if (pthread_create (&thread, NULL, work, &status) == 0)
    pthread_join (thread, NULL);
  puts (status == 0 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
