/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives pages to a pipe and frees them: the pipe keeps memory that no process shows (vmsplice).
 *
 * baseline: works
 * expect-status: ok
 * expect-attempt: none
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

int
main (void)
{
  char *page = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct iovec part = { page, 4096 };
  int ends[2];

  if (page == MAP_FAILED || pipe (ends) != 0)
    return 1;
  page[0] = 'x';
  puts (vmsplice (ends[1], &part, 1, SPLICE_F_GIFT) > 0 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
