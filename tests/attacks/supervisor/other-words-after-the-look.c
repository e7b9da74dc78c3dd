/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes the path of a call to a nonexistent one and back while the guard inspects it: what is
 * reported must never decide.
 *
 * baseline: works
 * arguments: home
 * expect-status: ok
 * expect-attempt: any
 * slow: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[4096];
static char wanted[4096];

/* The first byte of the path decides which of the two it is. */
static void *
change (void *data)
{
  for (;;)
    {
      ((volatile char *) path)[0] = 'x';
      usleep (1);
      ((volatile char *) path)[0] = '/';
      usleep (1);
    }
  return data;
}

int
main (int argc, char **argv)
{
  char text[64];
  pthread_t thread;

  snprintf (wanted, sizeof wanted, "%s/.ssh/id_rsa", argc > 1 ? argv[1] : "");
  strcpy (path, wanted);
  if (pthread_create (&thread, NULL, change, NULL) != 0)
    return 1;
  for (int i = 0; i < 20000; i++)
    {
      int fd = open (path, O_RDONLY);

      if (fd >= 0 && read (fd, text, sizeof text) > 10 && text[0] == '-')
        {
          puts ("SUCCEEDED");
          return 0;
        }
      if (fd >= 0)
        close (fd);
    }
  puts ("STOPPED");
  return 0;
}
