/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drafts.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stored-run.h"

typedef struct
{
  char *folder;
  FhDrafts *drafts;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *parent = fh_test_folder_new ();

  fixture->folder = g_build_filename (parent, "drafts", NULL);
  fixture->drafts = fh_drafts_new (fixture->folder);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fh_drafts_flush (fixture->drafts);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->drafts);
  fh_test_folder_remove (g_path_get_dirname (fixture->folder));
  g_free (fixture->folder);
}

static FhDraft *
new_draft (guint position, const char *text)
{
  FhDraft *draft = fh_draft_new ();

  draft->position = position;
  g_free (draft->text);
  draft->text = g_strdup (text);
  return draft;
}

static char *
path_of (Fixture *fixture, const FhDraft *draft)
{
  g_autofree char *name = g_strconcat (draft->id, ".json", NULL);

  return g_build_filename (fixture->folder, name, NULL);
}

static void
save (Fixture *fixture, const FhDraft *draft)
{
  g_autoptr (GAsyncResult) result =
      FH_AWAIT (fh_drafts_save_async (fixture->drafts, draft, NULL, FH_RESULT));
  GError *error = NULL;

  g_assert_true (fh_drafts_save_finish (fixture->drafts, result, &error));
  g_assert_no_error (error);
}

static GPtrArray *
load (Fixture *fixture, char **notice)
{
  g_autoptr (GAsyncResult) result =
      FH_AWAIT (fh_drafts_load_async (fixture->drafts, NULL, FH_RESULT));
  GError *error = NULL;
  GPtrArray *drafts = fh_drafts_load_finish (fixture->drafts, result, notice, &error);

  g_assert_no_error (error);
  return drafts;
}

/* The texts in order, such as "one two". */
static void
assert_loaded (Fixture *fixture, const char *expected)
{
  g_autoptr (GPtrArray) drafts = load (fixture, NULL);
  g_autoptr (GString) texts = g_string_new (NULL);

  for (guint i = 0; i < drafts->len; i++)
    {
      const FhDraft *draft = g_ptr_array_index (drafts, i);

      g_string_append_printf (texts, "%s%s", i ? " " : "", draft->text);
    }
  g_assert_cmpstr (texts->str, ==, expected);
}

static void
test_nothing_yet (Fixture *fixture, gconstpointer data)
{
  assert_loaded (fixture, "");
}

static void
test_what_is_saved_comes_back (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) content = g_bytes_new_static ("\xff\n", 2);
  const FhRunFile *file;
  g_autoptr (FhDraft) draft = new_draft (7, "print ('Grüße')\n\t\"\\\x01\x7f");
  g_autofree char *path = path_of (fixture, draft);
  g_autoptr (GPtrArray) drafts = NULL;
  const FhDraft *loaded;
  struct stat info;

  draft->title = g_strdup ("A title");
  draft->path = g_strdup ("/home/me/caf\xe9.py");
  draft->modified = draft->session = draft->repaired = TRUE;
  draft->file_version = g_strdup ("12:34");
  draft->language = fh_language_lookup ("bash");
  draft->options->interpreter = g_strdup ("/usr/bin/bash");
  g_free (draft->arguments);
  draft->arguments = g_strdup ("--name 'a b'");
  g_free (draft->standard_input);
  draft->standard_input = g_strdup ("in\n");
  draft->options->limits.wall_ms = 1234;
  draft->options->limits.memory_bytes = 0;
  draft->options->no_history = TRUE;
  draft->options->guards.imports = (const char *const *) g_strsplit ("math re", " ", -1);
  draft->typed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (draft->typed, g_strdup ("limits.cpu_ms"), g_strdup ("5 pota\xffo"));
  draft->choices = g_hash_table_ref (draft->typed);
  draft->files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  g_ptr_array_add (draft->files, fh_run_file_new ("data/a", content));
  draft->cursor = 5;
  draft->run = 12;
  save (fixture, draft);
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_cmpint (stat (fixture->folder, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);

  drafts = load (fixture, NULL);
  g_assert_cmpuint (drafts->len, ==, 1);
  loaded = g_ptr_array_index (drafts, 0);
  g_assert_cmpstr (loaded->id, ==, draft->id);
  g_assert_true (loaded->position == 7 && loaded->cursor == 5 && loaded->run == 12);
  g_assert_cmpstr (loaded->title, ==, "A title");
  g_assert_cmpstr (loaded->path, ==, draft->path);
  g_assert_cmpstr (loaded->file_version, ==, "12:34");
  g_assert_true (loaded->repaired);
  g_assert_true (loaded->modified && loaded->session && loaded->language == draft->language);
  g_assert_cmpstr (loaded->text, ==, draft->text);
  g_assert_cmpstr (loaded->options->interpreter, ==, "/usr/bin/bash");
  g_assert_cmpstr (loaded->arguments, ==, "--name 'a b'");
  g_assert_cmpstr (loaded->standard_input, ==, "in\n");
  g_assert_true (fh_run_options_equal (loaded->options, draft->options));
  g_assert_cmpstr (g_hash_table_lookup (loaded->typed, "limits.cpu_ms"), ==, "5 pota\xffo");
  g_assert_cmpstr (g_hash_table_lookup (loaded->choices, "limits.cpu_ms"), ==, "5 pota\xffo");
  file = g_ptr_array_index (loaded->files, 0);
  g_assert_cmpstr (file->path, ==, "data/a");
  g_assert_true (loaded->files->len == 1 && g_bytes_equal (file->content, content));
}

/* Without a container there is none afterwards. An invalid container is still a container. */
static void
test_container (Fixture *fixture, gconstpointer data)
{
  static const char *const volumes[] = { "/srv/a:/a:rw", NULL };
  g_autoptr (FhDraft) here = new_draft (0, "here");
  g_autoptr (FhDraft) contained = new_draft (1, "contained");
  g_autoptr (FhDraft) damaged = new_draft (2, "damaged");
  g_autoptr (GPtrArray) drafts = NULL;
  const FhDraft *loaded;

  contained->options->in_container = TRUE;
  contained->options->container.image = g_strdup ("plain");
  contained->options->container.volumes = (const char *const *) g_strdupv ((GStrv) volumes);
  damaged->options->in_container = TRUE;
  damaged->options->container.image = g_strdup ("--privileged");
  save (fixture, here);
  save (fixture, contained);
  save (fixture, damaged);
  drafts = load (fixture, NULL);
  g_assert_cmpuint (drafts->len, ==, 3);
  loaded = g_ptr_array_index (drafts, 0);
  g_assert_false (loaded->options->in_container);
  loaded = g_ptr_array_index (drafts, 1);
  g_assert_cmpstr (loaded->options->container.image, ==, "plain");
  g_assert_cmpstr (loaded->options->container.volumes[0], ==, "/srv/a:/a:rw");
  loaded = g_ptr_array_index (drafts, 2);
  g_assert_true (loaded->options->in_container);
  g_assert_null (loaded->options->container.image);
}

static void
test_by_position (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[] = { "zero", "one", "two", "three" };
  static const guint order[] = { 2, 0, 3, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      g_autoptr (FhDraft) draft = new_draft (order[i], texts[order[i]]);

      save (fixture, draft);
    }
  assert_loaded (fixture, "zero one two three");
}

static void
test_the_last_save_wins (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = new_draft (0, "");
  GAsyncResult *results[50] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_free (draft->text);
      draft->text = g_strdup_printf ("text%u", i);
      fh_drafts_save_async (fixture->drafts, draft, NULL, fh_test_keep_cb, &results[i]);
    }
  /* A replaced save is finished, too. */
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      GError *error = NULL;

      FH_AWAIT_TRUE (results[i] != NULL);
      g_assert_true (fh_drafts_save_finish (fixture->drafts, results[i], &error));
      g_clear_object (&results[i]);
    }
  assert_loaded (fixture, "text49");
}

static void
test_removal_keeps_its_place (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = new_draft (0, "first");
  g_autoptr (FhDraft) other = new_draft (1, "other");
  g_autoptr (GAsyncResult) removed = NULL;
  GError *error = NULL;

  fh_drafts_save_async (fixture->drafts, other, NULL, NULL, NULL);
  fh_drafts_save_async (fixture->drafts, draft, NULL, NULL, NULL);
  fh_drafts_remove_async (fixture->drafts, draft->id, NULL, NULL, NULL);
  g_free (draft->text);
  draft->text = g_strdup ("again");
  fh_drafts_save_async (fixture->drafts, draft, NULL, NULL, NULL);
  assert_loaded (fixture, "again other");
  fh_drafts_save_async (fixture->drafts, draft, NULL, NULL, NULL);
  removed = FH_AWAIT (fh_drafts_remove_async (fixture->drafts, draft->id, NULL, FH_RESULT));
  g_assert_true (fh_drafts_remove_finish (fixture->drafts, removed, &error));
  assert_loaded (fixture, "other");
}

static void
test_flush (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (FhDraft) draft = new_draft (i, "x");

      fh_drafts_save_async (fixture->drafts, draft, NULL, NULL, NULL);
    }
  fh_drafts_flush (fixture->drafts);
  {
    g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
    guint count = 0;

    while (g_dir_read_name (dir) != NULL)
      count++;
    g_assert_cmpuint (count, ==, 10);
  }
}

static void
test_damaged_files_are_kept (Fixture *fixture, gconstpointer data)
{
  static const char *const damaged[] = { "",
                                         "{}",
                                         "{\"version\": 1}",
                                         "{\"version\": 1, \"text\": 5}",
                                         "{\"version\": \"1\", \"text\": \"x\"}",
                                         "\xff\xfe{\"version\": 1, \"text\": \"x\"}",
                                         "{\"version\": 1, \"text\": \"cut of" };
  g_autoptr (FhDraft) good = new_draft (0, "good");
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *notice = NULL;

  save (fixture, good);
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autoptr (FhDraft) draft = new_draft (0, "");
      char *path = path_of (fixture, draft);

      g_assert_true (g_file_set_contents (path, damaged[i], -1, NULL));
      g_ptr_array_add (paths, path);
    }
  g_ptr_array_unref (load (fixture, &notice));
  g_assert_true (g_str_has_prefix (notice, "The drafts of 7 tabs are damaged"));
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autofree char *aside = g_strconcat (g_ptr_array_index (paths, i), ".damaged", NULL);

      g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
    }
  assert_loaded (fixture, "good");
}

static void
test_other_things_in_the_folder (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) good = new_draft (0, "good");
  g_autoptr (FhDraft) pipe = new_draft (0, "");
  g_autoptr (FhDraft) folder = new_draft (0, "");
  g_autofree char *pipe_path = path_of (fixture, pipe);
  g_autofree char *folder_path = path_of (fixture, folder);
  g_autoptr (FhDraft) newer = new_draft (0, "");
  g_autofree char *newer_path = path_of (fixture, newer);
  g_autofree char *odd = g_build_filename (fixture->folder, "notes.json", NULL);

  save (fixture, good);
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  g_assert_cmpint (g_mkdir (folder_path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (odd, "{\"version\": 1, \"text\": \"not ours\"}", -1, NULL));
  g_assert_true (g_file_set_contents (newer_path, "{\"version\": 2, \"text\": \"\"}", -1, NULL));
  assert_loaded (fixture, "good");
  g_assert_true (g_file_test (newer_path, G_FILE_TEST_EXISTS));
}

static void
test_a_setting_does_not_cost_the_text (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = new_draft (0, "");
  g_autofree char *path = path_of (fixture, draft);
  g_autoptr (GPtrArray) drafts = NULL;
  const FhRunLimits defaults = FH_RUN_LIMITS_DEFAULT;
  const FhDraft *loaded;

  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path,
                                      "{\"version\": 1, \"text\": \"precious\","
                                      " \"language\": \"klingon\", \"position\": -4,"
                                      " \"limits\": {\"wall_ms\": 1, \"processes\": 1e99},"
                                      " \"arguments\": 7, \"cursor\": \"end\", \"path\": []}",
                                      -1,
                                      NULL));
  drafts = load (fixture, NULL);
  g_assert_cmpuint (drafts->len, ==, 1);
  loaded = g_ptr_array_index (drafts, 0);
  g_assert_cmpstr (loaded->text, ==, "precious");
  g_assert_nonnull (loaded->language);
  g_assert_true (fh_run_limits_equal (&loaded->options->limits, &defaults));
  g_assert_cmpstr (loaded->arguments, ==, "");
  g_assert_null (loaded->path);
}

static void
test_an_id_is_no_path (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "../evil", "", "a/b", ".", "not-a-uuid" };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (FhDraft) draft = new_draft (0, "x");
      GAsyncResult *results[2] = { NULL };
      g_autoptr (GError) error = NULL;

      g_free (draft->id);
      draft->id = g_strdup (ids[i]);
      fh_drafts_save_async (fixture->drafts, draft, NULL, fh_test_keep_cb, &results[0]);
      results[1] = FH_AWAIT (fh_drafts_remove_async (fixture->drafts, draft->id, NULL, FH_RESULT));
      g_assert_false (fh_drafts_save_finish (fixture->drafts, results[0], &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
      g_assert_false (fh_drafts_remove_finish (fixture->drafts, results[1], &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
      g_object_unref (results[0]);
      g_object_unref (results[1]);
    }
}

static void
test_folder_that_cannot_be_made (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = new_draft (0, "x");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (fixture->folder, "in the way", -1, NULL));
  result = FH_AWAIT (fh_drafts_save_async (fixture->drafts, draft, NULL, FH_RESULT));
  g_assert_false (fh_drafts_save_finish (fixture->drafts, result, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
}

static void
test_cancelled_save (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = new_draft (0, "x");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  result = FH_AWAIT (fh_drafts_save_async (fixture->drafts, draft, cancellable, FH_RESULT));
  g_assert_false (fh_drafts_save_finish (fixture->drafts, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_loaded (fixture, "");
}

/* Says so in one byte for each draft that is on the disk. */
static void
save_until_killed (const char *folder, FhDraft *draft, int saved)
{
  g_autoptr (FhDrafts) drafts = fh_drafts_new (folder);

  for (guint i = 0;; i++)
    {
      g_free (draft->text);
      draft->text = g_strnfill (200000, (char) ('a' + i % 26));
      fh_drafts_save_async (drafts, draft, NULL, NULL, NULL);
      fh_drafts_flush (drafts);
      if (write (saved, "x", 1) != 1)
        _exit (1);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
}

/* Whether something lies beside the draft, which is what a save that goes on looks like. */
static gboolean
is_being_saved (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  return g_dir_read_name (dir) != NULL && g_dir_read_name (dir) != NULL;
}

/* Returns when the app is to be killed: as soon as it has saved a few times, or in the middle of
 * the next save. In the long suite it is some time after that. */
static void
wait_for_the_moment (guint number, const char *folder, int saved)
{
  char bytes[4];

  for (guint i = 0; i <= number % sizeof bytes; i++)
    g_assert_cmpint (read (saved, bytes, 1), ==, 1);
  if (g_getenv ("FH_RANDOM_KILLS") != NULL)
    g_usleep ((gulong) g_test_rand_int_range (1000, 40000));
  while (number % 2 != 0 && !is_being_saved (folder))
    ;
}

/* Whenever the app is killed, the draft is complete and one of the texts. */
static void
test_killed_while_saving (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = new_draft (0, "");
  g_autofree char *path = path_of (fixture, draft);

  /* Read as bytes, because no thread may exist when a child is forked. */
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *json = NULL;
      const char *text;
      gsize size;
      int child, status, saved[2];

      g_assert_cmpint (pipe (saved), ==, 0);
      child = fork ();
      if (child == 0)
        save_until_killed (fixture->folder, draft, saved[1]);
      close (saved[1]);
      wait_for_the_moment (i, fixture->folder, saved[0]);
      g_assert_cmpint (kill (child, SIGKILL), ==, 0);
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
      close (saved[0]);
      g_assert_true (g_file_get_contents (path, &json, &size, NULL));
      g_assert_cmpint (json[size - 1], ==, '}');
      text = strstr (json, "\"text\":\"");
      g_assert_nonnull (text);
      text += strlen ("\"text\":\"");
      g_assert_cmpuint (strspn (text, (char[]){ text[0], '\0' }), ==, 200000);
    }
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/drafts/killed-while-saving", test_killed_while_saving },
                  { "/drafts/nothing-yet", test_nothing_yet },
                  { "/drafts/what-is-saved-comes-back", test_what_is_saved_comes_back },
                  { "/drafts/container", test_container },
                  { "/drafts/by-position", test_by_position },
                  { "/drafts/the-last-save-wins", test_the_last_save_wins },
                  { "/drafts/removal-keeps-its-place", test_removal_keeps_its_place },
                  { "/drafts/flush", test_flush },
                  { "/drafts/damaged-files-are-kept", test_damaged_files_are_kept },
                  { "/drafts/other-things-in-the-folder", test_other_things_in_the_folder },
                  { "/drafts/a-setting-does-not-cost-the-text",
                    test_a_setting_does_not_cost_the_text },
                  { "/drafts/an-id-is-no-path", test_an_id_is_no_path },
                  { "/drafts/folder-that-cannot-be-made", test_folder_that_cannot_be_made },
                  { "/drafts/cancelled-save", test_cancelled_save });
