/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tab says about whether something runs never falls in between: between the cells of a
 * session, the blocks of an answer or the two runs of an exhibit. */
#include <string.h>

#include "page-fixture.h"
#include "run-driver.h"

/* The states that were told, a letter each, without repetitions: "p" preparing, "r" running, "s"
 * stopping, "." finished; and whether the recorder was busy, "b" or "-". */
typedef struct
{
  PageFixture page;
  GString *states;
  GString *busy;
} Fixture;

static void
state_cb (Fixture *fixture)
{
  const FhRunState state = fh_tab_get_run_state (fixture->page.page);
  const char letter = state == FH_RUN_FINISHED   ? '.'
                      : state == FH_RUN_RUNNING  ? 'r'
                      : state == FH_RUN_STOPPING ? 's'
                                                 : 'p';

  if (fixture->states->len == 0 || fixture->states->str[fixture->states->len - 1] != letter)
    g_string_append_c (fixture->states, letter);
}

static void
busy_cb (Fixture *fixture)
{
  FhRecorder *recorder = fh_services_get_recorder (fixture->page.services);

  g_string_append_c (fixture->busy, fh_recorder_get_busy (recorder) ? 'b' : '-');
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  page_fixture_set_up (&fixture->page, data);
  fixture->states = g_string_new (NULL);
  fixture->busy = g_string_new (NULL);
  g_signal_connect_swapped (fixture->page.page,
                            "notify::run-state",
                            G_CALLBACK (state_cb),
                            fixture);
  g_signal_connect_swapped (fh_services_get_recorder (fixture->page.services),
                            "notify::busy",
                            G_CALLBACK (busy_cb),
                            fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_signal_handlers_disconnect_by_data (fixture->page.page, fixture);
  g_signal_handlers_disconnect_by_data (fh_services_get_recorder (fixture->page.services), fixture);
  page_fixture_tear_down (&fixture->page, data);
  g_string_free (fixture->states, TRUE);
  g_string_free (fixture->busy, TRUE);
}

static void
await_run (Fixture *fixture, guint number)
{
  FH_AWAIT_TRUE (fake_backend_get_n_runs (fixture->page.backend) >= number);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->page.backend), ==, number);
}

static void
await_saved (Fixture *fixture)
{
  FH_AWAIT_TRUE (!fh_recorder_get_busy (fh_services_get_recorder (fixture->page.services)));
}

/* The interpreter answers the cell that runs, whose order has this in it. */
static void
answer (Fixture *fixture, const char *order)
{
  FhRun *run = fake_backend_get_run (fixture->page.backend);
  GBytes *cell = fh_run_request_get_parts (fh_run_get_request (run))->cell;
  g_autoptr (GBytes) json = g_bytes_new_static ("{\"success\": true, \"cell\": 2}", 28);

  g_assert_nonnull (
      g_strstr_len (g_bytes_get_data (cell, NULL), (gssize) g_bytes_get_size (cell), order));
  fh_run_set_answer (run, json);
  fake_backend_finish (fixture->page.backend, 0);
}

static void
test_program (Fixture *fixture, gconstpointer data)
{
  page_fixture_type (&fixture->page, "x");
  fh_tab_run (fixture->page.page);
  fake_backend_finish (fixture->page.backend, 0);
  await_saved (fixture);
  g_assert_cmpstr (fixture->states->str, ==, "pr.");
  g_assert_cmpstr (fixture->busy->str, ==, "b-");
}

static void
test_answer (Fixture *fixture, gconstpointer data)
{
  page_fixture_type (&fixture->page, "```sh\n1\n```\n\n```sh\n2\n```\n");
  fh_tab_run (fixture->page.page);
  await_run (fixture, 1);
  fake_backend_finish (fixture->page.backend, 0);
  await_run (fixture, 2);
  fake_backend_finish (fixture->page.backend, 0);
  await_saved (fixture);
  g_assert_true (g_str_has_suffix (fixture->states->str, "r."));
  g_assert_null (strstr (fixture->states->str, ".r"));
  g_assert_cmpstr (fixture->busy->str, ==, "b-");
}

/* Each cell is followed by a silent one that lists the variables, before the next one that waits.
 */
static void
test_session (Fixture *fixture, gconstpointer data)
{
  FhTab *page = fixture->page.page;

  page_fixture_type (&fixture->page, "# %%\n1\n# %%\n2\n# %%\n3\n");
  fh_tab_set_session (page, TRUE);
  fh_tab_show_results (page, "variables");
  g_string_truncate (fixture->states, 0);
  fh_tab_run (page);
  for (guint i = 0; i < 3; i++)
    {
      await_run (fixture, 2 * i + 1);
      answer (fixture, "\"execute\"");
      g_assert_cmpint (fh_tab_get_run_state (page) == FH_RUN_FINISHED, ==, i == 2);
      await_run (fixture, 2 * i + 2);
      answer (fixture, "\"list\"");
    }
  g_assert_true (g_str_has_suffix (fixture->states->str, "r."));
  g_assert_null (strstr (fixture->states->str, ".r"));
  g_assert_null (strstr (fixture->states->str, ".p"));
  g_assert_cmpstr (fixture->busy->str, ==, "b-");
  /* The interpreter ends by itself, although the tab is gone. */
  fh_tab_close (page);
  await_run (fixture, 7);
  answer (fixture, "\"end\"");
  await_saved (fixture);
  g_assert_cmpstr (fixture->busy->str, ==, "b-b-");
}

static void
start_exhibit (Fixture *fixture)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) bare = fh_run_options_new ();

  bare->guards.without = 1u << FH_GUARD_NETWORK;
  page_fixture_type (&fixture->page, "x");
  fh_tab_run_with (fixture->page.page, options, bare);
  await_run (fixture, 1);
}

static void
test_exhibit (Fixture *fixture, gconstpointer data)
{
  start_exhibit (fixture);
  fake_backend_finish (fixture->page.backend, 0);
  g_assert_cmpint (fh_tab_get_run_state (fixture->page.page), ==, FH_RUN_PREPARING);
  await_run (fixture, 2);
  fake_backend_finish (fixture->page.backend, 0);
  await_saved (fixture);
  g_assert_cmpstr (fixture->states->str, ==, "prpr.");
  g_assert_cmpstr (fixture->busy->str, ==, "b-");
}

/* Stop between the two runs is meant for the second one. */
static void
test_exhibit_stopped (Fixture *fixture, gconstpointer data)
{
  start_exhibit (fixture);
  fake_backend_finish (fixture->page.backend, 0);
  fh_tab_stop (fixture->page.page);
  g_assert_cmpint (fh_tab_get_run_state (fixture->page.page), ==, FH_RUN_FINISHED);
  await_saved (fixture);
  widget_test_settle ();
  await_run (fixture, 1);
  g_assert_cmpstr (fixture->states->str, ==, "prp.");
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/app/tab-states/program", test_program },
                      { "/app/tab-states/answer", test_answer },
                      { "/app/tab-states/session", test_session },
                      { "/app/tab-states/exhibit", test_exhibit },
                      { "/app/tab-states/exhibit-stopped", test_exhibit_stopped });
