/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends its main thread, whose list of open files is then empty, and holds deleted files open in
 * another thread.
 *
 * baseline: skip it would fill the disk
 * options: --disk-limit 16M
 * expect-status: ok disk-limit memory-exceeded
 * expect-attempt: any
 * alone: yes
 * tiers: A A2 B B4 B5
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char data[1 << 20];

static void *
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
  return unused;
}

int
main (void)
{
  pthread_t thread;

  memset (data, 'x', sizeof data);
  pthread_create (&thread, NULL, hold, NULL);
  syscall (SYS_exit, 0);
}
