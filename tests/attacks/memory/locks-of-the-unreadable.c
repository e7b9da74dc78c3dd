/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes locks in a program that may be executed but not read, whose open files other processes of
 * the user cannot list.
 *
 * baseline: skip it would take memory that no process accounts for
 * options: --timeout 120
 * expect-status: memory-exceeded:file-locks
 * expect-attempt: memory lock files * limited
 * expect-status-B: memory-exceeded:unseen
 * expect-attempt-B: memory hide a process * limited
 * tiers: A A2 B
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char program[8 << 20];

static int
become_unreadable (const char *name)
{
  int in = open (name, O_RDONLY);
  int out = open ("closed", O_WRONLY | O_CREAT | O_EXCL, 0111);
  ssize_t size = read (in, program, sizeof program);

  if (size <= 0 || write (out, program, (size_t) size) != size)
    return 1;
  close (out);
  execl ("./closed", "closed", "again", NULL);
  perror ("execl");
  return 1;
}

int
main (int argc, char **argv)
{
  long n = 0;

  if (argc < 2 || strcmp (argv[1], "again") != 0)
    return become_unreadable (argv[0]);
  for (int i = 0; i < 300; i++)
    {
      char name[32];
      int file;

      snprintf (name, sizeof name, "file-%d", i);
      file = open (name, O_RDWR | O_CREAT, 0600);
      for (int place = 0; place < 400; place++)
        {
          struct flock lock = { .l_type = F_WRLCK, .l_start = 2 * place, .l_len = 1 };

          n += fcntl (file, F_SETLK, &lock) == 0;
        }
    }
  sleep (4);
  printf ("%ld locks\n%s\n", n, n > 60000 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
