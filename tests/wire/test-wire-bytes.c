/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "wire-bytes.h"

static void
test_integers (void)
{
  static const guint8 expected[] = {
    0xfe, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 0xf0, 0xde, 0xbc,
    0x9a, 0x78, 0x56, 0x34, 0x12, 0xff, 0xff, 0xff, 0xff,
  };
  struct fh_buffer buffer;
  struct fh_cursor cursor;

  fh_buffer_init (&buffer, 100);
  fh_buffer_put_u8 (&buffer, 0xfe);
  fh_buffer_put_u16 (&buffer, 0x1234);
  fh_buffer_put_u32 (&buffer, 0x12345678);
  fh_buffer_put_u64 (&buffer, G_GUINT64_CONSTANT (0x123456789abcdef0));
  fh_buffer_put_i32 (&buffer, -1);
  g_assert_false (buffer.failed);
  g_assert_cmpmem (buffer.data, buffer.size, expected, sizeof expected);

  fh_cursor_init (&cursor, buffer.data, buffer.size);
  g_assert_cmphex (fh_cursor_u8 (&cursor), ==, 0xfe);
  g_assert_cmphex (fh_cursor_u16 (&cursor), ==, 0x1234);
  g_assert_cmphex (fh_cursor_u32 (&cursor), ==, 0x12345678);
  g_assert_false (fh_cursor_done (&cursor));
  g_assert_cmphex (fh_cursor_u64 (&cursor), ==, G_GUINT64_CONSTANT (0x123456789abcdef0));
  g_assert_cmpint (fh_cursor_i32 (&cursor), ==, -1);
  g_assert_true (fh_cursor_done (&cursor));
  fh_buffer_clear (&buffer);
}

static void
test_strings (void)
{
  struct fh_buffer buffer;
  struct fh_cursor cursor;
  const guint8 *bytes;
  gsize size;
  char *string;

  fh_buffer_init (&buffer, 100);
  fh_buffer_put_string (&buffer, "text \xff");
  fh_buffer_put_string (&buffer, "");
  fh_buffer_put_string (&buffer, NULL);
  fh_buffer_put_bytes (&buffer, "a\0b", 3);
  fh_buffer_put_bytes (&buffer, NULL, 0);
  fh_buffer_put_bytes (&buffer, "a\0b", 3);
  g_assert_false (buffer.failed);

  fh_cursor_init (&cursor, buffer.data, buffer.size);
  string = fh_cursor_string (&cursor);
  g_assert_cmpstr (string, ==, "text \xff");
  free (string);
  for (guint i = 0; i < 2; i++)
    {
      string = fh_cursor_string (&cursor);
      g_assert_cmpstr (string, ==, "");
      free (string);
    }
  bytes = fh_cursor_bytes (&cursor, &size);
  g_assert_cmpmem (bytes, size, "a\0b", 3);
  bytes = fh_cursor_bytes (&cursor, &size);
  g_assert_nonnull (bytes);
  g_assert_cmpuint (size, ==, 0);
  g_assert_false (cursor.failed);
  /* A NUL inside could be read as two different strings. */
  g_assert_null (fh_cursor_string (&cursor));
  g_assert_true (cursor.failed);
  fh_buffer_clear (&buffer);
}

static void
test_reading_too_far (void)
{
  static const guint8 data[] = { 1, 2, 3 };
  struct fh_cursor cursor;
  gsize size = 42;

  fh_cursor_init (&cursor, data, sizeof data);
  g_assert_cmpuint (fh_cursor_u32 (&cursor), ==, 0);
  g_assert_true (cursor.failed);
  /* The error stays, although these would fit. */
  g_assert_cmpuint (fh_cursor_u8 (&cursor), ==, 0);
  g_assert_cmpuint (fh_cursor_u16 (&cursor), ==, 0);
  g_assert_null (fh_cursor_bytes (&cursor, &size));
  g_assert_null (fh_cursor_string (&cursor));
  g_assert_false (fh_cursor_done (&cursor));
}

static void
test_empty (void)
{
  struct fh_cursor cursor;

  fh_cursor_init (&cursor, NULL, 0);
  g_assert_true (fh_cursor_done (&cursor));
  g_assert_cmpuint (fh_cursor_u8 (&cursor), ==, 0);
  g_assert_true (cursor.failed);
}

/* A size that claims more than there is, up to all that 32 bits can say. */
static void
test_sizes_that_lie (void)
{
  static const guint32 sizes[] = { 4, 5, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      struct fh_buffer buffer;
      struct fh_cursor cursor;
      gsize size;

      fh_buffer_init (&buffer, 100);
      fh_buffer_put_u32 (&buffer, sizes[i]);
      fh_buffer_put_raw (&buffer, "abc", 3);
      fh_cursor_init (&cursor, buffer.data, buffer.size);
      g_assert_null (fh_cursor_string (&cursor));
      g_assert_true (cursor.failed);
      fh_cursor_init (&cursor, buffer.data, buffer.size);
      g_assert_null (fh_cursor_bytes (&cursor, &size));
      g_assert_true (cursor.failed);
      fh_buffer_clear (&buffer);
    }
}

static void
test_limit (void)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 8);
  fh_buffer_put_u64 (&buffer, 1);
  g_assert_false (buffer.failed);
  fh_buffer_put_u8 (&buffer, 1);
  g_assert_true (buffer.failed);
  g_assert_cmpuint (buffer.size, ==, 8);
  /* The error stays, also for what would take no room. */
  fh_buffer_put_u8 (&buffer, 1);
  g_assert_cmpuint (buffer.size, ==, 8);
  fh_buffer_clear (&buffer);
  g_assert_false (buffer.failed);
  fh_buffer_put_u8 (&buffer, 1);
  g_assert_cmpuint (buffer.size, ==, 1);
  fh_buffer_clear (&buffer);
}

static void
test_growth (void)
{
  g_autoptr (GByteArray) expected = g_byte_array_new ();
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 1 << 20);
  while (!buffer.failed)
    {
      guint8 block[3000];
      gsize size = (gsize) g_test_rand_int_range (0, sizeof block);
      gsize before = buffer.size;

      memset (block, g_test_rand_int (), sizeof block);
      fh_buffer_put_raw (&buffer, block, size);
      if (!buffer.failed)
        g_byte_array_append (expected, block, (guint) size);
      else
        g_assert_cmpuint (before + size, >, 1 << 20);
    }
  g_assert_cmpmem (buffer.data, buffer.size, expected->data, expected->len);
  fh_buffer_clear (&buffer);
}

static void
test_paths (void)
{
  static const char *const good[] = { "a", "a/b", ".a/..b/...", "a b/\xff" };
  static const char *const bad[] = {
    "", "/", "/a", "a/", "a//b", ".", "..", "a/..", "./a", "a/./b"
  };
  g_autofree char *longest = g_strnfill (255, 'x');
  g_autofree char *too_long = g_strnfill (256, 'x');

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (fh_path_is_below (good[i], 1000, 3));
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (fh_path_is_below (bad[i], 1000, 3));
  g_assert_true (fh_path_is_below (longest, 255, 1));
  g_assert_false (fh_path_is_below (longest, 254, 1));
  g_assert_false (fh_path_is_below (too_long, 1000, 1));
  g_assert_true (fh_path_is_below ("a/b/c", 5, 3));
  g_assert_false (fh_path_is_below ("a/b/c", 5, 2));
}

static void
test_write_all (void)
{
  char read_back[8] = "";
  int pair[2];

  g_assert_cmpint (pipe2 (pair, O_CLOEXEC), ==, 0);
  g_assert_true (fh_write_all (pair[1], "", 0));
  g_assert_true (fh_write_all (pair[1], "abc", 3));
  g_assert_cmpint (read (pair[0], read_back, sizeof read_back), ==, 3);
  g_assert_cmpstr (read_back, ==, "abc");
  g_assert_false (fh_write_all (pair[0], "abc", 3));
  g_assert_cmpint (errno, ==, EBADF);
  close (pair[0]);
  close (pair[1]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-bytes/integers", test_integers);
  g_test_add_func ("/wire-bytes/strings", test_strings);
  g_test_add_func ("/wire-bytes/reading-too-far", test_reading_too_far);
  g_test_add_func ("/wire-bytes/empty", test_empty);
  g_test_add_func ("/wire-bytes/sizes-that-lie", test_sizes_that_lie);
  g_test_add_func ("/wire-bytes/limit", test_limit);
  g_test_add_func ("/wire-bytes/growth", test_growth);
  g_test_add_func ("/wire-bytes/paths", test_paths);
  g_test_add_func ("/wire-bytes/write-all", test_write_all);
  return g_test_run ();
}
