/* SPDX-License-Identifier: GPL-3.0-or-later */
/* However a stream is cut when it arrives, the same frames come out of it. */
#include "fuzz-target.h"
#include "wire-frame.h"

#include <assert.h>
#include <string.h>

/* What was taken out of a stream: how much, how it ended, and a checksum of all frames. */
struct reading
{
  size_t frames;
  uint64_t sum;
  int end;
};

static void
add (struct reading *reading, const void *bytes, size_t size)
{
  const uint8_t *at = bytes;

  for (size_t i = 0; i < size; i++)
    reading->sum = (reading->sum ^ at[i]) * 0x100000001b3u;
}

static void
take_frames (struct fh_frame_reader *reader, struct reading *reading)
{
  struct fh_frame frame;

  while ((reading->end = fh_frame_reader_next (reader, &frame)) == 1)
    {
      assert (frame.size <= FH_FRAME_MAX_PAYLOAD);
      reading->frames++;
      add (reading, &frame.kind, sizeof frame.kind);
      add (reading, &frame.size, sizeof frame.size);
      add (reading, frame.payload, frame.size);
    }
}

static struct reading
read_in_pieces (const uint8_t *data, size_t size, size_t piece)
{
  struct fh_frame_reader reader;
  struct reading reading = { 0 };

  assert (fh_frame_reader_init (&reader));
  while (size > 0 && reading.end == 0)
    {
      size_t room;
      uint8_t *space = fh_frame_reader_space (&reader, &room);
      size_t n = size < piece ? size : piece;

      assert (room > 0);
      n = n < room ? n : room;
      memcpy (space, data, n);
      fh_frame_reader_filled (&reader, n);
      data += n;
      size -= n;
      take_frames (&reader, &reading);
    }
  if (reading.end == -1)
    {
      struct fh_frame frame;

      assert (fh_frame_reader_next (&reader, &frame) == -1);
    }
  fh_frame_reader_clear (&reader);
  return reading;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct reading whole = read_in_pieces (data, size, SIZE_MAX);
  struct reading pieces = read_in_pieces (data, size, size > 0 ? 1 + data[0] % 16 : 1);

  assert (whole.frames == pieces.frames && whole.sum == pieces.sum && whole.end == pieces.end);
  return 0;
}
