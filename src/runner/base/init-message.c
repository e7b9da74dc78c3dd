/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "init-message.h"

#include "clock.h"
#include "descriptor.h"

#include <string.h>
#include <sys/socket.h>

/* Room for descriptors, aligned for the kernel. */
union attachment
{
  struct cmsghdr header;
  char space[CMSG_SPACE (N_INIT_DESCRIPTORS * sizeof (int))];
};

bool
init_message_send (int socket, struct init_message *message, const int fds[], size_t n)
{
  union attachment attachment;
  struct iovec data = { message, sizeof *message };
  struct msghdr header = { .msg_iov = &data, .msg_iovlen = 1 };

  message->time_us = clock_now_us ();
  if (n > 0)
    {
      header.msg_control = &attachment;
      header.msg_controllen = CMSG_SPACE (n * sizeof (int));
      attachment.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN (n * sizeof (int)),
        .cmsg_level = SOL_SOCKET,
        .cmsg_type = SCM_RIGHTS,
      };
      memcpy (CMSG_DATA (&attachment.header), fds, n * sizeof (int));
    }
  return sendmsg (socket, &header, MSG_NOSIGNAL) == (ssize_t) sizeof *message;
}

bool
init_message_receive (int socket, struct init_message *message, int fds[N_INIT_DESCRIPTORS])
{
  union attachment attachment = { 0 };
  struct iovec data = { message, sizeof *message };
  struct msghdr header = {
    .msg_iov = &data,
    .msg_iovlen = 1,
    .msg_control = &attachment,
    .msg_controllen = sizeof attachment,
  };
  size_t size;

  for (int i = 0; i < N_INIT_DESCRIPTORS; i++)
    fds[i] = -1;
  if (recvmsg (socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != (ssize_t) sizeof *message)
    return false;
  size = attachment.header.cmsg_len;
  if (attachment.header.cmsg_type == SCM_RIGHTS && size > CMSG_LEN (0) &&
      size <= CMSG_LEN (N_INIT_DESCRIPTORS * sizeof (int)))
    memcpy (fds, CMSG_DATA (&attachment.header), size - CMSG_LEN (0));
  return true;
}

void
init_message_drop (int fds[N_INIT_DESCRIPTORS])
{
  for (int i = 0; i < N_INIT_DESCRIPTORS; i++)
    fh_clear_fd (&fds[i]);
}
