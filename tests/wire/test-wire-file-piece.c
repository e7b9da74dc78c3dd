/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "payload.h"
#include "wire-policy.h"

#define LIMIT (1u << 20)

static gboolean
try_file_piece (const void *payload, gsize size)
{
  struct fh_file_piece piece;

  if (!fh_file_piece_decode (&piece, payload, size))
    return FALSE;
  g_assert_cmpstr (piece.path, !=, "");
  g_assert_cmpstr (piece.path, !=, "..");
  g_assert_cmpint (piece.path[0], !=, '/');
  g_assert_false (g_str_has_prefix (piece.path, "../"));
  g_assert_null (strstr (piece.path, "/../"));
  g_assert_null (strstr (piece.path, "//"));
  free (piece.path);
  return TRUE;
}

static GBytes *
file_payload (const char *path, gsize size)
{
  g_autofree guint8 *data = g_malloc0 (size + 1);
  const struct fh_file_piece piece = {
    .path = (char *) (gpointer) path,
    .is_in_tmp = size == 10,
    .is_there = size == 10,
    .mode = 0751,
    .modified_us = FH_FILE_TIME_MAX,
    .data = data,
    .size = size,
  };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, LIMIT);
  fh_file_piece_encode (&piece, &buffer);
  return payload_take (&buffer, FH_FRAME_FILE);
}

static gboolean
name_is_taken (const char *path)
{
  g_autoptr (GBytes) payload = file_payload (path, 3);

  return try_file_piece (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
}

static void
test_file_piece (void)
{
  g_autoptr (GBytes) payload = file_payload ("main.py", 10);
  g_autofree char *longest = g_strnfill (FH_FILE_PATH_MAX, 'x');
  g_autoptr (GBytes) largest = NULL;
  struct fh_file_piece piece;

  for (gsize i = 200; i < FH_FILE_PATH_MAX; i += 200)
    longest[i] = '/';
  largest = file_payload (longest, FH_FILE_PIECE_MAX);
  g_assert_true (
      fh_file_piece_decode (&piece, g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
  g_assert_cmpstr (piece.path, ==, "main.py");
  g_assert_cmpuint (piece.kind, ==, FH_FILE_REGULAR);
  g_assert_true (piece.is_in_tmp && piece.is_there);
  g_assert_cmpuint (piece.mode, ==, 0751);
  g_assert_cmpuint (piece.modified_us, ==, FH_FILE_TIME_MAX);
  g_assert_cmpmem (piece.data, piece.size, "\0\0\0\0\0\0\0\0\0\0", 10);
  free (piece.path);
  assert_exact (payload, try_file_piece);
  g_assert_cmpuint (try_mutations (payload, try_file_piece), <, 5000);
  g_assert_true (try_file_piece (g_bytes_get_data (largest, NULL), g_bytes_get_size (largest)));
}

static gboolean
piece_is_taken (const struct fh_file_piece *piece)
{
  g_autoptr (GBytes) payload = NULL;
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, LIMIT);
  fh_file_piece_encode (piece, &buffer);
  payload = payload_take (&buffer, FH_FRAME_FILE);
  return try_file_piece (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
}

static gboolean
kind_is_taken (guint8 kind, const char *content, gsize size)
{
  return piece_is_taken (&(struct fh_file_piece){ .path = (char *) "a/b",
                                                  .kind = kind,
                                                  .data = (const guint8 *) content,
                                                  .size = size });
}

/* A removed file and a folder have no content. That of a link can be a target. */
static void
test_kinds (void)
{
  g_autofree char *longest = g_strnfill (FH_FILE_LINK_MAX + 1, 'x');

  g_assert_true (kind_is_taken (FH_FILE_REGULAR, "", 0));
  g_assert_true (kind_is_taken (FH_FILE_REMOVED, "", 0));
  g_assert_false (kind_is_taken (FH_FILE_REMOVED, "x", 1));
  g_assert_true (kind_is_taken (FH_FILE_FOLDER, "", 0));
  g_assert_false (kind_is_taken (FH_FILE_FOLDER, "x", 1));
  g_assert_false (kind_is_taken (FH_FILE_LINK, "", 0));
  g_assert_true (kind_is_taken (FH_FILE_LINK, "x", 1));
  g_assert_false (kind_is_taken (FH_FILE_LINK, "x\0y", 3));
  g_assert_true (kind_is_taken (FH_FILE_LINK, longest, FH_FILE_LINK_MAX));
  g_assert_false (kind_is_taken (FH_FILE_LINK, longest, FH_FILE_LINK_MAX + 1));
  g_assert_false (kind_is_taken (FH_FILE_LINK + 1, "", 0));
}

static void
test_modes_and_times (void)
{
  struct fh_file_piece piece = { .path = (char *) "a", .mode = 0777 };

  g_assert_true (piece_is_taken (&piece));
  piece.mode = 04755;
  g_assert_false (piece_is_taken (&piece));
  piece.mode = 0;
  piece.modified_us = FH_FILE_TIME_MAX + 1;
  g_assert_false (piece_is_taken (&piece));
}

static void
test_names_of_files (void)
{
  static const char *const good[] = { "main.py", "...", ".hidden", "a b",
                                      "\xff",    "-rf", "a/b",     "a/.../b" };
  static const char *const bad[] = { "",     ".",     "..",  "/",      "/etc/passwd", "../x", "a/",
                                     "a//b", "a/./b", "./a", "a/../b", "a/..",        "a/." };
  g_autofree char *too_long = g_strnfill (256, 'x');
  g_autofree char *too_long_below = g_strconcat ("a/", too_long, NULL);
  g_autoptr (GString) deep = g_string_new ("a");

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (name_is_taken (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (name_is_taken (bad[i]));
  g_assert_false (name_is_taken (too_long));
  g_assert_false (name_is_taken (too_long_below));
  for (guint i = 1; i < FH_FILE_DEPTH_MAX; i++)
    g_string_append (deep, "/a");
  g_assert_true (name_is_taken (deep->str));
  g_string_append (deep, "/a");
  g_assert_false (name_is_taken (deep->str));
  g_string_truncate (deep, 1);
  while (deep->len <= FH_FILE_PATH_MAX)
    g_string_append (deep, "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
  g_assert_false (name_is_taken (deep->str));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-file-piece/file-piece", test_file_piece);
  g_test_add_func ("/wire-file-piece/names-of-files", test_names_of_files);
  g_test_add_func ("/wire-file-piece/kinds", test_kinds);
  g_test_add_func ("/wire-file-piece/modes-and-times", test_modes_and_times);
  return g_test_run ();
}
