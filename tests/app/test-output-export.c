/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "output/output-export.h"

#include "fh-test.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

static FhOutputLog *
sample (void)
{
  FhOutputLog *log = fh_output_log_new ();

  fh_output_log_append (log, FH_STREAM_STDOUT, 1, "\033[31mred\033[0m\n", 13);
  fh_output_log_append (log, FH_STREAM_STDERR, 2, "\r 10%\r100%\n", 11);
  fh_output_log_append (log, FH_STREAM_STDOUT, 3, "a\tb\xff\r\n", 6);
  return log;
}

static void
test_bytes (void)
{
  g_autoptr (FhOutputLog) log = sample ();
  g_autoptr (GBytes) both = fh_output_export_bytes (log, BOTH);
  g_autoptr (GBytes) errors = fh_output_export_bytes (log, FH_STREAM_STDERR);
  const char expected[] = "\033[31mred\033[0m\n\r 10%\r100%\na\tb\xff\r\n";

  g_assert_cmpmem (g_bytes_get_data (both, NULL),
                   g_bytes_get_size (both),
                   expected,
                   strlen (expected));
  g_assert_cmpmem (g_bytes_get_data (errors, NULL),
                   g_bytes_get_size (errors),
                   "\r 10%\r100%\n",
                   11);
}

static void
test_text (void)
{
  g_autoptr (FhOutputLog) log = sample ();
  g_autofree char *text = fh_output_export_text (log, BOTH);

  g_assert_cmpstr (text, ==, "red\n100%\na\tb\uFFFD\n");
}

static void
test_left_out (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  gsize size = FH_OUTPUT_LOG_HEAD + FH_OUTPUT_LOG_TAIL + 12345;
  g_autofree char *block = g_malloc (size);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  memset (block, 'x', size);
  fh_output_log_append (log, FH_STREAM_STDOUT, 1, block, size);
  bytes = fh_output_export_bytes (log, BOTH);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_nonnull (strstr (text, "x\n[… 12345 bytes left out …]\nx"));
}

static gboolean
save (FhOutputLog *log, const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result =
      FH_AWAIT (fh_output_export_save_async (file, log, FH_STREAM_STDERR, NULL, FH_RESULT));
  return fh_output_export_save_finish (file, result, error);
}

static void
test_save (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fumehood-export-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "stderr.txt", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "missing", "stderr.txt", NULL);
  g_autofree char *text = NULL;
  g_autofree char *nothing = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOutputLog) log = sample ();
  g_autoptr (FhOutputLog) empty = fh_output_log_new ();

  g_assert_true (save (log, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "\r 10%\r100%\n");
  g_assert_true (save (empty, path, NULL));
  g_assert_true (g_file_get_contents (path, &nothing, NULL, NULL));
  g_assert_cmpstr (nothing, ==, "");
  g_assert_false (save (log, nowhere, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

FH_TESTS ({ "/export/bytes", test_bytes },
          { "/export/text", test_text },
          { "/export/left-out", test_left_out },
          { "/export/save", test_save });
