/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/document.h"

#include <glib/gstdio.h>
#include <utime.h>

#include "answer.h"
#include "cell-splitter.h"
#include "fake-backend.h"
#include "run-error.h"
#include "widget-test.h"

#define ANSWER "See:\n\n```python\nx = 1\n```\n\n```sh\nls\n```\n"

typedef struct
{
  FhDocument *document;
  char *folder;
  GFile *file;
  guint n_edited;
  guint n_titles;
  guint n_saved;
} Fixture;

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = fake_folder_new ();
  fixture->file = g_file_new_build_filename (fixture->folder, "work.py", NULL);
  fixture->document = g_object_new (FH_TYPE_DOCUMENT, NULL);
  g_signal_connect_swapped (fixture->document, "edited", G_CALLBACK (count_cb), &fixture->n_edited);
  g_signal_connect_swapped (fixture->document, "saved", G_CALLBACK (count_cb), &fixture->n_saved);
  g_signal_connect_swapped (fixture->document,
                            "notify::title",
                            G_CALLBACK (count_cb),
                            &fixture->n_titles);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->document);
  g_object_unref (fixture->file);
  fake_folder_free (fixture->folder);
}

static void
type (Fixture *fixture, const char *text)
{
  gtk_text_buffer_insert_at_cursor (GTK_TEXT_BUFFER (fixture->document), text, -1);
}

static gboolean
load (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  result = FH_AWAIT (fh_document_load_async (fixture->document, fixture->file, NULL, FH_RESULT));
  return fh_document_load_finish (fixture->document, result, error);
}

/* Whoever is told of a change already gets the new text. */
static void
see_text_cb (FhDocument *document, char **seen)
{
  g_free (*seen);
  *seen = g_strdup (fh_document_get_text (document));
}

/* The parts are computed once for a text, and again for the next one. */
static void
test_parts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *seen = NULL;
  g_autoptr (GBytes) source = NULL;
  GPtrArray *blocks;

  fh_document_set_text (fixture->document, ANSWER, NULL);
  g_signal_connect (fixture->document, "changed", G_CALLBACK (see_text_cb), &seen);
  source = g_bytes_ref (fh_document_get_source (fixture->document));
  g_assert_true (fh_document_get_source (fixture->document) == source);
  g_assert_true (fh_document_get_text (fixture->document) == g_bytes_get_data (source, NULL));
  blocks = fh_document_get_blocks (fixture->document);
  g_assert_cmpuint (blocks->len, ==, 2);
  g_assert_true (fh_document_get_blocks (fixture->document) == blocks);
  g_assert_cmpuint (fh_document_get_cells (fixture->document)->len, ==, 1);

  type (fixture, "# %%\n");
  g_assert_cmpstr (seen, ==, "# %%\n" ANSWER);
  g_assert_cmpstr (g_bytes_get_data (source, NULL), ==, ANSWER);
  g_assert_cmpuint (fh_document_get_size (fixture->document), ==, strlen ("# %%\n" ANSWER));
  fh_document_set_text (fixture->document, "a\n# %%\nb\n", NULL);
  g_assert_null (fh_document_get_blocks (fixture->document));
  g_assert_cmpuint (fh_document_get_cells (fixture->document)->len, ==, 2);
}

/* An answer whose file says that it is a program is one. */
static void
test_file_decides (Fixture *fixture, gconstpointer data)
{
  fh_document_set_text (fixture->document, ANSWER, NULL);
  g_assert_nonnull (fh_document_get_blocks (fixture->document));
  fh_document_set_file (fixture->document, fixture->file);
  g_assert_null (fh_document_get_blocks (fixture->document));
  g_assert_cmpstr (fh_document_get_title (fixture->document), ==, "work.py");
}

static void
test_edited (Fixture *fixture, gconstpointer data)
{
  fh_document_set_example (fixture->document, "x = 1\n", NULL);
  g_assert_true (fh_document_is_example (fixture->document));
  g_assert_cmpuint (fixture->n_edited, ==, 0);
  type (fixture, "y");
  g_assert_cmpuint (fixture->n_edited, ==, 1);
  g_assert_false (fh_document_is_example (fixture->document));
  fh_document_set_text (fixture->document, "x = 1\n", NULL);
  g_assert_false (fh_document_is_example (fixture->document));
  g_assert_cmpuint (fixture->n_edited, ==, 1);
}

/* A given title is not kept for what is written from scratch. */
static void
test_title (Fixture *fixture, gconstpointer data)
{
  GtkTextIter start, end;

  g_assert_cmpstr (fh_document_get_title (fixture->document), ==, "New Snippet");
  fh_document_set_text (fixture->document, "print(1)\n", NULL);
  g_assert_cmpstr (fh_document_get_title (fixture->document), ==, "print(1)");
  g_assert_null (fh_document_get_run_title (fixture->document));
  fh_document_set_text (fixture->document, "print(2)\n", "Given");
  g_assert_cmpstr (fh_document_get_run_title (fixture->document), ==, "Given");
  g_assert_cmpuint (fixture->n_titles, ==, 2);
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (fixture->document), &start, &end);
  gtk_text_buffer_delete (GTK_TEXT_BUFFER (fixture->document), &start, &end);
  type (fixture, "print(3)\n");
  fh_document_update_title (fixture->document);
  g_assert_cmpstr (fh_document_get_title (fixture->document), ==, "print(3)");
}

static void
test_load (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (load (fixture, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_null (fh_document_get_file (fixture->document));
  g_clear_error (&error);

  g_file_replace_contents (fixture->file, "x = 1\n", 6, NULL, FALSE, 0, NULL, NULL, NULL);
  g_assert_true (load (fixture, &error));
  g_assert_false (fh_document_is_repaired (fixture->document));
  g_assert_cmpstr (fh_document_get_text (fixture->document), ==, "x = 1\n");
  g_assert_cmpstr (fh_document_get_title (fixture->document), ==, "work.py");
  g_assert_false (fh_document_is_unsaved (fixture->document));
  g_assert_cmpuint (fixture->n_edited, ==, 0);
}

/* What is typed while the file is written is not saved yet. */
static void
test_save (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) first = NULL;
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  fh_document_set_example (fixture->document, "x = 1\n", NULL);
  first = FH_AWAIT (fh_document_save_async (fixture->document, fixture->file, NULL, FH_RESULT),
                    type (fixture, "y"));
  g_assert_true (fh_document_save_finish (fixture->document, first, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_load_contents (fixture->file, NULL, &text, NULL, NULL, NULL));
  g_assert_cmpstr (text, ==, "x = 1\n");
  g_assert_true (fh_document_is_unsaved (fixture->document));

  second = FH_AWAIT (fh_document_save_async (fixture->document, NULL, NULL, FH_RESULT));
  g_assert_true (fh_document_save_finish (fixture->document, second, NULL));
  g_assert_false (fh_document_is_unsaved (fixture->document));
  g_assert_cmpuint (fixture->n_saved, ==, 2);
}

static gboolean
save_again (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result =
      FH_AWAIT (fh_document_save_async (fixture->document, NULL, NULL, FH_RESULT));

  return fh_document_save_finish (fixture->document, result, error);
}

/* The bytes that are not text are not replaced by what is shown in their place unless the user
 * wants that. */
static void
test_repaired (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (fixture->file);
  g_autofree char *kept = NULL;
  g_autofree char *replaced = NULL;

  g_assert_true (g_file_set_contents (path, "x\xff", -1, NULL));
  g_assert_true (load (fixture, NULL));
  g_assert_true (fh_document_is_repaired (fixture->document));
  g_assert_false (fh_document_is_unsaved (fixture->document));
  type (fixture, "y");
  g_assert_false (save_again (fixture, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "x\xff");
  fh_document_set_repaired (fixture->document, FALSE);
  g_assert_true (save_again (fixture, NULL));
  g_assert_true (g_file_get_contents (path, &replaced, NULL, NULL));
  g_assert_cmpstr (replaced, ==, "yx\357\277\275");
}

/* The document does not replace what another program wrote into its file unless the user wants
 * that. */
static void
test_changed_outside (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (fixture->file);
  g_autofree char *kept = NULL;

  g_assert_true (g_file_set_contents (path, "x = 1\n", -1, NULL));
  g_assert_true (load (fixture, NULL));
  fh_document_set_text (fixture->document, "x = 2\n", NULL);
  g_assert_true (save_again (fixture, NULL));
  g_assert_true (g_file_set_contents (path, "x = 3\n", -1, NULL));
  /* Two writes within some milliseconds have the same time. */
  g_assert_cmpint (g_utime (path, &(struct utimbuf){ 1, 1 }), ==, 0);
  g_assert_false (save_again (fixture, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG);
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "x = 3\n");
  fh_document_set_version (fixture->document, NULL);
  g_assert_true (save_again (fixture, NULL));
}

/* A file of a person is not replaced by a paste, as an example is. */
static void
test_saved_example (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;

  fh_document_set_example (fixture->document, "x = 1\n", NULL);
  result = FH_AWAIT (fh_document_save_async (fixture->document, fixture->file, NULL, FH_RESULT));
  g_assert_false (fh_document_is_example (fixture->document));
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/app/document/parts", test_parts },
                      { "/app/document/file-decides", test_file_decides },
                      { "/app/document/edited", test_edited },
                      { "/app/document/title", test_title },
                      { "/app/document/load", test_load },
                      { "/app/document/save", test_save },
                      { "/app/document/repaired", test_repaired },
                      { "/app/document/changed-outside", test_changed_outside },
                      { "/app/document/saved-example", test_saved_example });
