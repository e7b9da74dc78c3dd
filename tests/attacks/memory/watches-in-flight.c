/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends epoll instances with many watches into its own socket and closes them: as long as they are
 * on their way, nothing in /proc tells what they hold.
 *
 * baseline: skip it would take much of the machine's memory
 * options: --memory 128M --timeout 60
 * expect-status: memory-exceeded:open-files-under-way
 * expect-attempt: any
 * alone: yes
 * needs: memory
 * tiers: A A2
 */
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define N_INSTANCES 120
#define N_FILES     100
#define FIRST       150
#define N_NUMBERS   240

static int
send_away (int socket, int fd)
{
  char byte = 0;
  struct iovec data = { &byte, 1 };
  union
  {
    struct cmsghdr header;
    char space[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  struct msghdr message = {
    .msg_iov = &data,
    .msg_iovlen = 1,
    .msg_control = &control,
    .msg_controllen = sizeof control,
  };

  control.header.cmsg_len = CMSG_LEN (sizeof fd);
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  memcpy (CMSG_DATA (&control.header), &fd, sizeof fd);
  return sendmsg (socket, &message, MSG_DONTWAIT) < 0 ? -1 : close (fd);
}

/* Each file counts once for each number that it has. */
static void
watch_all (int instance, const int files[N_FILES])
{
  struct epoll_event event = { .events = EPOLLIN };

  for (int i = 0; i < N_FILES; i++)
    {
      for (int number = FIRST; number < FIRST + N_NUMBERS; number++)
        {
          dup2 (files[i], number);
          epoll_ctl (instance, EPOLL_CTL_ADD, number, &event);
        }
    }
  for (int number = FIRST; number < FIRST + N_NUMBERS; number++)
    close (number);
}

int
main (void)
{
  int files[N_FILES];
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_STREAM, 0, pair) < 0)
    return 1;
  for (int i = 0; i < N_FILES; i++)
    files[i] = eventfd (0, 0);
  for (int i = 0; i < N_INSTANCES; i++)
    {
      const int instance = epoll_create1 (0);

      watch_all (instance, files);
      if (instance < 0 || send_away (pair[0], instance) < 0)
        return 1;
    }
  sleep (3);
  puts ("SUCCEEDED");
  return 0;
}
