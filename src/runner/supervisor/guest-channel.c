/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define READS_AT_ONCE 16

void
guest_channel_init (struct guest_channel *guest, int fd)
{
  guest->fd = fd;
  guest->greeting = NULL;
  guest->greeting_size = 0;
  guest->total = 0;
  guest->is_ignored = false;
  guest->is_out_of_memory = false;
  guest->size = 0;
}

void
guest_channel_greet (struct guest_channel *guest, const uint8_t *greeting, size_t size)
{
  guest->greeting = greeting;
  guest->greeting_size = guest->fd >= 0 ? size : 0;
}

void
guest_channel_close (struct guest_channel *guest)
{
  if (guest->fd >= 0)
    close (guest->fd);
  guest->fd = -1;
}

void
guest_channel_prepare (const struct guest_channel *guest, struct pollfd *fd)
{
  *fd = (struct pollfd){ .fd = guest->fd,
                         .events = guest->greeting_size > 0 ? POLLIN | POLLOUT : POLLIN };
}

static void
greet (struct guest_channel *guest)
{
  ssize_t n = send (guest->fd, guest->greeting, guest->greeting_size, MSG_DONTWAIT | MSG_NOSIGNAL);

  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (n < 0)
    {
      guest->greeting_size = 0;
      return;
    }
  guest->greeting += n;
  guest->greeting_size -= (size_t) n;
}

/* Takes one complete message off the buffer. False if there is none. */
static bool
pass_on (struct guest_channel *guest, struct control_channel *channel)
{
  struct fh_cursor cursor;
  const uint8_t *message;
  size_t size;

  fh_cursor_init (&cursor, guest->buffer, guest->size);
  size = fh_cursor_u32 (&cursor);
  if (cursor.failed)
    return false;
  if (size == 0 || size > FH_GUEST_MESSAGE_MAX || size > GUEST_CHANNEL_MAX_BYTES - guest->total)
    {
      guest->is_ignored = true;
      return false;
    }
  fh_cursor_init (&cursor, guest->buffer, guest->size);
  message = fh_cursor_bytes (&cursor, &size);
  if (message == NULL)
    return false;
  if (message[0] == FH_GUEST_OUT_OF_MEMORY)
    guest->is_out_of_memory = true;
  fh_guest_encode (message, size, &channel->pending);
  guest->total += size;
  guest->size -= cursor.at;
  memmove (guest->buffer, guest->buffer + cursor.at, guest->size);
  return true;
}

/* recv has no room for descriptors, so the kernel drops those that the guest sends. */
void
guest_channel_move (struct guest_channel *guest, struct control_channel *channel)
{
  if (guest->fd >= 0 && guest->greeting_size > 0)
    greet (guest);
  for (int i = 0; guest->fd >= 0 && i < READS_AT_ONCE; i++)
    {
      size_t used = guest->is_ignored ? 0 : guest->size;
      ssize_t n = recv (guest->fd, guest->buffer + used, sizeof guest->buffer - used, MSG_DONTWAIT);

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        {
          guest_channel_close (guest);
          return;
        }
      if (guest->is_ignored)
        continue;
      guest->size += (size_t) n;
      while (pass_on (guest, channel))
        continue;
    }
}
