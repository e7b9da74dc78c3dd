/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "notebook-file.h"

#include <string.h>

#include "run-error.h"

#define CELLS                                                                                      \
  "# %% [markdown]\n# # Title\n#\n# Text.\n\n# %%\nx = 1\n\nx + 1\n\n# %%\n\n# %%\n!ls\n"

static void
check_read (const char *json, const char *expected, gboolean expected_reduced)
{
  g_autoptr (GError) error = NULL;
  gboolean is_reduced;
  g_autofree char *text = fh_notebook_file_read (json, strlen (json), &is_reduced, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpint (is_reduced, ==, expected_reduced);
}

static void
test_read (void)
{
  check_read ("{\"cells\": [], \"metadata\": {}, \"nbformat\": 4}", "", FALSE);
  /* The source is a list of lines, or one text. */
  check_read ("{\"cells\": ["
              "{\"cell_type\": \"markdown\", \"source\": [\"# Title\\n\", \"\\n\", \"Text.\"]},"
              "{\"cell_type\": \"code\", \"source\": \"x = 1\\n\\nx + 1\\n\", \"outputs\": "
              "[{\"output_type\": \"stream\"}]},"
              "{\"cell_type\": \"code\", \"source\": [], \"outputs\": []},"
              "{\"cell_type\": \"code\", \"source\": [\"!ls\"]}],"
              "\"metadata\": {\"language_info\": {\"name\": \"python\"}}}",
              CELLS,
              TRUE);
  check_read ("{\"worksheets\": [{\"cells\": [{\"cell_type\": \"code\", \"input\": \"1\"}]}]}",
              "# %%\n1\n",
              FALSE);
  /* Members that are not as they should be are left out. */
  check_read ("{\"cells\": [1, null, [], {\"cell_type\": 5, \"source\": 7, \"outputs\": {}},"
              "{\"cell_type\": \"code\", \"source\": [\"a\", 1, \"b\"]}], \"metadata\": 3}",
              "# %% [markdown]\n\n# %%\nab\n",
              TRUE);
  check_read (
      "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"1\", \"metadata\": {\"tags\": []}}]}",
      "# %%\n1\n",
      TRUE);
}

static void
check_refused (const char *json, const char *part)
{
  g_autoptr (GError) error = NULL;
  gboolean is_reduced;

  g_assert_null (fh_notebook_file_read (json, strlen (json), &is_reduced, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refused (void)
{
  check_refused ("", "not a notebook");
  check_refused ("print (1)", "not a notebook");
  check_refused ("[]", "not a notebook");
  check_refused ("{}", "no cells");
  check_refused ("{\"cells\": {}}", "no cells");
  check_refused ("{\"cells\": [], \"metadata\": {\"kernelspec\": {\"language\": \"R\"}}}", "of R.");
}

/* A notebook that we have written is read as the text that it was made of. */
static void
test_write (void)
{
  g_autofree char *json = fh_notebook_file_write (CELLS);
  g_autofree char *plain = fh_notebook_file_write ("print (1)\n");

  check_read (json, CELLS, FALSE);
  check_read (plain, "# %%\nprint (1)\n", FALSE);
  g_assert_nonnull (strstr (json, "\"nbformat\" : 4"));
  g_assert_nonnull (strstr (json, "\"# Title\\n\""));
  g_assert_nonnull (strstr (json, "\"x = 1\\n\""));
}

static void
test_names (void)
{
  g_assert_true (fh_notebook_file_is_name ("/a/b.ipynb"));
  g_assert_false (fh_notebook_file_is_name ("b.ipynb.py"));
  g_assert_false (fh_notebook_file_is_name (NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/notebook-file/read", test_read);
  g_test_add_func ("/notebook-file/refused", test_refused);
  g_test_add_func ("/notebook-file/write", test_write);
  g_test_add_func ("/notebook-file/names", test_names);
  return g_test_run ();
}
