/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the kernel watch more than a million files: 40 processes, each with 190 epoll instances
 * that watch 190 files. The memory is charged to no process.
 *
 * baseline: skip it holds some 250 MiB of kernel memory
 * options: --memory 128M --processes 64 --timeout 120
 * expect-status: memory-exceeded
 * expect-attempt: memory open files|use memory * limited
 * alone: yes
 * slow: yes
 * tiers: A A2 B
 */
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES 40
#define FILES     190

static int
watch_all (void)
{
  struct epoll_event event = { .events = EPOLLIN };
  int files[FILES];
  int n = 0;

  for (int i = 0; i < FILES; i++)
    files[i] = eventfd (0, 0);
  for (int i = 0; i < FILES; i++)
    {
      int watcher = epoll_create1 (0);

      for (int j = 0; j < FILES; j++)
        n += epoll_ctl (watcher, EPOLL_CTL_ADD, files[j], &event) == 0;
    }
  return n;
}

int
main (void)
{
  int ends[2];
  int total = 0;
  int n;

  if (pipe (ends) != 0)
    return 1;
  for (int i = 0; i < PROCESSES; i++)
    {
      if (fork () != 0)
        continue;
      n = watch_all ();
      if (write (ends[1], &n, sizeof n) != sizeof n)
        return 1;
      sleep (12);
      return 0;
    }
  close (ends[1]);
  while (read (ends[0], &n, sizeof n) == sizeof n)
    total += n;
  printf ("%d watches\n%s\n", total, total > 1000000 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
