/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interrupts its calls with a timer while the guard inspects them: each must end, and none may run
 * twice.
 *
 * baseline: skip there is no listener outside
 * expect-status: ok
 * expect-attempt: any
 * within: 8
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static void
tick (int number)
{
  (void) number;
}

int
main (void)
{
  struct itimerval often = { { 0, 100 }, { 0, 100 } };
  struct itimerval never = { { 0, 0 }, { 0, 0 } };
  int wrong = 0;

  signal (SIGALRM, tick);
  setitimer (ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 2000; i++)
    {
      int fd = open ("file", O_WRONLY | O_CREAT | O_EXCL, 0600);

      if (fd < 0 || unlink ("file") != 0)
        {
          wrong++;
          printf ("%d: %s\n", i, fd < 0 ? "open" : "unlink");
          unlink ("file");
        }
      if (fd >= 0)
        close (fd);
    }
  setitimer (ITIMER_REAL, &never, NULL);
  puts (wrong == 0 ? "STOPPED" : "SUCCEEDED");
  return 0;
}
