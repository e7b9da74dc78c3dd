/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output-pump.h"

#include "descriptor.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Used for both streams: the supervisor has one thread. */
static uint8_t piece[FH_OUTPUT_MAX];

void
output_pump_init (struct output_pump *pump, int fd, enum fh_wire_stream stream, uint64_t limit)
{
  *pump = (struct output_pump){ .fd = fd, .stream = stream, .limit = limit };
}

uint64_t
output_pump_waiting (const struct output_pump *pump)
{
  int size = 0;

  return pump->fd >= 0 && ioctl (pump->fd, FIONREAD, &size) == 0 && size > 0 ? (uint64_t) size : 0;
}

void
output_pump_close (struct output_pump *pump)
{
  fh_clear_fd (&pump->fd);
}

static void
send_piece (struct output_pump *pump,
            struct control_channel *channel,
            size_t size,
            uint64_t time_us)
{
  struct fh_output output = { pump->stream, time_us, piece, size };

  if (pump->limit > 0 && size > pump->limit - pump->total)
    {
      output.size = pump->limit - pump->total;
      pump->over_limit = true;
    }
  if (output.size > 0)
    fh_output_encode (&output, &channel->pending);
}

bool
output_pump_move (struct output_pump *pump, struct control_channel *channel, uint64_t time_us)
{
  ssize_t n;

  if (pump->fd < 0)
    return false;
  n = read (pump->fd, piece, sizeof piece);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return false;
  if (n <= 0)
    {
      output_pump_close (pump);
      return false;
    }
  if (!pump->over_limit)
    send_piece (pump, channel, (size_t) n, time_us);
  pump->total += (uint64_t) n;
  pump->is_in_line = piece[n - 1] != '\n';
  return true;
}
