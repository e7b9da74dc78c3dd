/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has short-lived, unreaped children write files, so that their writes cannot be counted, and keeps
 * one mapped page of each deleted file.
 *
 * baseline: skip it would fill the disk
 * options: --disk-limit 16M
 * expect-status: ok disk-limit memory-exceeded
 * expect-attempt: any
 * alone: yes
 * tiers: A A2 B
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char data[1 << 20];

int
main (void)
{
  const struct timespec moment = { 0, 20000000 };

  memset (data, 'x', sizeof data);
  signal (SIGCHLD, SIG_IGN);
  for (int i = 0; i < 240; i++)
    {
      int fd = open ("file", O_RDWR | O_CREAT, 0600);

      unlink ("file");
      if (fork () == 0)
        _exit (write (fd, data, sizeof data) < 0);
      while (wait (NULL) > 0)
        continue;
      if (lseek (fd, 0, SEEK_END) < (off_t) sizeof data ||
          mmap (NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
        {
          puts ("STOPPED");
          return 0;
        }
      close (fd);
      nanosleep (&moment, NULL);
    }
  sleep (2);
  puts ("SUCCEEDED");
  return 0;
}
