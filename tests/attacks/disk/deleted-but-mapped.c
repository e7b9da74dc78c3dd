/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deletes and closes files of which it has mapped one page: they are in no folder and no list of
 * open files, but take space.
 *
 * baseline: skip it would fill the disk
 * options: --disk-limit 16M
 * expect-status: ok disk-limit memory-exceeded
 * expect-attempt: any
 * alone: yes
 * tiers: A A2 B B4 B5
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static char data[1 << 20];

int
main (void)
{
  const struct timespec moment = { 0, 10000000 };

  memset (data, 'x', sizeof data);
  for (int i = 0; i < 240; i++)
    {
      int fd = open ("file", O_RDWR | O_CREAT, 0600);

      unlink ("file");
      if (fd < 0 || write (fd, data, sizeof data) < (ssize_t) sizeof data ||
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
