/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A runner is told what to do once it is known whether it has a control group, and told the truth
 * about that. Systemd is fake-systemd.c, the runner fake-runner.c. */
#include <string.h>

#include "fake-systemd.h"
#include "native-sandbox.h"
#include "stand-in.h"
#include "systemd-scope.h"

typedef struct
{
  GTestDBus *bus;
  GDBusConnection *connection; /* systemd's */
  FhSandbox *sandbox;
  FhRunRequest *request;
} Fixture;

static FhRunRequest *
new_request_in_tier (FhRunLimits limits, FhTier tier)
{
  FhRunGuards guards = FH_RUN_GUARDS_DEFAULT;
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;
  FhRunRequest *request;

  guards.tier = tier;
  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = limits,
          .guards = &guards,
      },
      &error);
  g_assert_no_error (error);
  return request;
}

static FhRunRequest *
new_request (FhRunLimits limits)
{
  return new_request_in_tier (limits, FH_TIER_AUTO);
}

static FhSandbox *
new_sandbox (void)
{
  return fh_native_sandbox_new ();
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (fixture->bus);
  fixture->connection =
      g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (fixture->bus),
                                              G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                  G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                              NULL,
                                              NULL,
                                              &error);
  g_assert_no_error (error);
  fake_systemd_begin (fixture->connection, (FakeSystemdAct) GPOINTER_TO_INT (data));
  stand_in_use ("scope");
  fixture->request = new_request (FH_RUN_LIMITS_DEFAULT);
  fixture->sandbox = new_sandbox ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->sandbox);
  g_clear_object (&fixture->request);
  fake_systemd_end ();
  fh_systemd_forget ();
  g_clear_object (&fixture->connection);
  g_test_dbus_down (fixture->bus);
  g_clear_object (&fixture->bus);
}

static void
wait_for_end (FhRun *run)
{
  while (fh_run_get_state (run) != FH_RUN_FINISHED)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_question (void)
{
  while (fake_systemd_get_calls () == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_told (FhSandbox *sandbox, FhRunRequest *request, const char *expected)
{
  g_autoptr (FhRun) run = fh_sandbox_run (sandbox, request);
  g_autofree char *output = NULL;

  wait_for_end (run);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status,
                   ==,
                   FH_RUN_STATUS_OK);
  output = fh_output_log_dup_text (fh_run_get_output (run), FH_STREAM_STDOUT);
  g_assert_cmpstr (output, ==, expected);
}

static void
test_with_scope (Fixture *fixture, gconstpointer data)
{
  assert_told (fixture->sandbox, fixture->request, "scope");
  /* Each run has a runner of its own. */
  assert_told (fixture->sandbox, fixture->request, "scope");
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 2);
}

static void
test_without_scope (Fixture *fixture, gconstpointer data)
{
  assert_told (fixture->sandbox, fixture->request, "none");
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 1);
}

/* There is nothing that a control group would be for. */
static void
test_without_limits (Fixture *fixture, gconstpointer data)
{
  const FhRunLimits limits = { .wall_ms = 30000 };
  g_autoptr (FhRunRequest) request = new_request (limits);
  g_autoptr (FhSandbox) sandbox = new_sandbox ();

  assert_told (sandbox, request, "none");
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 0);
}

/* Nor where the user wants no guards. */
static void
test_unprotected (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunRequest) request =
      new_request_in_tier (FH_RUN_LIMITS_DEFAULT, FH_TIER_UNPROTECTED);

  assert_told (fixture->sandbox, request, "none");
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 0);
}

/* A caller that does not wait for systemd either. */
static void
test_stopped_while_waiting (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRun) run = fh_sandbox_run (fixture->sandbox, fixture->request);

  wait_for_question ();
  fh_run_stop (run);
  wait_for_end (run);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
  /* Systemd's time was not over yet, or it would never be asked again. */
  g_assert_true (fh_systemd_may_exist ());
  /* The next run waits for its own scope. */
  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_DOES);
  assert_told (fixture->sandbox, fixture->request, "scope");
}

static void
test_disposed_while_waiting (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRun) run = fh_sandbox_run (fixture->sandbox, fixture->request);

  wait_for_question ();
  g_clear_object (&fixture->sandbox);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_FINISHED);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
  for (guint i = 0; i < 20; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
}

#define ADD(name, act, test)                                                                       \
  g_test_add ("/order/" name, Fixture, GINT_TO_POINTER (act), set_up, test, tear_down)

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  ADD ("with-scope", FAKE_SYSTEMD_DOES, test_with_scope);
  ADD ("failed", FAKE_SYSTEMD_FAILS, test_without_scope);
  ADD ("refused", FAKE_SYSTEMD_REFUSES, test_without_scope);
  ADD ("disappeared", FAKE_SYSTEMD_DISAPPEARS, test_without_scope);
  ADD ("no-answer", FAKE_SYSTEMD_NEVER_ANSWERS, test_without_scope);
  ADD ("without-limits", FAKE_SYSTEMD_DOES, test_without_limits);
  ADD ("unprotected", FAKE_SYSTEMD_DOES, test_unprotected);
  ADD ("stopped-while-waiting", FAKE_SYSTEMD_NEVER_ANSWERS, test_stopped_while_waiting);
  ADD ("disposed-while-waiting", FAKE_SYSTEMD_NEVER_ANSWERS, test_disposed_while_waiting);
  status = g_test_run ();
  stand_in_end ();
  return status;
}
