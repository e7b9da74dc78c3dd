/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever a guest says on its channel, in whatever pieces: what is told is bounded, and of the
 * present cell. The first byte is whether cells are run, then each piece has its size before it;
 * 0 begins the next cell. */
#include "fuzz-target.h"
#include "guest-channel.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* All that was told. Returns whether an answer was among it, which is then the last of its cell. */
static bool
check_told (struct control_channel *control, bool is_kept, uint32_t cell)
{
  const struct fh_buffer *pending = &control->pending;
  bool has_answered = false;

  for (size_t at = 0; at < pending->size;)
    {
      struct fh_cursor cursor;
      const uint8_t *payload = pending->data + at + FH_FRAME_HEADER_SIZE;
      uint32_t size;

      fh_cursor_init (&cursor, pending->data + at, pending->size - at);
      size = fh_cursor_u32 (&cursor);
      assert (fh_cursor_u16 (&cursor) == FH_FRAME_GUEST);
      assert (size > 0 && size <= FH_GUEST_MESSAGE_MAX && !has_answered);
      if (is_kept && payload[0] != FH_GUEST_ATTEMPT)
        {
          fh_cursor_init (&cursor, payload + 1, size - 1);
          assert (payload[0] >= FH_GUEST_MORE && payload[0] <= FH_GUEST_ANSWER);
          assert (cell > 0 && fh_cursor_u32 (&cursor) == cell && !cursor.failed);
          has_answered = payload[0] == FH_GUEST_ANSWER;
        }
      at += FH_FRAME_HEADER_SIZE + size;
    }
  control->pending.size = 0;
  return has_answered;
}

static void
talk (struct guest_channel *channel,
      struct control_channel *control,
      int guest,
      const uint8_t *data,
      size_t size)
{
  uint32_t cell = 0;

  while (size > 0)
    {
      const size_t piece = *data < size - 1 ? *data : size - 1;

      if (piece == 0 && channel->is_kept)
        {
          guest_channel_begin_cell (channel);
          channel->cell = ++cell;
          assert (control->pending.size == 0);
        }
      else if (write (guest, data + 1, piece) != (ssize_t) piece)
        return;
      guest_channel_move (channel, control);
      if (check_told (control, channel->is_kept, cell))
        assert (channel->has_answered);
      assert (channel->size <= sizeof channel->buffer && channel->total <= channel->max_total);
      data += piece + 1;
      size -= piece + 1;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static struct guest_channel channel;
  struct control_channel control;
  const int null = open ("/dev/null", O_RDWR | O_CLOEXEC);
  int pair[2];

  if (size == 0)
    {
      close (null);
      return 0;
    }
  if (null < 0 || socketpair (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) < 0 ||
      !control_channel_init (&control, null, null))
    abort ();
  guest_channel_init (&channel, pair[0]);
  if (data[0] & 1)
    guest_channel_keep (&channel);
  talk (&channel, &control, pair[1], data + 1, size - 1);
  guest_channel_close (&channel);
  control_channel_clear (&control);
  close (pair[1]);
  close (null);
  return 0;
}
