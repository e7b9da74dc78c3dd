/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that a program left keeps the name it has, is shown by one that can be read, and never
 * leads out of where it is saved. */
#include "result-file.h"

#include <string.h>

static void
test_paths (void)
{
  const char *const safe[] = { "a", "a/b", ".a", "..a", "a..", "...", "a b", "\xff", "-rf", "%s" };
  const char *const unsafe[] = { "",     "/",      "/a",    ".",    "..", "../a",
                                 "a/..", "a/../b", "a/./b", "a//b", "a/" };

  for (gsize i = 0; i < G_N_ELEMENTS (safe); i++)
    {
      g_autoptr (FhResultFile) file = fh_result_file_new (&(FhResultFileFacts){ .path = safe[i] });

      g_assert_nonnull (file);
      g_assert_cmpstr (fh_result_file_get_facts (file)->path, ==, safe[i]);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (unsafe); i++)
    {
      g_test_message ("%s", unsafe[i]);
      g_assert_false (fh_result_path_is_safe (unsafe[i]));
      g_assert_null (fh_result_file_new (&(FhResultFileFacts){ .path = unsafe[i] }));
    }
}

static void
test_name (void)
{
  g_autoptr (FhResultFile) file =
      fh_result_file_new (&(FhResultFileFacts){ .path = "a\n\x1b[2J\xff/\xe2\x80\xaetxt" });
  const char *name = fh_result_file_get_facts (file)->name;

  g_assert_true (g_utf8_validate (name, -1, NULL));
  g_assert_null (strpbrk (name, "\n\x1b"));
  g_assert_null (strstr (name, "\xe2\x80\xae"));
}

static void
test_list (void)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (GBytes) content = g_bytes_new_static ("x", 1);
  g_autoptr (FhResultFile) file =
      fh_result_file_new (&(FhResultFileFacts){ .path = "a", .size = 1, .content = content });

  fh_result_files_add (files, file);
  fh_result_files_set_left_out (files, 7, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 1);
  g_assert_true (fh_result_files_get (files, 0) == file);
  g_assert_null (fh_result_files_get (files, 1));
  g_assert_true (fh_result_file_get_facts (file)->content == content);
  g_assert_cmpuint (fh_result_files_get_facts (files)->n_left_out, ==, 7);
  g_assert_true (fh_result_files_get_facts (files)->is_incomplete);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result-file/paths", test_paths);
  g_test_add_func ("/result-file/name", test_name);
  g_test_add_func ("/result-file/list", test_list);
  return g_test_run ();
}
