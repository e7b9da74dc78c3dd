/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps the key into memory, so that it is read without a read system call.
 *
 * baseline: works
 * arguments: home
 * expect-status: ok
 * expect-attempt: filesystem open *.ssh/id_rsa hidden|denied
 * tiers: A A2 B
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  char *text;
  int fd;

  if (argc < 2 || chdir (argv[1]) != 0)
    fprintf (stderr, "there is no such home\n");
  fd = open (".ssh/id_rsa", O_RDONLY);
  text = mmap (NULL, 100, PROT_READ, MAP_SHARED, fd, 0);
  puts (fd >= 0 && text != MAP_FAILED && text[0] == '-' ? "SUCCEEDED" : "STOPPED");
  return 0;
}
