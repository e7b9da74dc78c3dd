/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/window.h"

#include <glib/gstdio.h>
#include <gtksourceview/gtksource.h>

#include "controls/guard-button.h"
#include "controls/run-button.h"
#include "fake-services.h"
#include "history/history-view.h"
#include "output/output-view.h"
#include "preferences/preferences-window.h"
#include "widget-test.h"

typedef struct
{
  char *folder;
  FakeBackend *backend;
  FhServices *services;
  FhWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = fake_folder_new ();
  fixture->backend = fake_backend_new ();
  fixture->services = fake_services_new (fixture->backend, fixture->folder);
  fixture->window = fh_window_new (NULL, fixture->services);
  gtk_window_present (GTK_WINDOW (fixture->window));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (fixture->window)));
}

static gboolean
is_idle (gpointer data)
{
  return !fh_recorder_get_busy (fh_services_get_recorder (((Fixture *) data)->services));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  FhWindow *window = g_object_ref (fixture->window);

  gtk_window_destroy (GTK_WINDOW (window));
  widget_test_finalize (window);
  fake_services_free (fixture->services);
  g_object_unref (fixture->backend);
  fake_folder_free (fixture->folder);
}

static AdwTabView *
get_tabs (Fixture *fixture)
{
  AdwTabBar *bar = ADW_TAB_BAR (widget_test_find (GTK_WIDGET (fixture->window), ADW_TYPE_TAB_BAR));

  return adw_tab_bar_get_view (bar);
}

static FhTab *
get_page (Fixture *fixture)
{
  return FH_TAB (adw_tab_page_get_child (adw_tab_view_get_selected_page (get_tabs (fixture))));
}

static guint
count_tabs (Fixture *fixture)
{
  return (guint) adw_tab_view_get_n_pages (get_tabs (fixture));
}

static void
activate (Fixture *fixture, const char *name)
{
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), name, NULL);
}

static gboolean
is_enabled (Fixture *fixture, const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), name);
}

static gboolean
has_tab (gpointer data)
{
  return count_tabs (data) > 0;
}

/* 360 pixels are a telephone's width; every pane must fit beside the one button that GNOME puts
 * into a title bar. */
static void
test_narrow (Fixture *fixture, gconstpointer data)
{
  int minimum;

  fh_window_open_text (fixture->window, "print(1)", "A Rather Long Title", NULL, TRUE);
  gtk_widget_measure (GTK_WIDGET (fixture->window),
                      GTK_ORIENTATION_HORIZONTAL,
                      -1,
                      &minimum,
                      NULL,
                      NULL,
                      NULL);
  g_test_message ("minimum width %d", minimum);
  g_assert_cmpint (minimum, <=, 360);
  fh_tab_stop (get_page (fixture));
  gtk_widget_measure (GTK_WIDGET (fixture->window),
                      GTK_ORIENTATION_HORIZONTAL,
                      -1,
                      &minimum,
                      NULL,
                      NULL,
                      NULL);
  g_assert_cmpint (minimum, <=, 360);
}

/* Where Run has only room for its icon, it does not get the room of its word. */
static void
test_header (Fixture *fixture, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);
  GtkWidget *run = widget_test_find (window, FH_TYPE_RUN_BUTTON);
  GtkWidget *guard = widget_test_find (window, FH_TYPE_GUARD_BUTTON);
  int least, wanted;
  graphene_point_t at;

  gtk_widget_measure (run, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
  g_assert_cmpint (least, <, wanted);
  FH_AWAIT_TRUE (gtk_widget_get_width (window) > 0);
  /* The toolkit takes a border off the size that it is asked for. */
  for (int width = 760; width >= 380; width -= 20)
    {
      gtk_window_set_default_size (GTK_WINDOW (window), width, 500);
      FH_AWAIT_TRUE (ABS (gtk_widget_get_width (window) - width + 10) <= 10);
      g_assert_true (gtk_widget_compute_point (guard, run, &GRAPHENE_POINT_INIT (0, 0), &at));
      g_assert_true (gtk_widget_get_width (run) == least || gtk_widget_get_width (run) == wanted);
      g_assert_cmpfloat (at.x, ==, (float) (gtk_widget_get_width (run) + 6));
    }
  g_assert_cmpint (gtk_widget_get_width (run), ==, least);
}

static void
test_welcome (Fixture *fixture, gconstpointer data)
{
  fh_tabs_restore (fh_window_get_tabs (fixture->window));
  FH_AWAIT_TRUE (has_tab (fixture));
  g_assert_cmpuint (count_tabs (fixture), ==, 1);
  g_assert_true (fh_tab_is_untouched (get_page (fixture)));
  /* There is nothing to run. */
  activate (fixture, "run");
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

static void
test_enabled (Fixture *fixture, gconstpointer data)
{
  g_assert_false (is_enabled (fixture, "run"));
  g_assert_false (is_enabled (fixture, "save"));
  fh_window_open_text (fixture->window, "x", NULL, NULL, FALSE);
  g_assert_true (is_enabled (fixture, "run"));
  g_assert_true (is_enabled (fixture, "save"));
  g_assert_false (is_enabled (fixture, "stop"));
  activate (fixture, "run");
  g_assert_false (is_enabled (fixture, "run"));
  g_assert_true (is_enabled (fixture, "stop"));
  fake_backend_finish (fixture->backend, 0);
  g_assert_true (is_enabled (fixture, "run"));
  g_assert_false (is_enabled (fixture, "stop"));
}

/* Where nothing may run, the window says so and nothing can be started. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  fh_window_open_text (fixture->window, "x", NULL, NULL, FALSE);
  fake_backend_set_probe (fixture->backend, FALSE, "The kernel allows no user namespaces.");
  activate (fixture, "check-guards");
  FH_AWAIT_TRUE (!is_enabled (fixture, "run"));
  activate (fixture, "run");
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
  widget_test_screenshot (GTK_WIDGET (fixture->window), "window-refused");
  fake_backend_set_probe (fixture->backend, TRUE, NULL);
  activate (fixture, "check-guards");
  FH_AWAIT_TRUE (is_enabled (fixture, "run"));
}

/* The tab that is shown decides what Run and Stop mean. */
static void
test_two_tabs (Fixture *fixture, gconstpointer data)
{
  AdwTabView *tabs = get_tabs (fixture);
  AdwTabPage *first;

  fh_window_open_text (fixture->window, "one", NULL, NULL, FALSE);
  activate (fixture, "run");
  first = adw_tab_view_get_selected_page (tabs);
  g_assert_true (adw_tab_page_get_loading (first));
  fh_window_open_text (fixture->window, "two", NULL, NULL, FALSE);
  g_assert_true (is_enabled (fixture, "run"));
  g_assert_false (is_enabled (fixture, "stop"));
  /* A run that ends unseen asks to be looked at. */
  fake_backend_finish (fixture->backend, 1);
  g_assert_false (adw_tab_page_get_loading (first));
  g_assert_true (adw_tab_page_get_needs_attention (first));
  adw_tab_view_set_selected_page (tabs, first);
  g_assert_false (adw_tab_page_get_needs_attention (first));
}

/* A program that asks is told apart from one that works, also in a tab that nobody looks at. */
static void
test_waits_for_input (Fixture *fixture, gconstpointer data)
{
  AdwTabView *tabs = get_tabs (fixture);
  AdwTabPage *first;
  FhLiveInput *input;

  fh_window_open_text (fixture->window, "one", NULL, NULL, FALSE);
  activate (fixture, "run");
  first = adw_tab_view_get_selected_page (tabs);
  input = fh_run_get_input (fake_backend_get_run (fixture->backend));
  fh_live_input_set_open (input, TRUE);
  fh_live_input_set_waiting (input, TRUE);
  g_assert_nonnull (widget_test_find_label (GTK_WIDGET (fixture->window), "Waiting for input…"));
  g_assert_false (adw_tab_page_get_loading (first));
  g_assert_nonnull (adw_tab_page_get_icon (first));
  fh_live_input_set_waiting (input, FALSE);
  g_assert_nonnull (widget_test_find_label (GTK_WIDGET (fixture->window), "Running…"));
  g_assert_true (adw_tab_page_get_loading (first));
  g_assert_null (adw_tab_page_get_icon (first));
  fh_window_open_text (fixture->window, "two", NULL, NULL, FALSE);
  g_assert_false (adw_tab_page_get_needs_attention (first));
  fh_live_input_set_waiting (input, TRUE);
  g_assert_true (adw_tab_page_get_needs_attention (first));
  fake_backend_finish (fixture->backend, 0);
  g_assert_null (adw_tab_page_get_icon (first));
}

static void
test_close_and_reopen (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  fh_window_open_text (fixture->window, "first", NULL, NULL, FALSE);
  fh_window_open_text (fixture->window, "second", NULL, NULL, FALSE);
  g_assert_false (is_enabled (fixture, "reopen-tab"));
  activate (fixture, "close-tab");
  g_assert_cmpuint (count_tabs (fixture), ==, 1);
  activate (fixture, "reopen-tab");
  g_assert_cmpuint (count_tabs (fixture), ==, 2);
  text = g_strdup (fh_document_get_text (fh_tab_get_document (get_page (fixture))));
  g_assert_cmpstr (text, ==, "second");
  g_assert_false (is_enabled (fixture, "reopen-tab"));
}

static void
assert_texts (Fixture *fixture, const char *texts)
{
  g_autoptr (GString) found = g_string_new (NULL);
  FhTabs *tabs = fh_window_get_tabs (fixture->window);

  for (guint i = 0; i < fh_tabs_get_n_pages (tabs); i++)
    g_string_append (found,
                     fh_document_get_text (fh_tab_get_document (fh_tabs_get_nth_page (tabs, i))));
  g_assert_cmpstr (found->str, ==, texts);
}

static void
close_nth (Fixture *fixture, int position)
{
  AdwTabView *tabs = get_tabs (fixture);

  adw_tab_view_close_page (tabs, adw_tab_view_get_nth_page (tabs, position));
}

/* Tabs come back to where they were. */
static void
test_reopen_in_place (Fixture *fixture, gconstpointer data)
{
  for (const char *text = "abcde"; *text != '\0'; text++)
    fh_window_open_text (fixture->window, (const char[]){ *text, '\0' }, NULL, NULL, FALSE);
  close_nth (fixture, 0);
  close_nth (fixture, 1);
  close_nth (fixture, 2);
  assert_texts (fixture, "bd");
  for (guint i = 0; i < 3; i++)
    activate (fixture, "reopen-tab");
  assert_texts (fixture, "abcde");
}

/* The offer to take it back goes with what it offers. */
static void
test_reopen_without_toast (Fixture *fixture, gconstpointer data)
{
  fh_window_open_text (fixture->window, "first", NULL, NULL, FALSE);
  activate (fixture, "close-tab");
  widget_test_wait_for_label (GTK_WIDGET (fixture->window), "Tab closed");
  activate (fixture, "reopen-tab");
  FH_AWAIT_TRUE (widget_test_find_label (GTK_WIDGET (fixture->window), "Tab closed") == NULL);
  /* Also when the next one is on its way. */
  for (guint i = 0; i < 3; i++)
    {
      activate (fixture, "close-tab");
      activate (fixture, "reopen-tab");
    }
  FH_AWAIT_TRUE (widget_test_find_label (GTK_WIDGET (fixture->window), "Tab closed") == NULL);
}

/* The texts of a window that was closed are in reach of the others. */
static void
test_reopen_window (Fixture *fixture, gconstpointer data)
{
  FhWindow *other = fh_window_new (NULL, fixture->services);

  gtk_window_present (GTK_WINDOW (other));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (other)));
  fh_window_open_text (fixture->window, "a", NULL, NULL, FALSE);
  fh_window_open_text (other, "b", NULL, NULL, FALSE);
  fh_window_open_text (other, "c", NULL, NULL, FALSE);
  fh_tabs_open_new (fh_window_get_tabs (other));
  g_object_ref (other);
  gtk_window_close (GTK_WINDOW (other));
  widget_test_finalize (other);
  g_assert_true (is_enabled (fixture, "reopen-tab"));
  activate (fixture, "reopen-tab");
  assert_texts (fixture, "abc");
  g_assert_false (is_enabled (fixture, "reopen-tab"));
  /* Nor do they come back twice. */
  fh_drafts_flush (fh_services_get_drafts (fixture->services));
  close_nth (fixture, 2);
  assert_texts (fixture, "ab");
  activate (fixture, "reopen-tab");
  assert_texts (fixture, "abc");
}

/* The label of the button with this text, in whatever window; NULL when there is none. */
static GtkWidget *
find_answer (const char *text)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  GtkWidget *found = NULL;

  for (GList *link = windows; link != NULL && found == NULL; link = link->next)
    found = widget_test_find_label (link->data, text);
  return found;
}

static void
answer (const char *text)
{
  GtkWidget *button;

  FH_AWAIT_TRUE (find_answer (text) != NULL);
  button = gtk_widget_get_ancestor (find_answer (text), GTK_TYPE_BUTTON);
  g_signal_emit_by_name (button, "clicked");
  widget_test_settle ();
}

static void
test_close_while_running (Fixture *fixture, gconstpointer data)
{
  fh_window_open_text (fixture->window, "x", NULL, NULL, TRUE);
  activate (fixture, "close-tab");
  answer ("Cancel");
  g_assert_cmpuint (count_tabs (fixture), ==, 1);
  g_assert_true (is_enabled (fixture, "stop"));
  activate (fixture, "close-tab");
  answer ("Stop and Close");
  g_assert_cmpuint (count_tabs (fixture), ==, 0);
  g_assert_cmpint (fh_run_get_state (fake_backend_get_run (fixture->backend)), ==, FH_RUN_FINISHED);
}

static void
test_close_window_while_running (Fixture *fixture, gconstpointer data)
{
  fh_window_open_text (fixture->window, "x", NULL, NULL, TRUE);
  gtk_window_close (GTK_WINDOW (fixture->window));
  answer ("Cancel");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (fixture->window)));
  g_assert_cmpint (fh_run_get_state (fake_backend_get_run (fixture->backend)), ==, FH_RUN_RUNNING);
}

static gboolean
has_title (gpointer data)
{
  return has_tab (data) &&
         g_str_equal (fh_document_get_title (fh_tab_get_document (get_page (data))), "opened.py");
}

static GFile *
new_file (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "print(1)\n", -1, NULL));
  return g_file_new_for_path (path);
}

/* It takes longer to be read than others. A text view takes long for many lines. */
static GFile *
new_large_file (Fixture *fixture)
{
  const gsize size = 4 << 20;
  g_autofree char *text = g_strnfill (size, 'x');
  g_autofree char *path = g_build_filename (fixture->folder, "large.py", NULL);

  for (gsize i = 0; i < size; i += 1000)
    text[i] = '\n';
  g_assert_true (g_file_set_contents (path, text, (gssize) size, NULL));
  return g_file_new_for_path (path);
}

/* The first one is read last, but comes first; the last one is in front. */
static void
test_open_files (Fixture *fixture, gconstpointer data)
{
  FhTabs *tabs = fh_window_get_tabs (fixture->window);
  const char *const names[] = { "large.py", "small.py", "smaller.py" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = i == 0 ? new_large_file (fixture) : new_file (fixture, names[i]);

      fh_tabs_open_file (tabs, file, FALSE);
    }
  FH_AWAIT_TRUE (fh_tabs_get_n_pages (tabs) == G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      FhTab *page = fh_tabs_get_nth_page (tabs, i);

      g_assert_cmpstr (fh_document_get_title (fh_tab_get_document (page)), ==, names[i]);
    }
  g_assert_true (fh_tabs_get_page (tabs) == fh_tabs_get_nth_page (tabs, 2));
}

/* An empty tab that is in front when an earlier file comes goes, and the later file is in front. */
static void
test_open_files_meanwhile (Fixture *fixture, gconstpointer data)
{
  FhTabs *tabs = fh_window_get_tabs (fixture->window);
  g_autoptr (GFile) large = new_large_file (fixture);
  g_autoptr (GFile) small = new_file (fixture, "small.py");

  fh_tabs_open_file (tabs, large, FALSE);
  fh_tabs_open_file (tabs, small, FALSE);
  FH_AWAIT_TRUE (fh_tabs_get_n_pages (tabs) > 0);
  /* On a busy computer both may have been read at once; then the check is only milder. */
  if (fh_tabs_get_n_pages (tabs) == 1)
    fh_tabs_open_new (tabs);
  FH_AWAIT_TRUE (fh_tabs_get_n_pages (tabs) == 2 && fh_document_get_file (fh_tab_get_document (
                                                        fh_tabs_get_nth_page (tabs, 1))) != NULL);
  g_assert_true (fh_tabs_get_page (tabs) == fh_tabs_get_nth_page (tabs, 1));
}

/* Opening a file never runs it, and opening it twice shows it once. */
static void
test_open_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = new_file (fixture, "opened.py");

  fh_tabs_open_file (fh_window_get_tabs (fixture->window), file, FALSE);
  FH_AWAIT_TRUE (has_title (fixture));
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
  fh_tabs_open_file (fh_window_get_tabs (fixture->window), file, FALSE);
  g_assert_cmpuint (count_tabs (fixture), ==, 1);
  fh_tabs_open_file (fh_window_get_tabs (fixture->window), file, TRUE);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
}

static void
test_open_missing_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/at/all.py");

  fh_tabs_open_file (fh_window_get_tabs (fixture->window), file, TRUE);
  FH_AWAIT_TRUE (has_tab (fixture));
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
  g_assert_true (fh_tab_is_untouched (get_page (fixture)));
}

static gboolean
has_two_tabs (gpointer data)
{
  return count_tabs (data) == 2;
}

/* Asserts the titles of the tabs, with "|" between them. */
static void
assert_titles (Fixture *fixture, const char *titles)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autofree char *joined = NULL;

  for (int i = 0; i < (int) count_tabs (fixture); i++)
    g_ptr_array_add (
        found,
        (char *) adw_tab_page_get_title (adw_tab_view_get_nth_page (get_tabs (fixture), i)));
  g_ptr_array_add (found, NULL);
  joined = g_strjoinv ("|", (char **) found->pdata);
  g_assert_cmpstr (joined, ==, titles);
}

static void
open_in_folder (Fixture *fixture, const char *folder)
{
  g_autofree char *path = g_build_filename (fixture->folder, folder, NULL);
  g_autoptr (GFile) file = g_file_new_build_filename (path, "x.py", NULL);
  const guint count = count_tabs (fixture);

  g_mkdir_with_parents (path, 0700);
  g_assert_true (g_file_set_contents (g_file_peek_path (file), folder, -1, NULL));
  fh_tabs_open_file (fh_window_get_tabs (fixture->window), file, FALSE);
  FH_AWAIT_TRUE (count_tabs (fixture) == count + 1);
}

/* Tabs of one title are told apart, in the tab bar and in the title of the window. */
static void
test_same_titles (Fixture *fixture, gconstpointer data)
{
  for (const char *text = "abc"; *text != '\0'; text++)
    fh_window_open_text (fixture->window, (const char[]){ *text, '\0' }, "Same", NULL, FALSE);
  assert_titles (fixture, "Same|(2) Same|(3) Same");
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), ==, "(3) Same");
  adw_tab_view_reorder_first (get_tabs (fixture),
                              adw_tab_view_get_selected_page (get_tabs (fixture)));
  assert_texts (fixture, "cab");
  assert_titles (fixture, "Same|(2) Same|(3) Same");
  close_nth (fixture, 0);
  assert_titles (fixture, "Same|(2) Same");
  close_nth (fixture, 0);
  assert_titles (fixture, "Same");
  open_in_folder (fixture, "one");
  assert_titles (fixture, "Same|x.py");
  open_in_folder (fixture, "two");
  assert_titles (fixture, "Same|one/x.py|two/x.py");
  /* Folders of one name are told apart by what is left. */
  open_in_folder (fixture, "two/one");
  assert_titles (fixture, "Same|one/x.py|two/x.py|(2) one/x.py");
}

/* What the advice tells of goes, and so does the advice, however often it was given. */
static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  const char *advice = "This looks like C#, which Fumehood cannot run. Nothing was run.";
  const char *code = "using System;\nnamespace A\n{\n    class B\n    {\n";

  for (guint round = 0; round < 2; round++)
    {
      gint64 start;

      fh_window_open_text (fixture->window, code, NULL, NULL, FALSE);
      for (guint i = 0; i < 3; i++)
        activate (fixture, "run");
      widget_test_wait_for_label (GTK_WIDGET (fixture->window), advice);
      start = g_get_monotonic_time ();
      if (round == 0)
        gtk_text_buffer_set_text (GTK_TEXT_BUFFER (fh_tab_get_document (get_page (fixture))),
                                  "print (1)\n",
                                  -1);
      else
        fh_tabs_open_new (fh_window_get_tabs (fixture->window));
      FH_AWAIT_TRUE (widget_test_find_label (GTK_WIDGET (fixture->window), advice) == NULL);
      g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
    }
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

/* What was open when the window went comes back in a new one. */
static void
test_restore (Fixture *fixture, gconstpointer data)
{
  FhWindow *other = fh_window_new (NULL, fixture->services);
  g_autofree char *text = NULL;

  fh_window_open_text (other, "first", NULL, NULL, FALSE);
  fh_window_open_text (other, "second", NULL, NULL, FALSE);
  gtk_window_present (GTK_WINDOW (other));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (other)));
  g_object_ref (other);
  gtk_window_close (GTK_WINDOW (other));
  widget_test_finalize (other);
  fh_tabs_restore (fh_window_get_tabs (fixture->window));
  FH_AWAIT_TRUE (has_two_tabs (fixture));
  text = g_strdup (fh_document_get_text (fh_tab_get_document (
      FH_TAB (adw_tab_page_get_child (adw_tab_view_get_nth_page (get_tabs (fixture), 1))))));
  g_assert_cmpstr (text, ==, "second");
}

/* What is opened before the drafts are read stays in front, after all that was there; and a window
 * that ends by then does not forget which tab was in front. */
static void
test_open_before_restored (Fixture *fixture, gconstpointer data)
{
  FhSettings *settings = fh_services_get_settings (fixture->services);
  FhWindow *other = fh_window_new (NULL, fixture->services);
  g_autofree char *selected = NULL;
  g_autofree char *kept = NULL;

  gtk_window_present (GTK_WINDOW (other));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (GTK_WIDGET (other)));
  for (const char *text = "abc"; *text != '\0'; text++)
    fh_window_open_text (other, (const char[]){ *text, '\0' }, NULL, NULL, FALSE);
  fh_tabs_show_page (fh_window_get_tabs (other),
                     fh_tab_get_id (fh_tabs_get_nth_page (fh_window_get_tabs (other), 1)));
  g_object_ref (other);
  gtk_window_close (GTK_WINDOW (other));
  widget_test_finalize (other);
  g_object_get (settings, "selected-tab", &selected, NULL);
  g_assert_cmpstr (selected, !=, "");
  fh_window_end (fixture->window);
  g_object_get (settings, "selected-tab", &kept, NULL);
  g_assert_cmpstr (kept, ==, selected);
  fh_tabs_restore (fh_window_get_tabs (fixture->window));
  fh_window_open_text (fixture->window, "d", NULL, NULL, FALSE);
  FH_AWAIT_TRUE (count_tabs (fixture) == 4);
  assert_texts (fixture, "abcd");
  g_assert_true (get_page (fixture) ==
                 fh_tabs_get_nth_page (fh_window_get_tabs (fixture->window), 3));
}

/* A file that has a draft is shown once, even when it is asked for while drafts are read. */
static void
test_restore_and_open (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "opened.py", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  FhWindow *other = fh_window_new (NULL, fixture->services);

  g_assert_true (g_file_set_contents (path, "print(1)\n", -1, NULL));
  gtk_window_present (GTK_WINDOW (other));
  fh_tabs_open_file (fh_window_get_tabs (other), file, FALSE);
  fh_window_open_text (other, "another", NULL, NULL, FALSE);
  FH_AWAIT_TRUE (count_tabs (&(Fixture){ .window = other }) == 2);
  g_object_ref (other);
  gtk_window_close (GTK_WINDOW (other));
  widget_test_finalize (other);
  fh_tabs_restore (fh_window_get_tabs (fixture->window));
  fh_tabs_open_file (fh_window_get_tabs (fixture->window), file, FALSE);
  g_assert_cmpuint (count_tabs (fixture), ==, 0);
  FH_AWAIT_TRUE (has_two_tabs (fixture));
  fh_drafts_flush (fh_services_get_drafts (fixture->services));
  widget_test_settle ();
  g_assert_cmpuint (count_tabs (fixture), ==, 2);
  g_assert_true (has_title (fixture));
}

static gboolean
shows_run (gpointer data)
{
  g_autofree char *text =
      has_tab (data) ? g_strdup (fh_document_get_text (fh_tab_get_document (get_page (data))))
                     : NULL;

  return g_strcmp0 (text, "kept") == 0;
}

static void
test_history (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) entries = NULL;
  gint64 id;

  fh_window_open_text (fixture->window, "kept", NULL, NULL, TRUE);
  fake_backend_finish (fixture->backend, 0);
  FH_AWAIT_TRUE (is_idle (fixture));
  activate (fixture, "close-tab");
  entries = fh_history_list (fh_services_get_history (fixture->services), NULL, 0, 9, NULL);
  g_assert_cmpuint (entries->len, ==, 1);
  id = fh_history_entry_get_id (g_ptr_array_index (entries, 0));
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window),
                                  "history-open",
                                  g_variant_new_int64 (id));
  FH_AWAIT_TRUE (shows_run (fixture));
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
  activate (fixture, "close-tab");
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window),
                                  "history-run",
                                  g_variant_new_int64 (id));
  FH_AWAIT_TRUE (shows_run (fixture));
  FH_AWAIT_TRUE (fake_backend_get_n_runs (fixture->backend) == 2);
}

static void
test_sidebar_action (Fixture *fixture, gconstpointer data)
{
  AdwFlap *flap = ADW_FLAP (widget_test_find (GTK_WIDGET (fixture->window), ADW_TYPE_FLAP));
  g_autoptr (GVariant) state = NULL;

  g_assert_false (adw_flap_get_reveal_flap (flap));
  activate (fixture, "show-history");
  g_assert_true (adw_flap_get_reveal_flap (flap));
  state = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), "show-history");
  g_assert_true (g_variant_get_boolean (state));
}

/* F6 goes around: editor, output, and the history when it is open. */
static void
test_next_pane (Fixture *fixture, gconstpointer data)
{
  GtkWidget *editor;

  fh_window_open_text (fixture->window, "x", NULL, NULL, FALSE);
  editor = widget_test_find (GTK_WIDGET (fixture->window), GTK_SOURCE_TYPE_VIEW);
  FH_AWAIT_TRUE (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == editor);
  activate (fixture, "next-pane");
  g_assert_nonnull (gtk_widget_get_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)),
                                             FH_TYPE_OUTPUT_VIEW));
  activate (fixture, "next-pane");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == editor);
  activate (fixture, "show-history");
  FH_AWAIT_TRUE (gtk_widget_get_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)),
                                          FH_TYPE_HISTORY_VIEW) != NULL);
  activate (fixture, "next-pane");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == editor);
}

static void
test_preferences (Fixture *fixture, gconstpointer data)
{
  FhSettings *settings = fh_services_get_settings (fixture->services);
  GtkWidget *window = fh_preferences_window_new (settings);
  AdwComboRow *scheme = ADW_COMBO_ROW (widget_test_find (window, ADW_TYPE_COMBO_ROW));
  g_autofree char *name = NULL;

  gtk_window_present (GTK_WINDOW (window));
  FH_AWAIT_TRUE (gtk_widget_get_mapped (window));
  adw_combo_row_set_selected (scheme, 2);
  g_object_get (settings, "color-scheme", &name, NULL);
  g_assert_cmpstr (name, ==, "dark");
  g_object_set (settings, "color-scheme", "follow", NULL);
  g_assert_cmpuint (adw_combo_row_get_selected (scheme), ==, 0);
  g_object_add_weak_pointer (G_OBJECT (scheme), (gpointer *) &scheme);
  g_object_ref (window);
  gtk_window_destroy (GTK_WINDOW (window));
  widget_test_finalize (window);
  /* A row that stayed would follow the settings for ever. */
  FH_AWAIT_TRUE (scheme == NULL);
}

static void
drop (Fixture *fixture, const GValue *value)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (fixture->window));

  for (int taken = FALSE, i = 0; !taken; i++)
    {
      g_autoptr (GObject) target = g_list_model_get_item (all, (guint) i);

      g_assert_nonnull (target);
      if (GTK_IS_DROP_TARGET (target) &&
          *gtk_drop_target_get_gtypes (GTK_DROP_TARGET (target), NULL) == G_VALUE_TYPE (value))
        g_signal_emit_by_name (target, "drop", value, 5.0, 5.0, &taken);
    }
}

/* Text and files become tabs, and are not run. */
static void
test_drop (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = new_file (fixture, "dropped.md");
  GSList files = { file, NULL };
  g_auto (GValue) text = G_VALUE_INIT, list = G_VALUE_INIT;

  g_value_set_string (g_value_init (&text, G_TYPE_STRING), "print('dropped')");
  drop (fixture, &text);
  g_assert_cmpstr (fh_document_get_title (fh_tab_get_document (get_page (fixture))),
                   ==,
                   "print('dropped')");
  g_value_set_boxed (g_value_init (&list, GDK_TYPE_FILE_LIST), &files);
  drop (fixture, &list);
  FH_AWAIT_TRUE (has_two_tabs (fixture));
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

int
main (int argc, char *argv[])
{
  const struct
  {
    const char *path;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/app/window/narrow", test_narrow },
    { "/app/window/header", test_header },
    { "/app/window/welcome", test_welcome },
    { "/app/window/enabled", test_enabled },
    { "/app/window/refused", test_refused },
    { "/app/window/two-tabs", test_two_tabs },
    { "/app/window/waits-for-input", test_waits_for_input },
    { "/app/window/close-and-reopen", test_close_and_reopen },
    { "/app/window/reopen-in-place", test_reopen_in_place },
    { "/app/window/reopen-without-toast", test_reopen_without_toast },
    { "/app/window/reopen-window", test_reopen_window },
    { "/app/window/close-while-running", test_close_while_running },
    { "/app/window/close-window-while-running", test_close_window_while_running },
    { "/app/window/open-file", test_open_file },
    { "/app/window/open-files", test_open_files },
    { "/app/window/open-files-meanwhile", test_open_files_meanwhile },
    { "/app/window/open-missing-file", test_open_missing_file },
    { "/app/window/restore", test_restore },
    { "/app/window/restore-and-open", test_restore_and_open },
    { "/app/window/open-before-restored", test_open_before_restored },
    { "/app/window/same-titles", test_same_titles },
    { "/app/window/foreign", test_foreign },
    { "/app/window/history", test_history },
    { "/app/window/sidebar-action", test_sidebar_action },
    { "/app/window/next-pane", test_next_pane },
    { "/app/window/preferences", test_preferences },
    { "/app/window/drop", test_drop },
  };

  if (!widget_test_init (&argc, &argv))
    return 77;
  g_object_set (gtk_settings_get_default (), "gtk-decoration-layout", "appmenu:close", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
