/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-files.h"

#include <string.h>

static GPtrArray *
new_files (const char *const *paths, gsize size)
{
  GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  g_autoptr (GBytes) content = g_bytes_new_take (g_malloc0 (size), size);

  for (guint i = 0; paths[i] != NULL; i++)
    g_ptr_array_add (files, fh_run_file_new (paths[i], content));
  return files;
}

static void
assert_check (const char *const *paths, gsize size, const char *refusal)
{
  g_autoptr (GPtrArray) files = new_files (paths, size);
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_run_files_check (files, "program.py", FH_RUN_FILES_MAX_BYTES, &error) ==
                 (refusal == NULL));
  if (refusal == NULL)
    g_assert_no_error (error);
  else
    {
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, refusal));
    }
}

#define ASSERT_CHECK(refusal, size, ...)                                                           \
  assert_check ((const char *const[]){ __VA_ARGS__, NULL }, size, refusal)

static void
test_paths (void)
{
  g_autofree char *longest = g_strnfill (255, 'x');
  g_autofree char *longer = g_strnfill (256, 'x');
  g_autofree char *path = g_strjoin ("/", longest, longest, longest, "rest", NULL);
  g_autofree char *long_path = g_strjoin ("/", path, longest, NULL);

  g_assert_true (fh_run_files_check (NULL, "program.py", FH_RUN_FILES_MAX_BYTES, NULL));
  ASSERT_CHECK (NULL, 1, "a.txt", ".hidden", "data/a.txt", "data/deep/b", "-", "…", path);
  ASSERT_CHECK (NULL, 1, "x.program.py", "data/program.py");
  ASSERT_CHECK ("/etc/passwd", 1, "a", "/etc/passwd");
  for (guint i = 0; i < 8; i++)
    {
      static const char *const bad[] = { "", ".", "..", "../a", "a/../b", "a//b", "a/", "./a" };

      ASSERT_CHECK ("no path", 1, bad[i]);
    }
  ASSERT_CHECK ("no path", 1, longer);
  ASSERT_CHECK ("no path", 1, long_path);
  ASSERT_CHECK ("twice", 1, "program.py");
  ASSERT_CHECK ("twice", 1, "a", "b", "a");
  ASSERT_CHECK ("a file", 1, "a/b/c", "a/b");
  ASSERT_CHECK ("a file", 1, "program.py/a");
}

/* One path can be in the workspace and in /tmp, where no program is. A link is no folder. */
static void
test_both_folders (void)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  g_autoptr (GBytes) content = g_bytes_new_static ("a", 1);
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;
  FhRunFile *file = NULL;

  for (guint i = 0; i < 2; i++)
    {
      file = fh_run_file_new ("a", content);
      file->is_in_tmp = i == 1;
      g_ptr_array_add (files, file);
    }
  g_assert_true (fh_run_files_check (files, "program.py", FH_RUN_FILES_MAX_BYTES, NULL));
  g_free (file->path);
  file->path = g_strdup ("program.py");
  g_assert_true (fh_run_files_check (files, "program.py", FH_RUN_FILES_MAX_BYTES, NULL));
  g_ptr_array_add (files, fh_run_file_new ("link/a", content));
  file = fh_run_file_new ("link", content);
  file->kind = FH_RUN_FILE_LINK;
  g_ptr_array_add (files, file);
  g_assert_false (fh_run_files_check (files, "program.py", FH_RUN_FILES_MAX_BYTES, NULL));
  file->is_in_tmp = TRUE;
  g_assert_true (fh_run_files_check (files, "program.py", FH_RUN_FILES_MAX_BYTES, NULL));
  node = fh_run_files_to_json (files);
  text = json_to_string (node, FALSE);
  g_assert_cmpstr (text, ==, "{\"a\":\"a\",\"link/a\":\"a\"}");
}

static void
test_depth (void)
{
  g_autofree char *slashes = g_strnfill (FH_RUN_FILE_MAX_DEPTH - 1, '/');
  g_auto (GStrv) parts = g_strsplit (slashes, "/", -1);
  g_autofree char *deepest = NULL;
  g_autofree char *deeper = NULL;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_free (parts[i]);
      parts[i] = g_strdup ("a");
    }
  deepest = g_strjoinv ("/", parts);
  deeper = g_strconcat (deepest, "/a", NULL);
  ASSERT_CHECK (NULL, 1, deepest);
  ASSERT_CHECK ("no path", 1, deeper);
}

static void
test_limits (void)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  ASSERT_CHECK (NULL, FH_RUN_FILES_MAX_BYTES / 2, "a", "b");
  ASSERT_CHECK ("too large", FH_RUN_FILES_MAX_BYTES / 2 + 1, "a", "b");
  for (guint i = 0; i < FH_RUN_FILES_MAX; i++)
    g_ptr_array_add (paths, g_strdup_printf ("%u", i));
  g_ptr_array_add (paths, NULL);
  assert_check ((const char *const *) paths->pdata, 1, NULL);
  g_ptr_array_index (paths, paths->len - 1) = g_strdup ("one more");
  g_ptr_array_add (paths, NULL);
  assert_check ((const char *const *) paths->pdata, 1, "too many");
}

/* What another block has left may be larger than what is kept of it. */
static void
test_large_files (void)
{
  static const char *const paths[] = { "large", "small", NULL };
  g_autoptr (GPtrArray) files = new_files (paths, 1);
  g_autoptr (JsonNode) node = NULL;
  FhRunFile *large = files->pdata[0];

  g_bytes_unref (large->content);
  large->content = g_bytes_new_take (g_malloc0 (FH_RUN_FILES_MAX_BYTES), FH_RUN_FILES_MAX_BYTES);
  g_assert_false (fh_run_files_check (files, NULL, FH_RUN_FILES_MAX_BYTES, NULL));
  g_assert_true (fh_run_files_check (files, NULL, FH_RUN_FILES_MAX_HANDED_ON, NULL));
  g_ptr_array_insert (files, 0, g_ptr_array_steal_index (files, 1));
  node = fh_run_files_to_json (files);
  g_assert_cmpuint (json_object_get_size (json_node_get_object (node)), ==, 1);
  g_assert_true (json_object_has_member (json_node_get_object (node), "small"));
}

static gboolean
parse (const char *text, GPtrArray **files, GError **error)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);

  return fh_run_files_from_json (node, files, error);
}

static void
test_json (void)
{
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;
  const char *const expected = "{\"b\":\"text\",\"a/b\":{\"base64\":\"/wA=\"},\"empty\":\"\"}";

  g_assert_true (parse (expected, &files, NULL));
  g_assert_cmpuint (files->len, ==, 3);
  node = fh_run_files_to_json (files);
  text = json_to_string (node, FALSE);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_bad_json (void)
{
  static const char *const bad[] = {
    "[]", "\"a\"", "{\"a\": 5}", "{\"a\": null}", "{\"a\": {\"base64\": \"?\"}}", "{\"a\": {}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GPtrArray) files = NULL;
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", bad[i]);
      g_assert_false (parse (bad[i], &files, &error));
      g_assert_nonnull (error);
      g_assert_null (files);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-files/paths", test_paths);
  g_test_add_func ("/run-files/both-folders", test_both_folders);
  g_test_add_func ("/run-files/depth", test_depth);
  g_test_add_func ("/run-files/limits", test_limits);
  g_test_add_func ("/run-files/large-files", test_large_files);
  g_test_add_func ("/run-files/json", test_json);
  g_test_add_func ("/run-files/bad-json", test_bad_json);
  return g_test_run ();
}
