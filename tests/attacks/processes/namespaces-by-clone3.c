/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes namespaces by clone3, whose flags are in memory where no filter can see them
 * (CVE-2021-41133).
 *
 * baseline: may the kernel can forbid it
 * expect-status: ok
 * expect-attempt: any
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  struct clone_args arguments = { .flags = CLONE_NEWUSER | CLONE_NEWNS, .exit_signal = SIGCHLD };
  long pid = syscall (SYS_clone3, &arguments, sizeof arguments);

  if (pid == 0)
    _exit (0);
  wait (NULL);
  puts (pid > 0 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
