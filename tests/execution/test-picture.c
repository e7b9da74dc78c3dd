/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture.h"

#include <string.h>

#include "fh-test.h"

/* A picture of 2 × 1 as fumehood-decode writes it. */
static GByteArray *
written_new (void)
{
  static const guint32 numbers[] = { 1, 2, 1, 200, 100, 2, 0 };
  GByteArray *written = g_byte_array_new ();

  g_byte_array_append (written, (const guint8 *) "FHPX", 4);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const guint32 number = GUINT32_TO_LE (numbers[i]);

      g_byte_array_append (written, (const guint8 *) &number, 4);
    }
  g_byte_array_append (written, (const guint8 *) "rgbaRGBA", 8);
  return written;
}

static FhPicture *
read_written (GByteArray *written)
{
  g_autoptr (GBytes) bytes = g_bytes_new (written->data, written->len);

  g_byte_array_unref (written);
  return fh_picture_read (bytes);
}

static FhPicture *
read_with (guint index, guint32 number)
{
  GByteArray *written = written_new ();

  number = GUINT32_TO_LE (number);
  memcpy (written->data + 4 + 4 * index, &number, 4);
  return read_written (written);
}

static void
test_good (void)
{
  g_autoptr (FhPicture) picture = read_written (written_new ());
  g_autoptr (FhPicture) still = read_with (5, 1);
  gsize size;

  g_assert_cmpuint (picture->width, ==, 2);
  g_assert_cmpuint (picture->height, ==, 1);
  g_assert_cmpuint (picture->original_width, ==, 200);
  g_assert_cmpuint (picture->original_height, ==, 100);
  g_assert_true (picture->is_animated);
  g_assert_false (still->is_animated);
  g_assert_cmpmem (g_bytes_get_data (picture->pixels, &size), 8, "rgbaRGBA", 8);
  g_assert_cmpuint (size, ==, 8);
}

static void
test_lies (void)
{
  static const struct
  {
    guint index;
    guint32 number;
  } lies[] = {
    { 0, 2 },           { 1, 0 },          { 1, 1 },       { 1, 3 },
    { 1, G_MAXUINT32 }, { 1, 0x40000002 }, { 2, 0 },       { 2, 2 },
    { 2, G_MAXUINT32 }, { 3, 0 },          { 3, 1000001 }, { 4, 0 },
    { 4, G_MAXUINT32 }, { 5, 0 },          { 5, 3 },       { 6, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    g_assert_null (read_with (lies[i].index, lies[i].number));
}

static void
test_cut (void)
{
  g_autoptr (GByteArray) written = written_new ();
  GByteArray *longer = written_new ();

  for (guint size = 0; size < written->len; size++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (written->data, size);

      g_assert_null (fh_picture_read (bytes));
    }
  g_byte_array_append (longer, (const guint8 *) "x", 1);
  g_assert_null (read_written (longer));
}

FH_TESTS ({ "/picture/good", test_good },
          { "/picture/lies", test_lies },
          { "/picture/cut", test_cut });
