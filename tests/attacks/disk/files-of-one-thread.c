/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds deleted files in a thread with its own descriptors (clone without CLONE_FILES), which the
 * process's list does not show.
 *
 * baseline: skip it would fill the disk
 * options: --disk-limit 16M
 * expect-status: ok disk-limit memory-exceeded
 * expect-attempt: any
 * machine: x86_64
 * alone: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char data[1 << 20];
static _Alignas(16) char stack[64 << 10];

static int
hold (void *unused)
{
  const struct timespec moment = { 0, 10000000 };

  for (int i = 0; i < 100; i++)
    {
      int fd = open ("file", O_RDWR | O_CREAT, 0600);

      unlink ("file");
      if (fd < 0 || write (fd, data, sizeof data) < (ssize_t) sizeof data)
        {
          puts ("STOPPED");
          fflush (stdout);
          _exit (0);
        }
      nanosleep (&moment, NULL);
    }
  sleep (1);
  puts ("SUCCEEDED");
  fflush (stdout);
  _exit (0);
  return unused != NULL;
}

int
main (void)
{
  memset (data, 'x', sizeof data);
  if (clone (hold,
             stack + sizeof stack,
             CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
             NULL) < 0)
    {
      puts ("STOPPED");
      return 0;
    }
  sleep (30);
  return 0;
}
