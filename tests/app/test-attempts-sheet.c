/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempts/attempts-sheet.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "widget-test.h"

/* What a stream of a PDF says when it is inflated; empty for those that are no text. */
static char *
inflate (const char *data, gsize length)
{
  g_autoptr (GZlibDecompressor) inflater = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  const gsize size = 4 << 20;
  char *text = g_malloc0 (size + 1);
  gsize n_read;
  gsize n_written;

  if (g_converter_convert (G_CONVERTER (inflater),
                           data,
                           length,
                           text,
                           size,
                           G_CONVERTER_INPUT_AT_END,
                           &n_read,
                           &n_written,
                           NULL) == G_CONVERTER_ERROR)
    *text = '\0';
  return text;
}

/* The characters that a page shows: they are between parentheses, in pieces, with backslashes. */
static void
add_shown (GString *shown, const char *page)
{
  gboolean inside = FALSE;

  for (const char *at = page; *at != '\0'; at++)
    {
      if (inside && *at == '\\' && at[1] != '\0')
        g_string_append_c (shown, *++at);
      else if (*at == (inside ? ')' : '('))
        inside = !inside;
      else if (inside)
        g_string_append_c (shown, *at);
    }
}

/* All that a PDF shows in Latin letters, without blanks: words are placed, not separated. */
static char *
read_pdf (const char *path, guint *n_pages)
{
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;
  GString *shown = g_string_new (NULL);
  gsize length;

  g_file_get_contents (path, &data, &length, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (data, "%PDF-"));
  *n_pages = 0;
  for (const char *at = data;
       (at = memmem (at, length - (gsize) (at - data), "stream\n", 7)) != NULL;)
    {
      g_autofree char *text = NULL;

      at += 7;
      text = inflate (at, length - (gsize) (at - data));
      if (strstr (text, "BT") == NULL)
        continue;
      *n_pages += 1;
      add_shown (shown, text);
    }
  for (char *from = shown->str, *to = shown->str;; from++)
    {
      if (*from != ' ')
        *to++ = *from;
      if (*from == '\0')
        break;
    }
  return g_string_free (shown, FALSE);
}

static char *
export_sheet (const char *sentence, FhAttemptLog *log, guint *n_pages)
{
  g_autoptr (GtkPrintOperation) operation = fh_attempts_sheet_new ("curious.py", sentence, log);
  g_autofree char *folder = g_dir_make_tmp ("fumehood-sheet-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "sheet.pdf", NULL);
  g_autoptr (GError) error = NULL;
  char *shown;

  gtk_print_operation_set_allow_async (operation, FALSE);
  gtk_print_operation_set_export_filename (operation, path);
  g_assert_cmpint (
      gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, NULL, &error),
      ==,
      GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_no_error (error);
  shown = read_pdf (path, n_pages);
  g_unlink (path);
  g_rmdir (folder);
  return shown;
}

static void
add (FhAttemptLog *log, FhVerdict verdict, const char *operation, const char *object)
{
  const FhAttemptFacts facts = {
    .guard = FH_GUARD_NETWORK,
    .verdict = verdict,
    .error = ENETUNREACH,
    .time_us = 31000,
    .process = 3,
    .count = 2,
    .layer = "seccomp",
    .operation = operation,
    .object = object,
    .command = "python3",
  };
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&facts);

  g_assert_true (fh_attempt_log_add (log, attempt));
}

#define assert_shows(shown, text) g_assert_nonnull (strstr ((shown), (text)))

static void
test_text (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  g_autofree char *shown = NULL;
  guint n_pages;

  add (log, FH_VERDICT_DENIED, "connect", "1.1.1.1:443");
  add (log, FH_VERDICT_DENIED, "connect", "<b>&%s");
  fh_attempt_log_set_n_dropped (log, 5);
  shown = export_sheet ("Finished normally.", log, &n_pages);
  g_assert_cmpuint (n_pages, ==, 1);
  assert_shows (shown, "curious.py");
  assert_shows (shown, "Finishednormally.");
  assert_shows (shown, "1.1.1.1:443");
  assert_shows (shown, "Network,Denied");
  assert_shows (shown, "<b>&%s");
  assert_shows (shown, "ENETUNREACH");
  assert_shows (shown, "process");
  assert_shows (shown, "5moreattemptsarenotlisted.");
}

/* Each is on some page, whole. */
static void
test_pages (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  g_autofree char *shown = NULL;
  guint n_pages;

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *object = g_strdup_printf ("1.1.1.1:%u", 1000 + i);

      add (log, FH_VERDICT_DENIED, "connect", object);
    }
  shown = export_sheet (NULL, log, &n_pages);
  g_assert_cmpuint (n_pages, >, 3);
  g_assert_cmpuint (n_pages, <, 40);
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *object = g_strdup_printf ("1.1.1.1:%u", 1000 + i);

      assert_shows (shown, object);
    }
}

/* A name may be as long as the program likes: it ends where the page does. */
static void
test_long (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  g_autofree char *name = g_strnfill (20000, 'w');
  g_autofree char *shown = NULL;
  guint n_pages;

  add (log, FH_VERDICT_DENIED, "connect", name);
  add (log, FH_VERDICT_DENIED, "connect", "1.1.1.1:443");
  shown = export_sheet (NULL, log, &n_pages);
  g_assert_cmpuint (n_pages, <=, 3);
  assert_shows (shown, "1.1.1.1:443");
}

int
main (int argc, char **argv)
{
  if (!widget_test_init (&argc, &argv))
    return 77;
  g_test_add_func ("/attempts-sheet/text", test_text);
  g_test_add_func ("/attempts-sheet/pages", test_pages);
  g_test_add_func ("/attempts-sheet/long", test_long);
  return g_test_run ();
}
