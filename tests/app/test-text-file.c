/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/text-file.h"

#include <glib/gstdio.h>
#include <utime.h>

#include "fake-backend.h"
#include "fh-test.h"
#include "run-error.h"
#include "run-request.h"

typedef struct
{
  char *folder;
  GFile *file;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = fake_folder_new ();
  fixture->path = g_build_filename (fixture->folder, "some.py", NULL);
  fixture->file = g_file_new_for_path (fixture->path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->file);
  g_free (fixture->path);
  fake_folder_free (fixture->folder);
}

static char *
load (GFile *file, gboolean *repaired, GError **error)
{
  g_autoptr (GAsyncResult) result = FH_AWAIT (fh_text_file_load_async (file, NULL, FH_RESULT));
  return fh_text_file_load_finish (result, repaired, error);
}

static gboolean
save_over (GFile *file, const char *text, const char *version, GError **error)
{
  g_autoptr (GAsyncResult) result =
      FH_AWAIT (fh_text_file_save_async (file, text, version, NULL, FH_RESULT));
  return fh_text_file_save_finish (result, error);
}

static gboolean
save (GFile *file, const char *text, GError **error)
{
  return save_over (file, text, NULL, error);
}

static void
put (Fixture *fixture, const char *data, gssize size)
{
  g_assert_true (g_file_set_contents (fixture->path, data, size, NULL));
}

/* GIO complains of no data. */
static void
test_save_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (save (fixture->file, "", &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "");
}

static void
test_round_trip (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gboolean repaired;

  g_assert_true (save (fixture->file, "print('ü')\n", &error));
  g_assert_no_error (error);
  text = load (fixture->file, &repaired, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "print('ü')\n");
  g_assert_false (repaired);
}

/* A file that another program has changed since keeps its contents unless no version is given. */
static void
test_changed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *version = NULL;
  g_autofree char *text = NULL;

  put (fixture, "one", -1);
  result = FH_AWAIT (fh_text_file_load_async (fixture->file, NULL, FH_RESULT));
  version = fh_text_file_dup_version (result);
  g_assert_nonnull (version);
  g_assert_true (save_over (fixture->file, "two", version, &error));
  g_assert_no_error (error);
  put (fixture, "three", -1);
  /* Two writes within some milliseconds have the same time. */
  g_assert_cmpint (g_utime (fixture->path, &(struct utimbuf){ 1, 1 }), ==, 0);
  g_assert_false (save_over (fixture->file, "four", version, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_WRONG_ETAG);
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "three");
  g_assert_true (save (fixture->file, "four", NULL));
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  gboolean repaired;

  put (fixture, "", 0);
  text = load (fixture->file, &repaired, NULL);
  g_assert_cmpstr (text, ==, "");
  g_assert_false (repaired);
}

static void
test_repaired (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  gboolean repaired;

  put (fixture, "a\0b\377c\303", 6);
  text = load (fixture->file, &repaired, NULL);
  g_assert_cmpstr (text, ==, "a␀b\357\277\275c\357\277\275");
  g_assert_true (repaired);
}

static void
test_too_large (Fixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_strnfill (FH_RUN_REQUEST_MAX_SOURCE + 1, '#');
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  put (fixture, large, FH_RUN_REQUEST_MAX_SOURCE + 1);
  g_assert_null (load (fixture->file, NULL, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "some.py"));
  g_clear_error (&error);
  put (fixture, large, FH_RUN_REQUEST_MAX_SOURCE);
  text = load (fixture->file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (text), ==, FH_RUN_REQUEST_MAX_SOURCE);
}

/* A file that never ends must not be read for ever. */
static void
test_endless (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) zero = g_file_new_for_path ("/dev/zero");
  g_autoptr (GError) error = NULL;

  g_assert_null (load (zero, NULL, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_TOO_LARGE);
}

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->folder);
  g_autoptr (GFile) nowhere = g_file_get_child (fixture->file, "below-a-file");
  g_autoptr (GError) error = NULL;

  g_assert_null (load (fixture->file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "Could not open “some.py”: No such file or directory");
  g_clear_error (&error);
  g_assert_null (load (folder, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);
  g_assert_false (save (nowhere, "x", &error));
  g_assert_cmpstr (error->message, ==, "Could not save “below-a-file”: No such file or directory");
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/app/text-file/round-trip", test_round_trip },
                  { "/app/text-file/changed", test_changed },
                  { "/app/text-file/save-nothing", test_save_nothing },
                  { "/app/text-file/empty", test_empty },
                  { "/app/text-file/repaired", test_repaired },
                  { "/app/text-file/too-large", test_too_large },
                  { "/app/text-file/endless", test_endless },
                  { "/app/text-file/missing", test_missing });
