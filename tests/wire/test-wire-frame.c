/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <string.h>

#include "wire-frame.h"

#define LIMIT (4u << 20)

static void
put_frame (struct fh_buffer *buffer, enum fh_frame_kind kind, const void *payload, gsize size)
{
  gsize offset = fh_frame_begin (buffer, kind);

  fh_buffer_put_raw (buffer, payload, size);
  fh_frame_end (buffer, offset);
}

static void
put_header (struct fh_buffer *buffer, guint32 size, guint16 kind, guint16 reserved)
{
  fh_buffer_put_u32 (buffer, size);
  fh_buffer_put_u16 (buffer, kind);
  fh_buffer_put_u16 (buffer, reserved);
}

/* Hands `buffer` to the reader in steps of at most `step` bytes and checks that the frames are
 * those of the numbers 0, 1, …: frame n has the kind n + 1 and n * n bytes of n. Returns how many.
 */
static guint
read_numbered (struct fh_frame_reader *reader, const struct fh_buffer *buffer, gsize step)
{
  struct fh_frame frame;
  guint count = 0;

  for (gsize at = 0; at < buffer->size;)
    {
      gsize room;
      guint8 *space = fh_frame_reader_space (reader, &room);
      gsize size = MIN (MIN (step, room), buffer->size - at);

      g_assert_cmpuint (room, >, 0);
      memcpy (space, buffer->data + at, size);
      fh_frame_reader_filled (reader, size);
      at += size;
      while (fh_frame_reader_next (reader, &frame) == 1)
        {
          g_assert_cmpuint (frame.kind, ==, count + 1);
          g_assert_cmpuint (frame.size, ==, count * count);
          for (guint i = 0; i < frame.size; i++)
            g_assert_cmpuint (frame.payload[i], ==, (guint8) count);
          count++;
        }
      g_assert_false (reader->failed);
    }
  return count;
}

static void
put_numbered (struct fh_buffer *buffer, guint count)
{
  for (guint n = 0; n < count; n++)
    {
      g_autofree guint8 *payload = g_malloc (n * n + 1);

      memset (payload, (int) n, n * n);
      put_frame (buffer, (enum fh_frame_kind) (n + 1), payload, n * n);
    }
}

static void
test_any_step (void)
{
  static const gsize steps[] = { 1, 2, 3, 7, 8, 9, 100, 4096, 65536, LIMIT };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, LIMIT);
  put_numbered (&buffer, 150);
  g_assert_false (buffer.failed);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      struct fh_frame_reader reader;

      g_assert_true (fh_frame_reader_init (&reader));
      g_assert_cmpuint (read_numbered (&reader, &buffer, steps[i]), ==, 150);
      fh_frame_reader_clear (&reader);
    }
  fh_buffer_clear (&buffer);
}

static void
test_largest (void)
{
  g_autofree guint8 *payload = g_malloc0 (FH_FRAME_MAX_PAYLOAD + 1);
  struct fh_frame_reader reader;
  struct fh_buffer buffer;
  struct fh_frame frame;
  gsize at = 0;
  guint count = 0;

  fh_buffer_init (&buffer, LIMIT);
  for (guint i = 0; i < 3; i++)
    put_frame (&buffer, FH_FRAME_OUTPUT, payload, FH_FRAME_MAX_PAYLOAD);
  g_assert_false (buffer.failed);
  g_assert_true (fh_frame_reader_init (&reader));
  while (at < buffer.size)
    {
      gsize room;
      guint8 *space = fh_frame_reader_space (&reader, &room);
      gsize size = MIN (room, buffer.size - at);

      g_assert_cmpuint (room, >, 0);
      memcpy (space, buffer.data + at, size);
      fh_frame_reader_filled (&reader, size);
      at += size;
      while (fh_frame_reader_next (&reader, &frame) == 1)
        {
          g_assert_cmpuint (frame.size, ==, FH_FRAME_MAX_PAYLOAD);
          count++;
        }
    }
  g_assert_cmpuint (count, ==, 3);
  fh_frame_reader_clear (&reader);

  put_frame (&buffer, FH_FRAME_OUTPUT, payload, FH_FRAME_MAX_PAYLOAD + 1);
  g_assert_true (buffer.failed);
  fh_buffer_clear (&buffer);
}

static void
assert_not_ours (guint32 size, guint16 kind, guint16 reserved)
{
  struct fh_frame_reader reader;
  struct fh_buffer buffer;
  struct fh_frame frame;
  gsize room;

  fh_buffer_init (&buffer, LIMIT);
  put_frame (&buffer, FH_FRAME_STARTED, NULL, 0);
  put_header (&buffer, size, kind, reserved);
  put_frame (&buffer, FH_FRAME_STARTED, NULL, 0);
  g_assert_true (fh_frame_reader_init (&reader));
  memcpy (fh_frame_reader_space (&reader, &room), buffer.data, buffer.size);
  fh_frame_reader_filled (&reader, buffer.size);
  g_assert_cmpint (fh_frame_reader_next (&reader, &frame), ==, 1);
  g_assert_cmpuint (frame.kind, ==, FH_FRAME_STARTED);
  /* For good, whatever follows. */
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (fh_frame_reader_next (&reader, &frame), ==, -1);
  fh_frame_reader_clear (&reader);
  fh_buffer_clear (&buffer);
}

static void
test_not_our_protocol (void)
{
  assert_not_ours (FH_FRAME_MAX_PAYLOAD + 1, FH_FRAME_OUTPUT, 0);
  assert_not_ours (0x80000000, FH_FRAME_OUTPUT, 0);
  assert_not_ours (0xffffffff, FH_FRAME_OUTPUT, 0);
  assert_not_ours (0, FH_FRAME_OUTPUT, 1);
  assert_not_ours (0, FH_FRAME_OUTPUT, 0x8000);
}

/* A header is judged as soon as it is complete, before its payload takes any room. */
static void
test_header_alone (void)
{
  struct fh_frame_reader reader;
  struct fh_buffer buffer;
  struct fh_frame frame;
  gsize room;

  fh_buffer_init (&buffer, LIMIT);
  put_header (&buffer, FH_FRAME_MAX_PAYLOAD + 1, FH_FRAME_OUTPUT, 0);
  g_assert_true (fh_frame_reader_init (&reader));
  for (gsize i = 0; i < buffer.size; i++)
    {
      g_assert_cmpint (fh_frame_reader_next (&reader, &frame), ==, 0);
      fh_frame_reader_space (&reader, &room)[0] = buffer.data[i];
      fh_frame_reader_filled (&reader, 1);
    }
  g_assert_cmpint (fh_frame_reader_next (&reader, &frame), ==, -1);
  fh_frame_reader_clear (&reader);
  fh_buffer_clear (&buffer);
}

/* Random bytes: at most a few frames, then the end, never a fault. */
static void
test_noise (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      struct fh_frame_reader reader;
      struct fh_frame frame;
      gsize room;
      guint8 *space;
      gsize size = (gsize) g_test_rand_int_range (1, 400);

      g_assert_true (fh_frame_reader_init (&reader));
      space = fh_frame_reader_space (&reader, &room);
      for (gsize i = 0; i < size; i++)
        space[i] = g_test_rand_int_range (0, 3) > 0 ? 0 : (guint8) g_test_rand_int ();
      fh_frame_reader_filled (&reader, size);
      while (fh_frame_reader_next (&reader, &frame) == 1)
        g_assert_cmpuint (frame.size, <, size);
      g_assert_cmpuint (reader.start, <=, reader.end);
      fh_frame_reader_clear (&reader);
    }
}

static void
test_buffer_that_is_full (void)
{
  struct fh_buffer buffer;

  for (gsize limit = 0; limit < FH_FRAME_HEADER_SIZE + 3; limit++)
    {
      fh_buffer_init (&buffer, limit);
      put_frame (&buffer, FH_FRAME_OUTPUT, "abc", 3);
      g_assert_true (buffer.failed);
      fh_buffer_clear (&buffer);
    }
  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + 3);
  put_frame (&buffer, FH_FRAME_OUTPUT, "abc", 3);
  g_assert_false (buffer.failed);
  g_assert_cmpmem (buffer.data, buffer.size, "\3\0\0\0\22\0\0\0abc", 11);
  fh_buffer_clear (&buffer);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-frame/any-step", test_any_step);
  g_test_add_func ("/wire-frame/largest", test_largest);
  g_test_add_func ("/wire-frame/not-our-protocol", test_not_our_protocol);
  g_test_add_func ("/wire-frame/header-alone", test_header_alone);
  g_test_add_func ("/wire-frame/noise", test_noise);
  g_test_add_func ("/wire-frame/buffer-that-is-full", test_buffer_that_is_full);
  return g_test_run ();
}
