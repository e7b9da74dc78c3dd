/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "payload.h"

#include <string.h>

#define ROUNDS 5000

GBytes *
payload_take (struct fh_buffer *buffer, enum fh_frame_kind kind)
{
  struct fh_frame_reader reader;
  struct fh_frame frame;
  GBytes *payload;
  gsize room;

  g_assert_false (buffer->failed);
  g_assert_true (fh_frame_reader_init (&reader));
  memcpy (fh_frame_reader_space (&reader, &room), buffer->data, buffer->size);
  g_assert_cmpuint (buffer->size, <=, room);
  fh_frame_reader_filled (&reader, buffer->size);
  g_assert_cmpint (fh_frame_reader_next (&reader, &frame), ==, 1);
  g_assert_cmpuint (frame.kind, ==, kind);
  payload = g_bytes_new (frame.payload, frame.size);
  g_assert_cmpint (fh_frame_reader_next (&reader, &frame), ==, 0);
  fh_frame_reader_clear (&reader);
  fh_buffer_clear (buffer);
  return payload;
}

static gboolean
try_copy (const void *data, gsize size, TryPayload try_payload)
{
  g_autofree guint8 *copy = g_memdup2 (data, size);

  return try_payload (copy, size);
}

void
assert_exact (GBytes *payload, TryPayload try_payload)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (payload, &size);
  g_autofree guint8 *longer = g_malloc0 (size + 1);

  g_assert_true (try_copy (data, size, try_payload));
  for (gsize i = 0; i < size; i++)
    g_assert_false (try_copy (data, i, try_payload));
  if (size > 0)
    memcpy (longer, data, size);
  g_assert_false (try_copy (longer, size + 1, try_payload));
}

static guint8
interesting_byte (void)
{
  static const guint8 bytes[] = { 0x00, 0x01, 0x7f, 0x80, 0xff, 0x10, '/', '.' };

  if (g_test_rand_bit ())
    return (guint8) g_test_rand_int ();
  return bytes[g_test_rand_int_range (0, G_N_ELEMENTS (bytes))];
}

guint
try_mutations (GBytes *payload, TryPayload try_payload)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (payload, &size);
  guint taken = 0;

  g_assert_cmpuint (size, >, 0);
  for (guint round = 0; round < ROUNDS; round++)
    {
      gsize changed = size;
      g_autofree guint8 *copy = g_malloc0 (size + 16);

      memcpy (copy, data, size);
      for (gint32 i = g_test_rand_int_range (1, 5); i > 0; i--)
        copy[g_test_rand_int_range (0, (gint32) size)] = interesting_byte ();
      if (round % 4 == 0)
        changed = (gsize) g_test_rand_int_range (0, (gint32) size + 16);
      taken += try_copy (copy, changed, try_payload);
    }
  g_test_message ("%u of %u were taken", taken, ROUNDS);
  return taken;
}
