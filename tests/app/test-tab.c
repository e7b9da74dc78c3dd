/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tab/tab.h"

#include <gtksourceview/gtksource.h>

#include "option-samples.h"
#include "output/input-bar.h"
#include "page-fixture.h"

static GPtrArray *
load_drafts (PageFixture *fixture)
{
  FhDrafts *drafts = fh_services_get_drafts (fixture->services);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *loaded;

  fh_drafts_flush (drafts);
  result = FH_AWAIT (fh_drafts_load_async (drafts, NULL, FH_RESULT));
  loaded = fh_drafts_load_finish (drafts, result, NULL, &error);
  g_assert_no_error (error);
  return loaded;
}

static void
test_run (PageFixture *fixture, gconstpointer data)
{
  FhRunRequest *request;
  g_autofree char *source = NULL;

  page_fixture_type (fixture, "print(1)\n");
  g_assert_cmpint (fh_tab_get_run_state (fixture->page), ==, FH_RUN_FINISHED);
  fh_tab_run (fixture->page);
  g_assert_cmpint (fh_tab_get_run_state (fixture->page), ==, FH_RUN_RUNNING);
  request = fh_run_get_request (fake_backend_get_run (fixture->backend));
  source = fh_run_request_dup_source_text (request);
  g_assert_cmpstr (source, ==, "print(1)\n");
  /* A second press changes nothing. */
  fh_tab_run (fixture->page);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
  fake_backend_finish (fixture->backend, 0);
  g_assert_cmpint (fh_tab_get_run_state (fixture->page), ==, FH_RUN_FINISHED);
  fh_tab_run (fixture->page);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 2);
}

static void
test_stop_twice (PageFixture *fixture, gconstpointer data)
{
  page_fixture_type (fixture, "x");
  fh_tab_stop (fixture->page);
  fh_tab_run (fixture->page);
  fh_tab_stop (fixture->page);
  g_assert_cmpint (fh_tab_get_run_state (fixture->page), ==, FH_RUN_STOPPING);
  fh_tab_stop (fixture->page);
  g_assert_cmpuint (fake_backend_get_n_stops (fixture->backend), ==, 2);
  g_assert_cmpint (fh_tab_get_run_state (fixture->page), ==, FH_RUN_FINISHED);
}

static void
test_empty_does_not_run (PageFixture *fixture, gconstpointer data)
{
  fh_tab_run (fixture->page);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

/* A program that asks gets the keyboard from who has waited for it, and gives it back; who has gone
 * on with the text is not disturbed. */
static void
test_focus_of_input (PageFixture *fixture, gconstpointer data)
{
  GtkWidget *view = widget_test_find (GTK_WIDGET (fixture->page), GTK_SOURCE_TYPE_VIEW);
  GtkWidget *bar = widget_test_find (GTK_WIDGET (fixture->page), FH_TYPE_INPUT_BAR);

  page_fixture_type (fixture, "input ()");
  for (guint i = 0; i < 2; i++)
    {
      const gboolean goes_on = i == 1;
      FhLiveInput *input;

      gtk_widget_grab_focus (view);
      fh_tab_run (fixture->page);
      if (goes_on)
        page_fixture_type (fixture, "#");
      input = fh_run_get_input (fake_backend_get_run (fixture->backend));
      fh_live_input_set_open (input, TRUE);
      fh_live_input_set_waiting (input, TRUE);
      g_assert_cmpint (gtk_widget_get_focus_child (bar) == NULL, ==, goes_on);
      fh_live_input_set_open (input, FALSE);
      g_assert_true (gtk_widget_is_focus (view));
      fake_backend_finish (fixture->backend, 0);
    }
}

/* Closing the tab ends the program, and the run is kept all the same. */
static void
test_closed_while_running (PageFixture *fixture, gconstpointer data)
{
  g_autoptr (FhRun) run = NULL;
  g_autoptr (GPtrArray) entries = NULL;

  page_fixture_type (fixture, "x");
  fh_tab_run (fixture->page);
  run = g_object_ref (fake_backend_get_run (fixture->backend));
  fh_tab_close (fixture->page);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_FINISHED);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
  FH_AWAIT_TRUE (!fh_recorder_get_busy (fh_services_get_recorder (fixture->services)));
  entries = fh_history_list (fh_services_get_history (fixture->services), NULL, 0, 9, NULL);
  g_assert_cmpuint (entries->len, ==, 1);
}

static void
test_draft_round_trip (PageFixture *fixture, gconstpointer data)
{
  FhOptions *options = fh_tab_get_options (fixture->page);
  g_autoptr (GPtrArray) drafts = NULL;
  g_autoptr (FhDraft) again = NULL;
  FhTab *other;
  FhDraft *draft;
  g_autofree char *text = NULL;
  g_autofree char *interpreter = NULL;
  g_autofree char *arguments = NULL;
  g_autofree char *input = NULL;

  page_fixture_type (fixture, "echo hällo\nexit 3\n");
  g_object_set (options,
                "language",
                "bash",
                "interpreter",
                "/bin/bash",
                "arguments",
                "-x 'y z'",
                "standard-input",
                "in\nput",
                "limits-wall-ms",
                (guint64) 0,
                "limits-memory-bytes",
                (guint64) 64 << 20,
                NULL);
  fh_tab_set_position (fixture->page, 3);
  fh_tab_save_draft (fixture->page);
  drafts = load_drafts (fixture);
  g_assert_cmpuint (drafts->len, ==, 1);
  draft = g_ptr_array_index (drafts, 0);
  g_assert_cmpstr (draft->id, ==, fh_tab_get_id (fixture->page));
  g_assert_cmpuint (draft->position, ==, 3);

  other = g_object_ref_sink (FH_TAB (fh_tab_new (fixture->services)));
  fh_tab_set_draft (other, draft);
  text = g_strdup (fh_document_get_text (fh_tab_get_document (other)));
  g_assert_cmpstr (text, ==, "echo hällo\nexit 3\n");
  options = fh_tab_get_options (other);
  g_assert_cmpstr (fh_options_get_language (options)->id, ==, "bash");
  interpreter = option_samples_get_text (options, "interpreter");
  arguments = option_samples_get_text (options, "arguments");
  input = option_samples_get_text (options, "standard-input");
  g_assert_cmpstr (interpreter, ==, "/bin/bash");
  g_assert_cmpstr (arguments, ==, "-x 'y z'");
  g_assert_cmpstr (input, ==, "in\nput");
  again = fh_tab_dup_draft (other);
  g_assert_cmpuint (again->options->limits.wall_ms, ==, 0);
  g_assert_cmpuint (again->options->limits.memory_bytes, ==, (guint64) 64 << 20);
  g_assert_cmpuint (again->cursor, ==, draft->cursor);
  g_assert_cmpstr (again->id, ==, draft->id);
  widget_test_finalize (other);
}

/* A page as a crash leaves it behind and the next start restores it. (transfer full) */
static FhTab *
restore (PageFixture *fixture, FhTab *page)
{
  FhTab *other = g_object_ref_sink (FH_TAB (fh_tab_new (fixture->services)));
  g_autoptr (GPtrArray) drafts = NULL;

  fh_tab_save_draft (page);
  drafts = load_drafts (fixture);
  for (guint i = 0; i < drafts->len; i++)
    {
      FhDraft *draft = g_ptr_array_index (drafts, i);

      if (g_str_equal (draft->id, fh_tab_get_id (page)))
        {
          fh_tab_set_draft (other, draft);
          return other;
        }
    }
  g_assert_not_reached ();
}

/* What was typed and cannot be used is not lost in a crash: it is corrected before the next run. */
static void
test_draft_of_problem (PageFixture *fixture, gconstpointer data)
{
  FhOptions *options = fh_tab_get_options (fixture->page);
  FhTab *other;
  g_autofree char *hosts = NULL;
  g_autofree char *problem = NULL;

  page_fixture_type (fixture, "x");
  g_object_set (options, "guards-allow-hosts", "1.2.3.4", NULL);
  other = restore (fixture, fixture->page);
  hosts = option_samples_get_text (fh_tab_get_options (other), "guards-allow-hosts");
  problem = option_samples_get_text (fh_tab_get_options (other), "problem");
  g_assert_cmpstr (hosts, ==, "1.2.3.4");
  g_assert_nonnull (problem);
  g_assert_finalize_object (other);
}

static gboolean
has_draft (gpointer data)
{
  g_autoptr (GPtrArray) drafts = load_drafts (data);

  return drafts->len == 1;
}

/* Without saving: a moment after the typing it is on the disk. */
static void
test_draft_by_itself (PageFixture *fixture, gconstpointer data)
{
  page_fixture_type (fixture, "x = 1");
  FH_AWAIT_TRUE (has_draft (fixture));
  fh_tab_close (fixture->page);
  {
    g_autoptr (GPtrArray) drafts = load_drafts (fixture);

    g_assert_cmpuint (drafts->len, ==, 0);
  }
  /* What was closed on purpose does not come back. */
  page_fixture_type (fixture, "more");
  fh_tab_save_draft (fixture->page);
  {
    g_autoptr (GPtrArray) drafts = load_drafts (fixture);

    g_assert_cmpuint (drafts->len, ==, 0);
  }
}

/* Who types without a pause does not wait for ever. */
static void
test_draft_of_typing (PageFixture *fixture, gconstpointer data)
{
  FH_AWAIT_TRUE ((page_fixture_type (fixture, "x"), has_draft (fixture)));
}

/* The program may take the app with it. */
static void
test_draft_at_run (PageFixture *fixture, gconstpointer data)
{
  page_fixture_type (fixture, "x = 1");
  fh_tab_run (fixture->page);
  g_assert_true (has_draft (fixture));
  fake_backend_finish (fixture->backend, 0);
}

/* A change of the options is kept as well, also one of the guards. */
static void
test_draft_of_options (PageFixture *fixture, gconstpointer data)
{
  g_object_set (fh_tab_get_options (fixture->page), "guards-watch", FH_WATCH_OFF, NULL);
  FH_AWAIT_TRUE (has_draft (fixture));
}

static void
test_example_is_no_draft (PageFixture *fixture, gconstpointer data)
{
  fh_tab_set_example (fixture->page, "print(1)", "An Example", fh_language_lookup ("python"));
  g_assert_true (fh_tab_is_untouched (fixture->page));
  fh_tab_save_draft (fixture->page);
  {
    g_autoptr (GPtrArray) drafts = load_drafts (fixture);

    g_assert_cmpuint (drafts->len, ==, 0);
  }
  page_fixture_type (fixture, "x");
  g_assert_false (fh_tab_is_untouched (fixture->page));
}

static void
test_titles (PageFixture *fixture, gconstpointer data)
{
  const struct
  {
    const char *text;
    const char *title;
  } cases[] = {
    { "", "New Snippet" },
    { "\n\n  # Sums up\nx = 1", "Sums up" },
    { "#!/bin/sh\n\n# List\nls", "List" },
    { "import os\n", "import os" },
    { "\"\"\"Does things.\"\"\"", "Does things." },
    { "x = 'a very long line that does not fit, whatever tab it may be shown in, or list of past "
      "runs'",
      "x = 'a very long line that does not fit, whatever tab it may be shown in, or lis…" },
    { "####\n", "New Snippet" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      fh_tab_set_text (fixture->page, cases[i].text, NULL, NULL);
      g_assert_cmpstr (fh_document_get_title (fh_tab_get_document (fixture->page)),
                       ==,
                       cases[i].title);
    }
  fh_tab_set_text (fixture->page, "x", "Given", NULL);
  g_assert_cmpstr (fh_document_get_title (fh_tab_get_document (fixture->page)), ==, "Given");
}

static void
test_file (PageFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "work.sh", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;

  g_assert_true (g_file_set_contents (path, "ls\n", -1, NULL));
  loaded = FH_AWAIT (fh_tab_load_async (fixture->page, file, NULL, FH_RESULT));
  g_assert_true (fh_tab_load_finish (fixture->page, loaded, &error));
  g_assert_cmpstr (fh_document_get_title (fh_tab_get_document (fixture->page)), ==, "work.sh");
  g_assert_cmpstr (fh_options_get_language (fh_tab_get_options (fixture->page))->id, ==, "sh");
  g_assert_false (fh_document_is_unsaved (fh_tab_get_document (fixture->page)));
  page_fixture_type (fixture, "pwd\n");
  g_assert_true (fh_document_is_unsaved (fh_tab_get_document (fixture->page)));
  saved = FH_AWAIT (
      fh_document_save_async (fh_tab_get_document (fixture->page), NULL, NULL, FH_RESULT));
  g_assert_true (fh_document_save_finish (fh_tab_get_document (fixture->page), saved, &error));
  g_assert_false (fh_document_is_unsaved (fh_tab_get_document (fixture->page)));
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "pwd\nls\n");
}

/* A tab that is there again still knows that its file is not what the text is. */
static void
test_draft_of_file (PageFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "latin.py", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) loaded = NULL;
  FhTab *first = g_object_ref_sink (FH_TAB (fh_tab_new (fixture->services)));
  FhDocument *document;
  FhTab *other;

  g_assert_true (g_file_set_contents (path, "'\xe4'\n", -1, NULL));
  loaded = FH_AWAIT (fh_tab_load_async (first, file, NULL, FH_RESULT));
  g_assert_true (fh_tab_load_finish (first, loaded, NULL));
  other = restore (fixture, first);
  document = fh_tab_get_document (other);
  g_assert_true (fh_document_is_repaired (document));
  g_assert_nonnull (fh_document_get_version (document));
  g_assert_cmpstr (fh_document_get_version (document),
                   ==,
                   fh_document_get_version (fh_tab_get_document (first)));
  g_assert_finalize_object (other);
  g_clear_object (&loaded);
  widget_test_finalize (first);
}

/* Returns NULL if there is none. (transfer none) */
static GtkFileChooser *
find_chooser (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *link = windows; link != NULL; link = link->next)
    {
      if (GTK_IS_FILE_CHOOSER (link->data) && gtk_widget_get_mapped (link->data))
        return link->data;
    }
  return NULL;
}

static gboolean
is_in (GFile *folder)
{
  g_autoptr (GFile) place = gtk_file_chooser_get_current_folder (find_chooser ());

  return place != NULL && g_file_equal (place, folder);
}

/* The folder is taken, and may be NULL: whatever it is. */
static void
assert_save_as (PageFixture *fixture, const char *name, GFile *folder)
{
  g_autofree char *proposed = NULL;

  fh_tab_save (fixture->page, TRUE);
  FH_AWAIT_TRUE (find_chooser () != NULL);
  proposed = gtk_file_chooser_get_current_name (find_chooser ());
  g_assert_cmpstr (proposed, ==, name);
  FH_AWAIT_TRUE (folder == NULL || is_in (folder));
  widget_test_settle ();
  gtk_dialog_response (GTK_DIALOG (find_chooser ()), GTK_RESPONSE_CANCEL);
  FH_AWAIT_TRUE (find_chooser () == NULL);
  widget_test_settle ();
  g_clear_object (&folder);
}

static void
test_save_as (PageFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "work.sh", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (g_getenv ("FH_SANITIZED") != NULL)
    {
      g_test_skip ("GTK's dialog keeps paths and folders that it has read");
      return;
    }
  fh_tab_set_text (fixture->page, "x = 1", NULL, fh_language_lookup ("python"));
  assert_save_as (fixture, "main.py", NULL);
  fh_tab_set_text (fixture->page, "x = 1", "Sums: 1/2", fh_language_lookup ("python"));
  assert_save_as (fixture, "Sums: 1_2.py", NULL);
  fh_tab_set_text (fixture->page, "x = 1", "sums.py", fh_language_lookup ("python"));
  assert_save_as (fixture, "sums.py", NULL);
  fh_document_set_file (fh_tab_get_document (fixture->page), file);
  assert_save_as (fixture, "work.sh", g_file_get_parent (file));
}

static int
get_cursor_line (PageFixture *fixture)
{
  GtkTextBuffer *buffer = page_fixture_get_buffer (fixture);
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  return gtk_text_iter_get_line (&cursor);
}

static void
test_go_to_line (PageFixture *fixture, gconstpointer data)
{
  fh_tab_set_text (fixture->page, "1\n2\n3\n", NULL, NULL);
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (fixture->page), "page.go-to-line", "(uu)", 3, 1));
  g_assert_cmpint (get_cursor_line (fixture), ==, 2);
}

/* Lines are those of the code that was run, wherever they are now. */
static void
test_go_to_moved_line (PageFixture *fixture, gconstpointer data)
{
  g_autoptr (FhRun) run = widget_test_run_new ("one\ntwo\nthree\n");
  GtkWidget *page = GTK_WIDGET (fixture->page);
  GtkTextBuffer *buffer;
  GtkTextIter start;

  widget_test_finish (run, 1);
  fh_tab_show_result (fixture->page, fh_run_get_request (run), fh_run_get_result (run));
  buffer = page_fixture_get_buffer (fixture);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_insert (buffer, &start, "zero\nzero\n", -1);
  g_assert_true (gtk_widget_activate_action (page, "page.go-to-line", "(uu)", 2, 1));
  g_assert_cmpint (get_cursor_line (fixture), ==, 3);
  gtk_text_buffer_set_text (buffer, "other\ncode\nis\nhere\n", -1);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  g_assert_true (gtk_widget_activate_action (page, "page.go-to-line", "(uu)", 2, 1));
  g_assert_cmpint (get_cursor_line (fixture), ==, 0);
}

/* A past run brings back its text, its options and its output, and its tab is kept as a draft. */
static void
test_show_result (PageFixture *fixture, gconstpointer data)
{
  g_autoptr (FhRun) run = widget_test_run_new ("print('old')\n");
  g_autofree char *text = NULL;
  g_autoptr (FhRunOptions) values = NULL;
  g_autoptr (FhDraft) draft = NULL;

  widget_test_write (run, FH_STREAM_STDOUT, "old\n");
  widget_test_finish (run, 0);
  fh_tab_show_result (fixture->page, fh_run_get_request (run), fh_run_get_result (run));
  text = g_strdup (fh_document_get_text (fh_tab_get_document (fixture->page)));
  g_assert_cmpstr (text, ==, "print('old')\n");
  values = fh_options_dup_values (fh_tab_get_options (fixture->page));
  g_assert_cmpuint (values->limits.wall_ms, ==, 30000);
  g_assert_cmpint (fh_tab_get_run_state (fixture->page), ==, FH_RUN_FINISHED);
  FH_AWAIT_TRUE (has_draft (fixture));
  fh_tab_set_past_run (fixture->page, 7);
  draft = fh_tab_dup_draft (fixture->page);
  g_assert_cmpint (draft->run, ==, 7);
}

/* The files of a sample lie beside its program when it runs again, also after a restart; another
 * text does not get them. */
static void
test_files_of_a_sample (PageFixture *fixture, gconstpointer data)
{
  g_autoptr (FhRun) run = widget_test_run_new ("print('old')\n");
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhDraft) draft = NULL;
  GPtrArray *again;

  g_ptr_array_add (files, fh_run_file_new ("data", source));
  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .files = files,
          .limits = FH_RUN_LIMITS_DEFAULT,
      },
      NULL);
  widget_test_finish (run, 0);
  fh_tab_show_result (fixture->page, request, fh_run_get_result (run));
  draft = fh_tab_dup_draft (fixture->page);
  fh_tab_show_result (fixture->page, fh_run_get_request (run), fh_run_get_result (run));
  fh_tab_run (fixture->page);
  again = fh_run_request_get_parts (fh_run_get_request (fake_backend_get_run (fixture->backend)))
              ->files;
  g_assert_null (again);
  fake_backend_finish (fixture->backend, 0);
  fh_tab_set_draft (fixture->page, draft);
  fh_tab_run (fixture->page);
  again = fh_run_request_get_parts (fh_run_get_request (fake_backend_get_run (fixture->backend)))
              ->files;
  g_assert_nonnull (again);
  g_assert_cmpuint (again->len, ==, 1);
  g_assert_cmpstr (((FhRunFile *) g_ptr_array_index (again, 0))->path, ==, "data");
  fake_backend_finish (fixture->backend, 0);
}

static void
test_foreign (PageFixture *fixture, gconstpointer data)
{
  page_fixture_type (fixture, "using System;\nnamespace A\n{\n    class B\n    {\n");
  fh_tab_run (fixture->page);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

/* "#!" names the language of a typed text; what a person has chosen holds, also after a restart. */
static void
test_first_line (PageFixture *fixture, gconstpointer data)
{
  FhOptions *options = fh_tab_get_options (fixture->page);
  g_autoptr (FhDraft) draft = NULL;

  page_fixture_type (fixture, "#!/usr/bin/fish\necho $PATH | wc\n");
  fh_tab_run (fixture->page);
  g_assert_cmpstr (fh_options_get_language (options)->id, ==, "python");
  fake_backend_finish (fixture->backend, 0);
  gtk_text_buffer_set_text (page_fixture_get_buffer (fixture), "", -1);
  page_fixture_type (fixture, "#!/bin/bash\necho 1\n");
  fh_tab_run (fixture->page);
  g_assert_cmpstr (fh_options_get_language (options)->id, ==, "bash");
  fake_backend_finish (fixture->backend, 0);
  g_object_set (options, "language", "python", NULL);
  fh_tab_run (fixture->page);
  g_assert_cmpstr (fh_options_get_language (options)->id, ==, "python");
  fake_backend_finish (fixture->backend, 0);
  draft = fh_tab_dup_draft (fixture->page);
  fh_tab_set_draft (fixture->page, draft);
  fh_tab_run (fixture->page);
  g_assert_cmpstr (fh_options_get_language (options)->id, ==, "python");
  fake_backend_finish (fixture->backend, 0);
}

static void
test_error_message (PageFixture *fixture, gconstpointer data)
{
  page_fixture_type (fixture, "Traceback (most recent call last):\n  File \"a.py\", line 1\n");
  widget_test_wait_for_label (GTK_WIDGET (fixture->page), "This is an error message and not");
}

WIDGET_FIXTURE_TESTS (PageFixture,
                      page_fixture_set_up,
                      page_fixture_tear_down,
                      { "/app/tab/run", test_run },
                      { "/app/tab/stop-twice", test_stop_twice },
                      { "/app/tab/empty-does-not-run", test_empty_does_not_run },
                      { "/app/tab/focus-of-input", test_focus_of_input },
                      { "/app/tab/closed-while-running", test_closed_while_running },
                      { "/app/tab/draft-round-trip", test_draft_round_trip },
                      { "/app/tab/draft-of-problem", test_draft_of_problem },
                      { "/app/tab/draft-by-itself", test_draft_by_itself },
                      { "/app/tab/draft-of-typing", test_draft_of_typing },
                      { "/app/tab/draft-at-run", test_draft_at_run },
                      { "/app/tab/draft-of-options", test_draft_of_options },
                      { "/app/tab/draft-of-file", test_draft_of_file },
                      { "/app/tab/example-is-no-draft", test_example_is_no_draft },
                      { "/app/tab/titles", test_titles },
                      { "/app/tab/file", test_file },
                      { "/app/tab/save-as", test_save_as },
                      { "/app/tab/go-to-line", test_go_to_line },
                      { "/app/tab/go-to-moved-line", test_go_to_moved_line },
                      { "/app/tab/show-result", test_show_result },
                      { "/app/tab/files-of-a-sample", test_files_of_a_sample },
                      { "/app/tab/foreign", test_foreign },
                      { "/app/tab/first-line", test_first_line },
                      { "/app/tab/error-message", test_error_message });
