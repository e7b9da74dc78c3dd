/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes namespaces while starting a process.
 *
 * baseline: may the kernel can forbid it
 * expect-status: ok
 * expect-attempt: system-calls clone *NEW* denied
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  long pid = syscall (SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);

  if (pid == 0)
    _exit (0);
  wait (NULL);
  puts (pid > 0 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
