/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last cell of a session, around a backend that answers what the test says. */
#include "cells.h"

#include <string.h>

#include "fake-backend.h"
#include "fh-test.h"
#include "run-driver.h"

typedef struct
{
  FakeBackend *backend;
  FhProbes *probes;
  FhExecutor *executor;
  FhCells *cells;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhCell) cell = fh_cell_new_execute ("x = 1", NULL);

  fixture->backend = fake_backend_new ();
  fixture->probes = fh_probes_new (FH_BACKEND (fixture->backend));
  fixture->executor = fh_executor_new (fixture->probes, NULL);
  fixture->cells = fh_cells_new (fixture->executor, NULL);
  fh_cells_set_options (fixture->cells, options);
  g_assert_true (fh_cells_push (fixture->cells, cell, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  /* Nothing else holds them by then. */
  g_assert_finalize_object (fixture->executor);
  g_object_unref (fixture->probes);
  g_object_unref (fixture->backend);
}

static void
await_run (Fixture *fixture, guint number)
{
  while (fake_backend_get_n_runs (fixture->backend) < number)
    g_main_context_iteration (NULL, TRUE);
}

static void
answer (Fixture *fixture)
{
  static const char text[] = "{\"success\": true, \"cell\": 1}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);

  fh_run_set_answer (fake_backend_get_run (fixture->backend), bytes);
  fake_backend_finish (fixture->backend, 0);
}

/* It runs although the session is closed meanwhile. */
static void
test_idle (Fixture *fixture, gconstpointer data)
{
  GBytes *order;

  await_run (fixture, 1);
  answer (fixture);
  fh_cells_close (g_steal_pointer (&fixture->cells), fixture->executor);
  fh_executor_close (fixture->executor);
  await_run (fixture, 2);
  order = fh_run_request_get_cell (fh_run_get_request (fake_backend_get_run (fixture->backend)));
  g_assert_nonnull (
      g_strstr_len (g_bytes_get_data (order, NULL), (gssize) g_bytes_get_size (order), "\"end\""));
  answer (fixture);
}

/* A cell that runs is not waited for. */
static void
test_running (Fixture *fixture, gconstpointer data)
{
  await_run (fixture, 1);
  fh_cells_close (g_steal_pointer (&fixture->cells), fixture->executor);
  fh_executor_close (fixture->executor);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
}

/* Without an interpreter nothing runs. */
static void
test_unused (Fixture *fixture, gconstpointer data)
{
  fh_cells_close (g_steal_pointer (&fixture->cells), fixture->executor);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/cells-close/idle", test_idle },
                  { "/cells-close/running", test_running },
                  { "/cells-close/unused", test_unused });
