/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that a runner tells of become the list of a run; a runner that sends something else
 * than it announced, or too much of it, is found out. */
#include "run-events.h"
#include "run-files.h"

#include <string.h>

static gboolean
take (FhResultCollector *collector, struct fh_buffer *buffer)
{
  g_autofree guint8 *payload = NULL;
  struct fh_frame frame = {
    .kind = (uint16_t) (buffer->data[4] | buffer->data[5] << 8),
    .size = (uint32_t) (buffer->size - FH_FRAME_HEADER_SIZE),
  };
  gboolean makes_sense;

  g_assert_false (buffer->failed);
  /* A copy of its own, so that reading too far is found. */
  payload = g_memdup2 (buffer->data + FH_FRAME_HEADER_SIZE, frame.size);
  frame.payload = payload;
  makes_sense = fh_result_collector_take (collector, &frame);
  fh_buffer_clear (buffer);
  return makes_sense;
}

static gboolean
take_file (FhResultCollector *collector, const char *path, guint kind, guint flags, guint64 size)
{
  const struct fh_result_file file = {
    .path = (char *) path,
    .kind = (uint8_t) kind,
    .flags = flags,
    .size = size,
  };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 65536);
  fh_result_file_encode (&file, &buffer);
  return take (collector, &buffer);
}

static gboolean
take_content (FhResultCollector *collector, const char *path, guint64 size)
{
  return take_file (collector, path, FH_WIRE_RESULT_REGULAR, FH_RESULT_HAS_CONTENT, size);
}

static gboolean
take_piece (FhResultCollector *collector, const void *bytes, gsize size)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 2 * FH_FRAME_MAX_PAYLOAD);
  fh_frame_put (&buffer, FH_FRAME_RESULT_PIECE, bytes, size);
  return take (collector, &buffer);
}

static gboolean
take_end (FhResultCollector *collector, guint n_left_out, gboolean is_incomplete)
{
  const struct fh_results_end end = { n_left_out, is_incomplete };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 64);
  fh_results_end_encode (&end, &buffer);
  return take (collector, &buffer);
}

static void
assert_list (FhResultFiles *files, const char *expected)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (files));

  for (guint i = 0; i < n; i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (files, i));

      g_string_append_printf (list, "%s=%" G_GUINT64_FORMAT, facts->path, facts->size);
      if (facts->content != NULL)
        g_string_append_printf (list,
                                ":%.*s",
                                (int) g_bytes_get_size (facts->content),
                                (const char *) g_bytes_get_data (facts->content, NULL));
      g_string_append (list, facts->is_program ? "*" : "");
      g_string_append (list, facts->is_changed ? "!" : "");
      g_string_append (list, facts->kind == FH_RESULT_FILE_LINK ? "@ " : " ");
    }
  g_assert_cmpstr (list->str, ==, expected);
}

static void
test_list (void)
{
  g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);
  g_autoptr (FhResultFiles) files = fh_result_files_new ();

  g_assert_true (take_content (collector, "z/b", 5));
  g_assert_true (take_piece (collector, "ab", 2));
  g_assert_true (take_piece (collector, "cd", 3));
  g_assert_true (take_file (collector, "link", FH_WIRE_RESULT_LINK, FH_RESULT_IS_CHANGED, 0));
  g_assert_true (
      take_file (collector, "a", FH_WIRE_RESULT_REGULAR, FH_RESULT_IS_PROGRAM, G_MAXUINT64));
  g_assert_true (take_content (collector, "empty", 0));
  g_assert_true (take_end (collector, 7, FALSE));
  fh_result_collector_finish (collector, files);
  assert_list (files, "a=18446744073709551615* empty=0: link=0!@ z/b=5:abcd ");
  g_assert_cmpuint (fh_result_files_get_facts (files)->n_left_out, ==, 7);
  g_assert_false (fh_result_files_get_facts (files)->is_incomplete);
}

static void
test_nothing_came (void)
{
  g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);
  g_autoptr (FhResultFiles) files = fh_result_files_new ();

  fh_result_collector_finish (collector, files);
  g_assert_false (fh_result_files_get_facts (files)->is_incomplete);
  assert_list (files, "");
}

/* Paths alone: none of them is a file of the run, and each comes once. */
static void
test_gone (void)
{
  g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);
  g_autoptr (FhResultFiles) files = fh_result_files_new ();

  g_assert_true (take_content (collector, "here", 5));
  g_assert_true (take_piece (collector, "1234", 5));
  g_assert_true (take_file (collector, "gone", FH_WIRE_RESULT_GONE, 0, 0));
  g_assert_false (take_piece (collector, "5", 1));
  g_assert_false (take_file (collector, "here", FH_WIRE_RESULT_GONE, 0, 0));
  g_assert_true (take_end (collector, 0, FALSE));
  fh_result_collector_finish (collector, files);
  assert_list (files, "here=5:1234 ");
  g_assert_cmpuint (fh_result_files_get_facts (files)->gone->len, ==, 1);
  g_assert_cmpstr (fh_result_files_get_facts (files)->gone->pdata[0], ==, "gone");
}

static void
assert_handed_on (FhResultFiles *files,
                  guint position,
                  const char *path,
                  FhRunFileKind kind,
                  gboolean is_in_tmp,
                  const char *content)
{
  const FhRunFile *file = fh_result_files_get_facts (files)->handed_on->pdata[position];

  g_assert_cmpstr (file->path, ==, path);
  g_assert_cmpint (file->kind, ==, kind);
  g_assert_cmpint (file->is_in_tmp, ==, is_in_tmp);
  g_assert_cmpmem (g_bytes_get_data (file->content, NULL),
                   g_bytes_get_size (file->content),
                   content,
                   strlen (content));
}

/* Links' targets and files in /tmp are no files of the result. A path can be in both folders. A
 * file that has lost its content is as good as gone. */
static void
test_handed_on (void)
{
  g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  const guint32 content = FH_RESULT_HAS_CONTENT;
  const guint32 in_tmp = FH_RESULT_IS_IN_TMP;

  g_assert_true (take_content (collector, "a", 1));
  g_assert_true (take_piece (collector, "1", 1));
  g_assert_true (take_file (collector, "link", FH_WIRE_RESULT_LINK, content, 2));
  g_assert_true (take_piece (collector, "..", 2));
  g_assert_true (take_file (collector, "a", FH_WIRE_RESULT_REGULAR, content | in_tmp, 3));
  g_assert_true (take_piece (collector, "abc", 3));
  g_assert_true (take_file (collector, "gone", FH_WIRE_RESULT_GONE, in_tmp, 0));
  g_assert_true (take_file (collector, "short", FH_WIRE_RESULT_REGULAR, content | in_tmp, 3));
  g_assert_true (take_piece (collector, "ab", 2));
  g_assert_false (take_file (collector, "a", FH_WIRE_RESULT_LINK, content | in_tmp, 3));
  g_assert_true (take_end (collector, 0, FALSE));
  fh_result_collector_finish (collector, files);
  assert_list (files, "a=1:1 link=0@ ");
  g_assert_cmpuint (fh_result_files_get_facts (files)->gone->len, ==, 0);
  g_assert_cmpuint (fh_result_files_get_facts (files)->handed_on->len, ==, 4);
  assert_handed_on (files, 0, "link", FH_RUN_FILE_LINK, FALSE, "..");
  assert_handed_on (files, 1, "a", FH_RUN_FILE_REGULAR, TRUE, "abc");
  assert_handed_on (files, 2, "gone", FH_RUN_FILE_REMOVED, TRUE, "");
  assert_handed_on (files, 3, "short", FH_RUN_FILE_REMOVED, TRUE, "");
  g_assert_true (fh_result_files_get_facts (files)->is_partly_handed_on);
  g_assert_false (fh_result_files_get_facts (files)->is_incomplete);
}

static void
test_folders (void)
{
  g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);
  g_autoptr (FhResultFiles) files = fh_result_files_new ();

  g_assert_true (take_file (collector, "empty", FH_WIRE_RESULT_FOLDER, 0, 0));
  g_assert_true (take_content (collector, "here", 2));
  g_assert_true (take_piece (collector, "1", 2));
  g_assert_true (take_file (collector, "empty", FH_WIRE_RESULT_GONE, 0, 0));
  g_assert_true (take_end (collector, 0, FALSE));
  fh_result_collector_finish (collector, files);
  assert_list (files, "here=2:1 ");
  g_assert_cmpuint (fh_result_files_get_facts (files)->handed_on->len, ==, 1);
  assert_handed_on (files, 0, "empty", FH_RUN_FILE_FOLDER, FALSE, "");
  g_assert_false (fh_result_files_get_facts (files)->is_partly_handed_on);
}

static void
test_paths_without_end (void)
{
  static const enum fh_result_kind kinds[] = { FH_WIRE_RESULT_GONE, FH_WIRE_RESULT_FOLDER };

  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    {
      g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);

      for (guint i = 0; i < FH_RESULT_FILES_MAX; i++)
        {
          g_autofree char *path = g_strdup_printf ("%u", i);

          g_assert_true (take_file (collector, path, kinds[kind], 0, 0));
        }
      g_assert_false (take_file (collector, "more", kinds[kind], 0, 0));
    }
}

/* A file that ends early, by another one, by the end or by the runner's death, has no content. */
static void
test_cut_off (void)
{
  for (int how = 0; how < 3; how++)
    {
      g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);
      g_autoptr (FhResultFiles) files = fh_result_files_new ();

      g_assert_true (take_content (collector, "cut", 4));
      g_assert_true (take_piece (collector, "abc", 3));
      if (how == 0)
        g_assert_true (take_file (collector, "next", FH_WIRE_RESULT_SPECIAL, 0, 0));
      if (how < 2)
        g_assert_true (take_end (collector, 0, FALSE));
      fh_result_collector_finish (collector, files);
      g_assert_true (fh_result_files_get_facts (files)->is_incomplete);
      assert_list (files, how == 0 ? "cut=4 next=0 " : "cut=4 ");
    }
}

static void
test_pieces_without_announcement (void)
{
  g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);
  g_autofree guint8 *large = g_malloc0 (FH_RESULT_PIECE_MAX + 1);

  g_assert_false (take_piece (collector, "x", 1));
  g_assert_true (take_file (collector, "a", FH_WIRE_RESULT_REGULAR, 0, 4));
  g_assert_false (take_piece (collector, "x", 1));
  g_assert_true (take_content (collector, "b", 4));
  g_assert_false (take_piece (collector, "", 0));
  g_assert_false (take_piece (collector, "12345", 5));
  g_assert_true (take_piece (collector, "1234", 4));
  g_assert_false (take_piece (collector, "5", 1));
  g_assert_true (take_content (collector, "c", FH_RESULT_FILE_MAX));
  g_assert_false (take_piece (collector, large, FH_RESULT_PIECE_MAX + 1));
  g_assert_true (take_end (collector, 0, FALSE));
  g_assert_false (take_end (collector, 0, FALSE));
  g_assert_false (take_file (collector, "d", FH_WIRE_RESULT_REGULAR, 0, 4));
}

static void
test_paths (void)
{
  static const char *const bad[] = {
    "", "/etc/passwd", "..", "a/../../b", "a//b", "./a", "a/", "a/.",
  };
  g_autoptr (FhResultCollector) collector = fh_result_collector_new (FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (take_file (collector, bad[i], FH_WIRE_RESULT_REGULAR, 0, 1));
  g_assert_true (take_file (collector, "...", FH_WIRE_RESULT_REGULAR, 0, 1));
  g_assert_false (take_file (collector, "...", FH_WIRE_RESULT_LINK, 0, 0));
}

static void
test_limits (void)
{
  g_autoptr (FhResultCollector) many = fh_result_collector_new (FALSE);
  g_autoptr (FhResultCollector) large = fh_result_collector_new (FALSE);
  g_autoptr (FhResultCollector) handing = fh_result_collector_new (TRUE);
  const guint n_large = FH_RESULT_CONTENT_MAX / FH_RESULT_FILE_MAX;

  for (guint i = 0; i <= FH_RESULT_FILES_MAX; i++)
    {
      g_autofree char *path = g_strdup_printf ("%u", i);

      g_assert_cmpint (take_file (many, path, FH_WIRE_RESULT_REGULAR, 0, 1),
                       ==,
                       i < FH_RESULT_FILES_MAX);
    }
  for (guint i = 0; i < n_large; i++)
    {
      g_autofree char *path = g_strdup_printf ("%u", i);

      g_assert_true (take_content (large, path, FH_RESULT_FILE_MAX));
    }
  g_assert_false (take_content (large, "one more", 1));
  g_assert_false (take_content (large, "larger", FH_RESULT_FILE_MAX + 1));
  g_assert_true (take_content (handing, "larger", FH_HANDED_ON_MAX - 1));
  g_assert_false (take_content (handing, "one more", 2));
  g_assert_true (take_content (handing, "last", 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result-collector/list", test_list);
  g_test_add_func ("/result-collector/nothing-came", test_nothing_came);
  g_test_add_func ("/result-collector/gone", test_gone);
  g_test_add_func ("/result-collector/paths-without-end", test_paths_without_end);
  g_test_add_func ("/result-collector/handed-on", test_handed_on);
  g_test_add_func ("/result-collector/folders", test_folders);
  g_test_add_func ("/result-collector/cut-off", test_cut_off);
  g_test_add_func ("/result-collector/pieces", test_pieces_without_announcement);
  g_test_add_func ("/result-collector/paths", test_paths);
  g_test_add_func ("/result-collector/limits", test_limits);
  return g_test_run ();
}
