/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-channel.h"

#include "descriptor.h"

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
  guest->max_total = GUEST_CHANNEL_MAX_BYTES;
  guest->is_ignored = false;
  guest->is_kept = guest->is_broken = guest->has_answered = guest->is_calling = false;
  guest->cell = 0;
  fh_buffer_init (&guest->replies, GUEST_CHANNEL_MAX_REPLY_BYTES);
  guest->replies_sent = 0;
  guest->is_out_of_memory = false;
  guest->has_spoken = guest->is_unread = false;
  guest->size = 0;
}

void
guest_channel_greet (struct guest_channel *guest, const uint8_t *greeting, size_t size)
{
  guest->greeting = greeting;
  guest->greeting_size = guest->fd >= 0 ? size : 0;
  guest->is_unread = guest->fd < 0 && size > 0;
}

void
guest_channel_close (struct guest_channel *guest)
{
  fh_clear_fd (&guest->fd);
  fh_buffer_clear (&guest->replies);
}

void
guest_channel_keep (struct guest_channel *guest)
{
  guest->is_kept = true;
  guest->max_total = GUEST_CHANNEL_MAX_CELL_BYTES;
}

bool
guest_channel_has_replies (const struct guest_channel *guest)
{
  return guest->replies.size > 0;
}

void
guest_channel_prepare (const struct guest_channel *guest, struct pollfd *fd)
{
  const bool has_words = guest->greeting_size > 0 || guest_channel_has_replies (guest);

  *fd = (struct pollfd){ .fd = guest->fd, .events = has_words ? POLLIN | POLLOUT : POLLIN };
}

/* FH_GUEST_REPLY: behind the kind and the number. */
static bool
has_more (const uint8_t *message, size_t size)
{
  return size > 1 + sizeof (uint32_t) && message[1 + sizeof (uint32_t)] != 0;
}

void
guest_channel_reply (struct guest_channel *guest, const void *message, size_t size)
{
  fh_buffer_put_bytes (&guest->replies, message, size);
  if (guest->replies.failed)
    guest->is_broken = true;
  guest->is_calling = guest->is_calling && has_more (message, size);
}

static void
send_replies (struct guest_channel *guest)
{
  ssize_t n = send (guest->fd,
                    guest->replies.data + guest->replies_sent,
                    guest->replies.size - guest->replies_sent,
                    MSG_DONTWAIT | MSG_NOSIGNAL);

  if (n > 0)
    guest->replies_sent += (size_t) n;
  if (guest->replies_sent == guest->replies.size)
    guest->replies_sent = guest->replies.size = 0;
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
      guest->is_unread = true;
      return;
    }
  guest->greeting += n;
  guest->greeting_size -= (size_t) n;
}

/* True if the message is to be told. */
static bool
take_for_cell (struct guest_channel *guest, const uint8_t *message, size_t size)
{
  struct fh_cursor cursor;
  uint32_t cell;

  fh_cursor_init (&cursor, message + 1, size - 1);
  cell = fh_cursor_u32 (&cursor);
  if (guest->cell == 0)
    return false;
  if (message[0] < FH_GUEST_MORE || message[0] > FH_GUEST_ANSWER)
    {
      guest->other_total += size;
      if (message[0] == FH_GUEST_OUT_OF_MEMORY)
        guest->is_out_of_memory = true;
      return message[0] == FH_GUEST_ATTEMPT && guest->other_total <= GUEST_CHANNEL_MAX_BYTES;
    }
  if (cursor.failed || cell != guest->cell)
    return false;
  guest->has_answered = message[0] == FH_GUEST_ANSWER;
  guest->is_calling = guest->is_calling || message[0] == FH_GUEST_CALL;
  return true;
}

static void
tell (struct guest_channel *guest,
      struct control_channel *channel,
      const uint8_t *message,
      size_t size)
{
  if (guest->is_kept && !take_for_cell (guest, message, size))
    return;
  if (message[0] == FH_GUEST_OUT_OF_MEMORY)
    guest->is_out_of_memory = true;
  fh_frame_put (&channel->pending, FH_FRAME_GUEST, message, size);
}

/* Takes one complete message off the buffer, of which `*at` bytes are done. False if there is none.
 */
static bool
take_message (struct guest_channel *guest, size_t *at, struct control_channel *channel)
{
  struct fh_cursor cursor;
  const uint8_t *message;
  size_t size;

  fh_cursor_init (&cursor, guest->buffer + *at, guest->size - *at);
  size = fh_cursor_u32 (&cursor);
  if (cursor.failed)
    return false;
  if (size == 0 || size > FH_GUEST_MESSAGE_MAX || size > guest->max_total - guest->total)
    {
      guest->is_ignored = true;
      guest->is_broken = guest->is_kept;
      return false;
    }
  fh_cursor_init (&cursor, guest->buffer + *at, guest->size - *at);
  message = fh_cursor_bytes (&cursor, &size);
  if (message == NULL)
    return false;
  tell (guest, channel, message, size);
  /* The smallest ones must not cost more than they count. */
  guest->total += guest->is_kept ? sizeof (uint32_t) + size : size;
  if (guest->total > guest->max_total)
    guest->total = guest->max_total;
  *at += cursor.at;
  return true;
}

/* All that are complete, but for those behind the answer of a cell. */
static void
take_messages (struct guest_channel *guest, struct control_channel *channel)
{
  size_t at = 0;

  while (!guest->has_answered && take_message (guest, &at, channel))
    continue;
  guest->size -= at;
  memmove (guest->buffer, guest->buffer + at, guest->size);
}

/* Between cells nothing is told. */
static bool
may_read (const struct guest_channel *guest, const struct control_channel *channel)
{
  if (!guest->is_kept || channel == NULL)
    return true;
  return !guest->has_answered && !control_channel_is_slow (channel);
}

/* recv has no room for descriptors, so the kernel drops those that the guest sends. */
void
guest_channel_move (struct guest_channel *guest, struct control_channel *channel)
{
  if (guest->fd >= 0 && guest->greeting_size > 0)
    greet (guest);
  if (guest->fd >= 0 && guest_channel_has_replies (guest) && guest->cell != 0)
    send_replies (guest);
  for (int i = 0; guest->fd >= 0 && i < READS_AT_ONCE && may_read (guest, channel); i++)
    {
      size_t used = guest->is_ignored ? 0 : guest->size;
      ssize_t n = recv (guest->fd, guest->buffer + used, sizeof guest->buffer - used, MSG_DONTWAIT);

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        {
          /* The kernel resets a connection whose other end has left something unread, unix (7). */
          guest->is_unread =
              guest->is_unread || (n < 0 && errno == ECONNRESET && !guest->has_spoken);
          guest_channel_close (guest);
          return;
        }
      guest->has_spoken = true;
      if (guest->is_ignored)
        continue;
      guest->size += (size_t) n;
      take_messages (guest, channel);
    }
}

void
guest_channel_begin_cell (struct guest_channel *guest)
{
  guest->is_unread = guest->fd < 0 && !guest->has_spoken;
  guest->cell = 0;
  guest->total = guest->other_total = 0;
  guest->has_answered = guest->is_out_of_memory = guest->is_calling = false;
  take_messages (guest, NULL);
  guest_channel_move (guest, NULL);
  guest->total = 0;
}
