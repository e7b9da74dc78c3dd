/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "payload.h"
#include "wire-policy.h"
#include "wire-result-file.h"

static gboolean
leads_out (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  return g_strv_length (parts) > FH_RESULT_DEPTH_MAX + 1 ||
         g_strv_contains ((const char *const *) parts, "") ||
         g_strv_contains ((const char *const *) parts, ".") ||
         g_strv_contains ((const char *const *) parts, "..");
}

static gboolean
try_file (const void *payload, gsize size)
{
  struct fh_result_file file;

  if (!fh_result_file_decode (&file, payload, size))
    {
      g_assert_null (file.path);
      return FALSE;
    }
  g_assert_false (leads_out (file.path));
  g_assert_cmpuint (strlen (file.path), >, 0);
  g_assert_cmpuint (strlen (file.path), <=, FH_RESULT_PATH_MAX);
  g_assert_cmpuint (file.kind, <=, FH_WIRE_RESULT_FOLDER);
  g_assert_cmpuint (file.flags & ~(guint32) FH_RESULT_ALL_FLAGS, ==, 0);
  g_assert_cmpuint (file.mode, <=, FH_FILE_MODE_MAX);
  g_assert_cmpuint (file.modified_us, <=, FH_FILE_TIME_MAX);
  if (file.flags & FH_RESULT_HAS_CONTENT)
    {
      g_assert_cmpuint (file.kind, <=, FH_WIRE_RESULT_LINK);
      g_assert_cmpuint (file.size, <=, FH_HANDED_ON_MAX);
    }
  free (file.path);
  return TRUE;
}

static GBytes *
payload_of (const struct fh_result_file *file)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 1u << 16);
  fh_result_file_encode (file, &buffer);
  return payload_take (&buffer, FH_FRAME_RESULT_FILE);
}

static gboolean
is_taken (const char *path, guint kind, guint32 flags, guint64 size)
{
  const struct fh_result_file file = { .path = (char *) path,
                                       .kind = (guint8) kind,
                                       .flags = flags,
                                       .size = size };
  g_autoptr (GBytes) payload = payload_of (&file);

  return try_file (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
}

static gboolean
takes_path (const char *path)
{
  return is_taken (path, FH_WIRE_RESULT_REGULAR, 0, 1);
}

static void
test_round_trip (void)
{
  const struct fh_result_file file = {
    .path = (char *) "plots/\xff a\n.png",
    .kind = FH_WIRE_RESULT_REGULAR,
    .flags = FH_RESULT_ALL_FLAGS,
    .mode = 0751,
    .modified_us = FH_FILE_TIME_MAX,
    .size = FH_HANDED_ON_MAX,
  };
  g_autoptr (GBytes) payload = payload_of (&file);
  struct fh_result_file copy;

  g_assert_true (
      fh_result_file_decode (&copy, g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
  g_assert_cmpstr (copy.path, ==, file.path);
  g_assert_cmpuint (copy.kind, ==, file.kind);
  g_assert_cmpuint (copy.flags, ==, file.flags);
  g_assert_cmpuint (copy.mode, ==, file.mode);
  g_assert_cmpuint (copy.modified_us, ==, file.modified_us);
  g_assert_cmpuint (copy.size, ==, file.size);
  free (copy.path);
  assert_exact (payload, try_file);
  g_assert_cmpuint (try_mutations (payload, try_file), <, 5000);
}

static void
test_paths (void)
{
  static const char *const good[] = {
    "a", "...", "..a", "a..", ".a/..b/c.", "-rf", "a b", "\n", "~", "\xff",
  };
  static const char *const bad[] = {
    "",     "/",     "/a",     "a/", "a//b", ".",      "..",      "./a",  "../a",     "a/.",
    "a/..", "a/./b", "a/../b", "//", "a/b/", "a/..//", "../../x", "a/./", "a/b/c/..", "/etc/passwd",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (takes_path (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_test_message ("%s", bad[i]);
      g_assert_false (takes_path (bad[i]));
    }
}

static void
test_limits_of_paths (void)
{
  g_autoptr (GString) deep = g_string_new ("f");
  g_autofree char *longest = g_strnfill (FH_RESULT_PATH_MAX, 'x');
  g_autofree char *longer = g_strnfill (FH_RESULT_PATH_MAX + 1, 'x');
  g_autofree char *long_name = g_strnfill (256, 'x');

  for (gsize i = 200; i < FH_RESULT_PATH_MAX; i += 200)
    longest[i] = longer[i] = '/';
  g_assert_false (takes_path (long_name));

  for (guint depth = 0; depth <= FH_RESULT_DEPTH_MAX; depth++)
    {
      g_assert_true (takes_path (deep->str));
      g_string_prepend (deep, "d/");
    }
  g_assert_false (takes_path (deep->str));
  g_assert_true (takes_path (longest));
  g_assert_false (takes_path (longer));
}

static void
test_files_that_do_not_exist (void)
{
  const guint content = FH_RESULT_HAS_CONTENT;

  g_assert_true (is_taken ("a", FH_WIRE_RESULT_SPECIAL, FH_RESULT_IS_CHANGED, 0));
  g_assert_true (is_taken ("a", FH_WIRE_RESULT_REGULAR, 0, G_MAXUINT64));
  g_assert_true (is_taken ("a", FH_WIRE_RESULT_REGULAR, content, 0));
  g_assert_true (is_taken ("a", FH_WIRE_RESULT_GONE, 0, 0));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_GONE, FH_RESULT_IS_CHANGED, 0));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_GONE, 0, 1));
  g_assert_true (is_taken ("a", FH_WIRE_RESULT_FOLDER, 0, 0));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_FOLDER, FH_RESULT_IS_PROGRAM, 0));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_FOLDER, 0, 1));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_FOLDER + 1, 0, 0));
  g_assert_false (is_taken ("a", 255, 0, 0));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_REGULAR, FH_RESULT_ALL_FLAGS + 1, 0));
  g_assert_true (is_taken ("a", FH_WIRE_RESULT_LINK, 0, 0));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_LINK, 0, 1));
  g_assert_true (is_taken ("a", FH_WIRE_RESULT_LINK, content, 1));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_LINK, content, 0));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_LINK, content, FH_FILE_LINK_MAX + 1));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_SPECIAL, content, 0));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_REGULAR, content, FH_HANDED_ON_MAX + 1));
}

/* Nothing special is handed on, and only permissions and times that can be set. */
static void
test_handed_on (void)
{
  struct fh_result_file file = { .path = (char *) "a", .mode = 01777 };
  g_autoptr (GBytes) mode = payload_of (&file);
  g_autoptr (GBytes) time = NULL;

  g_assert_true (is_taken ("a", FH_WIRE_RESULT_GONE, FH_RESULT_IS_IN_TMP, 0));
  g_assert_true (is_taken ("a", FH_WIRE_RESULT_FOLDER, FH_RESULT_IS_IN_TMP, 0));
  g_assert_true (is_taken ("a", FH_WIRE_RESULT_REGULAR, FH_RESULT_IS_IN_TMP, 7));
  g_assert_false (is_taken ("a", FH_WIRE_RESULT_SPECIAL, FH_RESULT_IS_IN_TMP, 0));
  g_assert_false (try_file (g_bytes_get_data (mode, NULL), g_bytes_get_size (mode)));
  file.mode = 0;
  file.modified_us = FH_FILE_TIME_MAX + 1;
  time = payload_of (&file);
  g_assert_false (try_file (g_bytes_get_data (time, NULL), g_bytes_get_size (time)));
}

static void
test_piece (void)
{
  g_autofree guint8 *bytes = g_malloc0 (FH_RESULT_PIECE_MAX);
  g_autoptr (GBytes) payload = NULL;
  struct fh_buffer buffer;

  bytes[0] = 'a';
  bytes[FH_RESULT_PIECE_MAX - 1] = 'z';
  fh_buffer_init (&buffer, 1u << 20);
  fh_frame_put (&buffer, FH_FRAME_RESULT_PIECE, bytes, FH_RESULT_PIECE_MAX);
  payload = payload_take (&buffer, FH_FRAME_RESULT_PIECE);
  g_assert_cmpmem (g_bytes_get_data (payload, NULL),
                   g_bytes_get_size (payload),
                   bytes,
                   FH_RESULT_PIECE_MAX);
}

static gboolean
try_end (const void *payload, gsize size)
{
  struct fh_results_end end;

  return fh_results_end_decode (&end, payload, size);
}

static void
test_end (void)
{
  const struct fh_results_end end = { .n_left_out = G_MAXUINT32, .is_incomplete = true };
  g_autoptr (GBytes) payload = NULL;
  struct fh_results_end copy;
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 64);
  fh_results_end_encode (&end, &buffer);
  payload = payload_take (&buffer, FH_FRAME_RESULTS_END);
  g_assert_true (
      fh_results_end_decode (&copy, g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
  g_assert_cmpuint (copy.n_left_out, ==, G_MAXUINT32);
  g_assert_true (copy.is_incomplete);
  assert_exact (payload, try_end);
  g_assert_false (try_end ("\0\0\0\0\2", 5));
  g_assert_cmpuint (try_mutations (payload, try_end), <, 5000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-result-file/round-trip", test_round_trip);
  g_test_add_func ("/wire-result-file/paths", test_paths);
  g_test_add_func ("/wire-result-file/limits-of-paths", test_limits_of_paths);
  g_test_add_func ("/wire-result-file/files-that-do-not-exist", test_files_that_do_not_exist);
  g_test_add_func ("/wire-result-file/handed-on", test_handed_on);
  g_test_add_func ("/wire-result-file/piece", test_piece);
  g_test_add_func ("/wire-result-file/end", test_end);
  return g_test_run ();
}
