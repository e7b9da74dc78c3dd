/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/exhibit-tab.h"

#include <gtksourceview/gtksource.h>

#include "fake-backend.h"
#include "fake-services.h"
#include "widget-test.h"
#include "window/window.h"

/* Beside the output, in a window of the usual size. */
#define VISIBLE 52

/* Nothing of what people see first is clipped. */
static void
assert_narrow (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpint (g_utf8_strlen (lines[i], -1), <=, VISIBLE);
}

/* The text is set before the view has a size. */
static void
assert_from_first_line (GtkWidget *page)
{
  GtkWidget *view = widget_test_find (page, GTK_SOURCE_TYPE_VIEW);
  GdkRectangle visible;

  FH_AWAIT_TRUE (gtk_widget_get_height (view) > 0);
  widget_test_settle ();
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (view), &visible);
  g_assert_cmpint (visible.y, <=, 0);
}

/* Someone who starts the app for the first time sees an empty tab, and nothing runs. */
static void
test_first_start (void)
{
  char *folder = fake_folder_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  FhServices *services = fake_services_new (backend, folder);
  FhWindow *window = fh_window_new (NULL, services);
  FhTabs *tabs = fh_window_get_tabs (window);
  FhTab *page;

  gtk_window_present (GTK_WINDOW (window));
  fh_tabs_restore (tabs);
  FH_AWAIT_TRUE (fh_tabs_get_n_pages (tabs) == 1);
  g_assert_true (fh_document_is_empty (fh_tab_get_document (fh_tabs_get_page (tabs))));
  g_assert_cmpuint (fake_backend_get_n_runs (backend), ==, 0);

  /* The button of the empty tab does this, and the empty tab goes. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.exhibit", "(ss)", "first-run.py", "run");
  g_assert_cmpuint (fh_tabs_get_n_pages (tabs), ==, 1);
  page = fh_tabs_get_page (tabs);
  g_assert_cmpstr (fh_document_get_title (fh_tab_get_document (page)), ==, "A First Run");
  assert_narrow (fh_document_get_text (fh_tab_get_document (page)));
  /* Red is for what went wrong. */
  g_assert_null (strstr (fh_document_get_text (fh_tab_get_document (page)), "stderr"));
  assert_from_first_line (GTK_WIDGET (page));
  FH_AWAIT_TRUE (fake_backend_get_n_runs (backend) == 1);
  fake_backend_finish (backend, 0);
  FH_AWAIT_TRUE (fh_tab_get_run_state (page) != FH_RUN_RUNNING);
  gtk_window_destroy (GTK_WINDOW (window));
  fake_services_free (services);
  fake_folder_free (folder);
}

static void
test_shown (void)
{
  char *folder = fake_folder_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  FhServices *services = fake_services_new (backend, folder);
  FhWindow *window = fh_window_new (NULL, services);
  FhTabs *tabs = fh_window_get_tabs (window);

  gtk_window_present (GTK_WINDOW (window));
  for (const FhExhibit *exhibit = fh_exhibit_list (); exhibit->file_name != NULL; exhibit++)
    {
      FhTab *page = FH_TAB (fh_tab_new (services));
      g_autofree char *text = NULL;

      fh_exhibit_tab_show (page, exhibit);
      fh_tabs_add (tabs, page);
      /* It replaces the one before, which was not touched. */
      g_assert_cmpuint (fh_tabs_get_n_pages (tabs), ==, 1);
      g_assert_cmpstr (fh_document_get_title (fh_tab_get_document (page)), ==, exhibit->title);
      text = g_strdup (fh_document_get_text (fh_tab_get_document (page)));
      g_assert_cmpuint (strlen (text), >, 100);
      g_assert_null (strstr (text, "SPDX"));
    }
  gtk_window_destroy (GTK_WINDOW (window));
  fake_services_free (services);
  fake_folder_free (folder);
}

static gboolean
has_resource (const char *folder, const char *name)
{
  g_autofree char *path = g_strconcat ("/io/github/fumehood/Fumehood/", folder, "/", name, NULL);

  return g_resources_get_info (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
}

static void
test_resources (void)
{
  for (const FhExhibit *exhibit = fh_exhibit_list (); exhibit->file_name != NULL; exhibit++)
    {
      g_autofree char *stem = g_strndup (exhibit->file_name, strcspn (exhibit->file_name, "."));
      g_autofree char *picture = g_strconcat (stem, ".svg", NULL);

      g_assert_true (has_resource ("exhibits", exhibit->file_name));
      g_assert_true (has_resource ("pictures", picture));
    }
}

WIDGET_TESTS ({ "/app/exhibit-tab/first-start", test_first_start },
              { "/app/exhibit-tab/shown", test_shown },
              { "/app/exhibit-tab/resources", test_resources });
