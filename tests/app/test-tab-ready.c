/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that is asked for before it is known what the guards are worth. */
#include "page-fixture.h"

static void
check_guards (PageFixture *fixture)
{
  FhProtection *protection = fh_probes_get_here (fh_services_get_probes (fixture->services));

  fh_protection_check (protection, FH_BACKEND (fixture->backend));
  while (fh_protection_get_state (protection) == FH_PROTECTION_CHECKING)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_refused (PageFixture *fixture, gconstpointer data)
{
  page_fixture_type (fixture, "x");
  fake_backend_set_probe (fixture->backend, FALSE, "No.");
  check_guards (fixture);
  fh_tab_run (fixture->page);
  fh_tab_run_when_ready (fixture->page);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
  fake_backend_set_probe (fixture->backend, TRUE, NULL);
  check_guards (fixture);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

/* Asks for a run while the guards are being checked. */
static void
ask_for_run (PageFixture *fixture)
{
  FhProtection *protection = fh_probes_get_here (fh_services_get_probes (fixture->services));

  fh_protection_check (protection, FH_BACKEND (fixture->backend));
  fh_tab_run_when_ready (fixture->page);
  g_assert_cmpint (fh_protection_get_state (protection), ==, FH_PROTECTION_CHECKING);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

/* It is run once, as soon as it may be. */
static void
test_ready (PageFixture *fixture, gconstpointer data)
{
  page_fixture_type (fixture, "x");
  ask_for_run (fixture);
  fh_tab_run_when_ready (fixture->page);
  check_guards (fixture);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
  fake_backend_finish (fixture->backend, 0);
  check_guards (fixture);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
}

/* Whoever asked for a run did not ask for that of another text or with other options. */
static void
test_ready_too_late (PageFixture *fixture, gconstpointer data)
{
  /* Nothing is laid out: GTK may measure a notice with a rounding error and complain of itself. */
  gtk_widget_set_visible (GTK_WIDGET (fixture->window), FALSE);
  page_fixture_type (fixture, "x");
  ask_for_run (fixture);
  page_fixture_type (fixture, "y");
  check_guards (fixture);
  ask_for_run (fixture);
  g_object_set (fh_tab_get_options (fixture->page), "limits-wall-ms", (guint64) 7000, NULL);
  check_guards (fixture);
  ask_for_run (fixture);
  fh_tab_set_text (fixture->page, "z", NULL, NULL);
  check_guards (fixture);
  ask_for_run (fixture);
  fh_tab_close (fixture->page);
  check_guards (fixture);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

WIDGET_FIXTURE_TESTS (PageFixture,
                      page_fixture_set_up,
                      page_fixture_tear_down,
                      { "/app/tab-ready/refused", test_refused },
                      { "/app/tab-ready/once", test_ready },
                      { "/app/tab-ready/too-late", test_ready_too_late });
