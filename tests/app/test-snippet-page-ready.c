/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that is asked for before it is known what the guards are worth. */
#include <gtksourceview/gtksource.h>

#include "fake-services.h"
#include "widget-test.h"
#include "window/snippet-page.h"

typedef struct
{
  char *folder;
  FakeBackend *backend;
  FhServices *services;
  FhSnippetPage *page;
  GtkWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = fake_folder_new ();
  fixture->backend = fake_backend_new ();
  fixture->services = fake_services_new (fixture->backend, fixture->folder);
  fixture->page = FH_SNIPPET_PAGE (fh_snippet_page_new (fixture->services));
  fixture->window = widget_test_window (GTK_WIDGET (fixture->page), 800, 500);
}

static gboolean
is_idle (gpointer data)
{
  return !fh_old_recorder_get_busy (fh_services_get_recorder (((Fixture *) data)->services));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  FhSnippetPage *page = g_object_ref (fixture->page);

  gtk_window_destroy (fixture->window);
  fh_drafts_flush (fh_services_get_drafts (fixture->services));
  widget_test_finalize (page);
  widget_test_wait_until (is_idle, fixture);
  g_object_set (fh_services_get_settings (fixture->services), "language", "python", NULL);
  widget_test_finalize (fixture->services);
  g_object_unref (fixture->backend);
  fake_folder_free (fixture->folder);
}

static GtkTextBuffer *
get_buffer (Fixture *fixture)
{
  GtkWidget *view = widget_test_find (GTK_WIDGET (fixture->page), GTK_SOURCE_TYPE_VIEW);

  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
}

static void
type (Fixture *fixture, const char *text)
{
  gtk_text_buffer_insert_at_cursor (get_buffer (fixture), text, -1);
}

static void
check_guards (Fixture *fixture)
{
  FhProtection *protection = fh_probes_get_here (fh_services_get_probes (fixture->services));

  fh_protection_check (protection, FH_BACKEND (fixture->backend));
  while (fh_protection_get_state (protection) == FH_PROTECTION_CHECKING)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  type (fixture, "x");
  fake_backend_set_probe (fixture->backend, FALSE, "No.");
  check_guards (fixture);
  fh_snippet_page_run (fixture->page);
  fh_snippet_page_run_when_ready (fixture->page);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
  fake_backend_set_probe (fixture->backend, TRUE, NULL);
  check_guards (fixture);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

/* Asks for a run while the guards are being checked. */
static void
ask_for_run (Fixture *fixture)
{
  FhProtection *protection = fh_probes_get_here (fh_services_get_probes (fixture->services));

  fh_protection_check (protection, FH_BACKEND (fixture->backend));
  fh_snippet_page_run_when_ready (fixture->page);
  g_assert_cmpint (fh_protection_get_state (protection), ==, FH_PROTECTION_CHECKING);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

/* It is run once, as soon as it may be. */
static void
test_ready (Fixture *fixture, gconstpointer data)
{
  type (fixture, "x");
  ask_for_run (fixture);
  fh_snippet_page_run_when_ready (fixture->page);
  check_guards (fixture);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
  fake_backend_finish (fixture->backend, 0);
  check_guards (fixture);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
}

/* Whoever asked for a run did not ask for that of another text or with other options. */
static void
test_ready_too_late (Fixture *fixture, gconstpointer data)
{
  /* Nothing is laid out: GTK may measure a notice with a rounding error and complain of itself. */
  gtk_widget_set_visible (GTK_WIDGET (fixture->window), FALSE);
  type (fixture, "x");
  ask_for_run (fixture);
  type (fixture, "y");
  check_guards (fixture);
  ask_for_run (fixture);
  g_object_set (fh_snippet_page_get_options (fixture->page),
                "limits-wall-ms",
                (guint64) 7000,
                NULL);
  check_guards (fixture);
  ask_for_run (fixture);
  fh_snippet_page_set_text (fixture->page, "z", NULL, NULL);
  check_guards (fixture);
  ask_for_run (fixture);
  fh_snippet_page_close (fixture->page);
  check_guards (fixture);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

int
main (int argc, char *argv[])
{
  if (!widget_test_init (&argc, &argv))
    return 77;
  g_test_add ("/app/snippet-page-ready/refused", Fixture, NULL, set_up, test_refused, tear_down);
  g_test_add ("/app/snippet-page-ready/once", Fixture, NULL, set_up, test_ready, tear_down);
  g_test_add ("/app/snippet-page-ready/too-late",
              Fixture,
              NULL,
              set_up,
              test_ready_too_late,
              tear_down);
  return g_test_run ();
}
