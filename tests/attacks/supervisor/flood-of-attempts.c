/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries different forbidden things as fast as it can, to keep the supervisor too busy to end it.
 *
 * baseline: skip there is no listener outside
 * options: --timeout 2
 * expect-status: timed-out:wall
 * expect-attempt: any
 * within: 5
 * alone: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main (void)
{
  char path[64];

  for (int i = 0; i < 3; i++)
    {
      if (fork () == 0)
        break;
    }
  for (unsigned int i = 0;; i++)
    {
      struct sockaddr_in address = { .sin_family = AF_INET,
                                     .sin_port = htons ((unsigned short) i) };
      int fd = socket (AF_INET, SOCK_DGRAM, 0);

      address.sin_addr.s_addr = htonl (0x0a000000 + i);
      connect (fd, (struct sockaddr *) &address, sizeof address);
      close (fd);
      snprintf (path, sizeof path, "/home/nobody/%u", i);
      close (open (path, O_WRONLY | O_CREAT, 0600));
      syscall (SYS_ptrace, (long) i, 1L, 0L, 0L);
      syscall (SYS_bpf, (long) i, NULL, 0L);
    }
}
