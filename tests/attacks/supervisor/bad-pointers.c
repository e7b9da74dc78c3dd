/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes reported calls with invalid pointers: NULL, the end of memory, text without an end.
 *
 * baseline: skip it is about who reads them
 * expect-status: ok
 * expect-attempt: any
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main (void)
{
  char *pages = mmap (NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  long bad[5];

  if (pages == MAP_FAILED || munmap (pages + 4096, 4096) != 0)
    return 1;
  memset (pages, 'x', 4096);
  bad[0] = 0;
  bad[1] = 1;
  bad[2] = -1;
  bad[3] = (long) pages + 4000; /* text that goes on where there is no memory */
  bad[4] = (long) (1UL << 63);
  for (int i = 0; i < 5; i++)
    {
      syscall (SYS_openat, AT_FDCWD, bad[i], O_WRONLY | O_CREAT, 0600);
      syscall (SYS_openat, 12345, bad[i], O_RDONLY, 0);
      syscall (SYS_connect, socket (AF_INET, SOCK_STREAM, 0), bad[i], 16);
      syscall (SYS_connect, 0, bad[i], -1);
      syscall (SYS_sendto, socket (AF_INET, SOCK_DGRAM, 0), "x", 1, 0, bad[i], 100000);
      syscall (SYS_unlinkat, AT_FDCWD, bad[i], 0);
      syscall (SYS_renameat2, AT_FDCWD, bad[i], AT_FDCWD, bad[i], 0);
      syscall (SYS_execve, bad[i], bad[i], bad[i]);
      syscall (SYS_openat2, AT_FDCWD, bad[i], bad[i], 24);
      syscall (SYS_mount, bad[i], bad[i], bad[i], 0, bad[i]);
      syscall (SYS_bpf, 0, bad[i], 72);
      syscall (SYS_sendmsg, 0, bad[i], 0);
    }
  puts ("STOPPED");
  return 0;
}
