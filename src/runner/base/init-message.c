/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "init-message.h"

#include "clock.h"
#include "descriptor.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Room for descriptors, aligned for the kernel. */
union attachment
{
  struct cmsghdr header;
  char space[CMSG_SPACE (N_INIT_DESCRIPTORS * sizeof (int))];
};

int
message_send (int socket, const void *data, size_t size, const int fds[], size_t n, int flags)
{
  union attachment attachment;
  struct iovec content = { (void *) data, size };
  struct msghdr header = { .msg_iov = &content, .msg_iovlen = 1 };

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
  return sendmsg (socket, &header, MSG_NOSIGNAL | flags) < 0 ? -errno : 0;
}

ssize_t
message_receive (int socket, void *data, size_t size, int fds[N_INIT_DESCRIPTORS], size_t *n)
{
  union attachment attachment = { 0 };
  struct iovec content = { data, size };
  struct msghdr header = {
    .msg_iov = &content,
    .msg_iovlen = 1,
    .msg_control = &attachment,
    .msg_controllen = sizeof attachment,
  };
  const ssize_t received = recvmsg (socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  const size_t length = attachment.header.cmsg_len;

  *n = 0;
  for (int i = 0; i < N_INIT_DESCRIPTORS; i++)
    fds[i] = -1;
  if (received > 0 && attachment.header.cmsg_type == SCM_RIGHTS && length > CMSG_LEN (0) &&
      length <= CMSG_LEN (N_INIT_DESCRIPTORS * sizeof (int)))
    {
      *n = (length - CMSG_LEN (0)) / sizeof (int);
      memcpy (fds, CMSG_DATA (&attachment.header), *n * sizeof (int));
    }
  return received;
}

bool
init_message_send (int socket, struct init_message *message, const int fds[], size_t n)
{
  message->time_us = clock_now_us ();
  return message_send (socket, message, sizeof *message, fds, n, 0) == 0;
}

bool
init_message_receive (int socket, struct init_message *message, int fds[N_INIT_DESCRIPTORS])
{
  size_t n;

  return message_receive (socket, message, sizeof *message, fds, &n) == (ssize_t) sizeof *message;
}

bool
init_message_send_fault (int socket, uint32_t step, int error)
{
  struct init_message message = { .kind = INIT_FAULT, .fault = { step, error } };

  return init_message_send (socket, &message, NULL, 0);
}

bool
init_ask (int socket, char request)
{
  return send (socket, &request, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

void
init_message_drop (int fds[N_INIT_DESCRIPTORS])
{
  for (int i = 0; i < N_INIT_DESCRIPTORS; i++)
    fh_clear_fd (&fds[i]);
}
