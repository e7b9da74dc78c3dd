/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking for a scope always comes to an end, and only a scope that stands counts. Systemd is
 * fake-systemd.c, on a bus of the test's own or at the other end of a socket. */
#include "systemd-scope.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "fake-systemd.h"

typedef struct
{
  GTestDBus *bus;
  GDBusConnection *connection; /* systemd's */
  char *runtime_folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->runtime_folder = g_dir_make_tmp ("fh-runtime-XXXXXX", NULL);
  g_assert_nonnull (fixture->runtime_folder);
  g_setenv ("XDG_RUNTIME_DIR", fixture->runtime_folder, TRUE);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "disabled:", TRUE);
}

static void
set_up_bus (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  const char *address;

  set_up (fixture, data);
  fixture->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (fixture->bus);
  g_setenv ("XDG_RUNTIME_DIR", fixture->runtime_folder, TRUE);
  address = g_test_dbus_get_bus_address (fixture->bus);
  fixture->connection =
      g_dbus_connection_new_for_address_sync (address,
                                              G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                  G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                              NULL,
                                              NULL,
                                              &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->runtime_folder, "systemd", NULL);
  g_autofree char *private_socket = g_build_filename (folder, "private", NULL);
  g_autofree char *bus_socket = g_build_filename (fixture->runtime_folder, "bus", NULL);

  fake_systemd_end ();
  fh_systemd_forget ();
  g_clear_object (&fixture->connection);
  if (fixture->bus != NULL)
    {
      g_test_dbus_down (fixture->bus);
      g_clear_object (&fixture->bus);
    }
  g_unlink (private_socket);
  g_unlink (bus_socket);
  g_rmdir (folder);
  g_rmdir (fixture->runtime_folder);
  g_free (fixture->runtime_folder);
}

typedef struct
{
  guint calls;
  gboolean has_scope;
  GError *error;
} Outcome;

static void
started_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->calls++;
  outcome->has_scope = fh_systemd_scope_start_finish (result, &outcome->error);
  g_assert_cmpint (outcome->has_scope, ==, outcome->error == NULL);
}

static void
wait_for (Outcome *outcome)
{
  while (outcome->calls == 0)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
timeout_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Whatever is still on its way arrives. */
static void
settle (void)
{
  gboolean is_over = FALSE;

  g_timeout_add (100, timeout_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

/* TRUE when there is a scope; otherwise `code` is why not. */
static gboolean
start (GError **error)
{
  Outcome outcome = { 0 };

  fh_systemd_scope_start_async (4711, NULL, started_cb, &outcome);
  wait_for (&outcome);
  if (outcome.error != NULL)
    g_propagate_error (error, outcome.error);
  return outcome.has_scope;
}

static void
assert_property (const char *name, GVariant *expected)
{
  g_autoptr (GVariant) wanted = g_variant_ref_sink (expected);
  g_autoptr (GVariant) value = NULL;
  GVariantIter properties;
  const char *key;
  GVariant *each;

  g_variant_iter_init (&properties, fake_systemd_get_properties ());
  while (g_variant_iter_loop (&properties, "(&sv)", &key, &each))
    {
      if (g_str_equal (key, name))
        value = g_variant_ref (each);
    }
  g_assert_nonnull (value);
  g_assert_true (g_variant_equal (value, wanted));
}

static void
test_done (Fixture *fixture, gconstpointer data)
{
  g_autofree char *prefix =
      g_strdup_printf ("io.github.fumehood.Fumehood-run-%d-", (int) getpid ());
  const guint32 pids[] = { 4711 };
  g_autofree char *first = NULL;

  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_DOES);
  g_assert_true (fh_systemd_may_exist ());
  g_assert_true (start (NULL));
  first = g_strdup (fake_systemd_get_unit ());
  g_assert_true (g_str_has_prefix (first, prefix));
  g_assert_true (g_str_has_suffix (first, ".scope"));
  assert_property ("PIDs", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, pids, 1, 4));
  assert_property ("Delegate", g_variant_new_boolean (TRUE));
  assert_property ("CollectMode", g_variant_new_string ("inactive-or-failed"));
  /* The next one has another name. */
  g_assert_true (start (NULL));
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 2);
  g_assert_cmpstr (fake_systemd_get_unit (), !=, first);
}

static void
test_done_before_the_answer (Fixture *fixture, gconstpointer data)
{
  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_IS_QUICK);
  g_assert_true (start (NULL));
}

/* One scope that failed says nothing of the next. */
static void
test_failed (Fixture *fixture, gconstpointer data)
{
  const FakeSystemdAct acts[] = { FAKE_SYSTEMD_FAILS, FAKE_SYSTEMD_REFUSES };

  for (gsize i = 0; i < G_N_ELEMENTS (acts); i++)
    {
      g_autoptr (GError) error = NULL;

      fake_systemd_begin (fixture->connection, acts[i]);
      g_assert_false (start (&error));
      g_assert_nonnull (error);
      g_assert_true (fh_systemd_may_exist ());
    }
  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_DOES);
  g_assert_true (start (NULL));
}

/* It is waited for once, and never again. */
static void
test_no_end (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_systemd_begin (fixture->connection, (FakeSystemdAct) GPOINTER_TO_INT (data));
  g_assert_false (start (&error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 1);
  g_assert_false (fh_systemd_may_exist ());
}

/* It went away when it was asked; next time it is known to be gone. */
static void
test_disappears (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_DISAPPEARS);
  g_assert_false (start (&error));
  g_assert_nonnull (error);
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 1);
  g_assert_false (start (NULL));
  g_assert_false (fh_systemd_may_exist ());
}

static void
test_bus_without_systemd (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_systemd_may_exist ());
  g_assert_false (start (&error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_false (fh_systemd_may_exist ());
}

static void
test_bus_goes_away (Fixture *fixture, gconstpointer data)
{
  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_DOES);
  g_assert_true (start (NULL));
  fake_systemd_end ();
  g_clear_object (&fixture->connection);
  g_test_dbus_down (fixture->bus);
  g_clear_object (&fixture->bus);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", TRUE);
  settle ();
  g_assert_false (start (NULL));
  g_assert_false (fh_systemd_may_exist ());
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Outcome outcome = { 0 };

  fake_systemd_begin (fixture->connection, (FakeSystemdAct) GPOINTER_TO_INT (data));
  fh_systemd_scope_start_async (4711, cancellable, started_cb, &outcome);
  while (fake_systemd_get_calls () == 0)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (cancellable);
  wait_for (&outcome);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&outcome.error);
  settle ();
  g_assert_cmpuint (outcome.calls, ==, 1);
  /* No error is remembered. */
  g_assert_true (fh_systemd_may_exist ());
  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_DOES);
  g_assert_true (start (NULL));
}

static void
test_cancelled_at_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Outcome outcome = { 0 };

  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_DOES);
  g_cancellable_cancel (cancellable);
  fh_systemd_scope_start_async (4711, cancellable, started_cb, &outcome);
  g_assert_cmpuint (outcome.calls, ==, 0);
  wait_for (&outcome);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&outcome.error);
  settle ();
  g_assert_cmpuint (outcome.calls, ==, 1);
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 0);
}

static void
test_several_at_once (Fixture *fixture, gconstpointer data)
{
  Outcome outcomes[5] = { 0 };

  fake_systemd_begin (fixture->connection, FAKE_SYSTEMD_DOES);
  for (gsize i = 0; i < G_N_ELEMENTS (outcomes); i++)
    fh_systemd_scope_start_async (4711, NULL, started_cb, &outcomes[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (outcomes); i++)
    {
      wait_for (&outcomes[i]);
      g_assert_no_error (outcomes[i].error);
    }
  g_assert_cmpuint (fake_systemd_get_calls (), ==, G_N_ELEMENTS (outcomes));
}

/* Without a bus that costs nothing. */
static void
test_no_bus (Fixture *fixture, gconstpointer data)
{
  const char *const addresses[] = { "disabled:", "autolaunch:", "nonsense", "", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      gint64 begun = g_get_monotonic_time ();

      fh_systemd_forget ();
      if (addresses[i] == NULL)
        g_unsetenv ("DBUS_SESSION_BUS_ADDRESS");
      else
        g_setenv ("DBUS_SESSION_BUS_ADDRESS", addresses[i], TRUE);
      for (guint j = 0; j < 100; j++)
        g_assert_false (fh_systemd_may_exist ());
      begun = g_get_monotonic_time () - begun;
      g_test_message ("%" G_GINT64_FORMAT " µs for 100 questions", begun);
      g_assert_cmpint (begun, <, 100 * G_TIME_SPAN_MILLISECOND);
    }
}

/* A socket without a listener is tried once. */
static void
test_dead_socket (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->runtime_folder, "bus", NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocket) socket =
      g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL);
  gint64 begun;

  g_unsetenv ("DBUS_SESSION_BUS_ADDRESS");
  g_assert_true (g_socket_bind (socket, address, FALSE, NULL));
  g_assert_true (fh_systemd_may_exist ());
  begun = g_get_monotonic_time ();
  g_assert_false (start (NULL));
  g_test_message ("%" G_GINT64_FORMAT " µs to find out", g_get_monotonic_time () - begun);
  g_assert_false (fh_systemd_may_exist ());
}

static gboolean
new_connection_cb (GDBusServer *server, GDBusConnection *connection, gpointer user_data)
{
  fake_systemd_begin (connection, FAKE_SYSTEMD_DOES);
  return TRUE;
}

/* Also when the session bus is there but systemd is not on it. */
static void
test_private_socket (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->runtime_folder, "systemd", NULL);
  g_autofree char *address = g_strdup_printf ("unix:path=%s/private", folder);
  g_autofree char *guid = g_dbus_generate_guid ();
  g_autoptr (GDBusServer) server = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  server = g_dbus_server_new_sync (address, G_DBUS_SERVER_FLAGS_NONE, guid, NULL, NULL, NULL);
  g_assert_nonnull (server);
  g_signal_connect (server, "new-connection", G_CALLBACK (new_connection_cb), NULL);
  g_dbus_server_start (server);
  g_assert_true (fh_systemd_may_exist ());
  g_assert_true (start (NULL));
  g_assert_true (start (NULL));
  g_assert_cmpuint (fake_systemd_get_calls (), ==, 2);
  g_dbus_server_stop (server);
}

#define BUS(name, act, test)                                                                       \
  g_test_add ("/systemd-scope/" name, Fixture, GINT_TO_POINTER (act), set_up_bus, test, tear_down)
#define NO_BUS(name, test)                                                                         \
  g_test_add ("/systemd-scope/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  BUS ("done", 0, test_done);
  BUS ("done-before-the-answer", 0, test_done_before_the_answer);
  BUS ("failed", 0, test_failed);
  BUS ("never-answers", FAKE_SYSTEMD_NEVER_ANSWERS, test_no_end);
  BUS ("never-finishes", FAKE_SYSTEMD_NEVER_FINISHES, test_no_end);
  BUS ("other-jobs", FAKE_SYSTEMD_DOES_ANOTHER, test_no_end);
  BUS ("disappears", 0, test_disappears);
  BUS ("bus-without-systemd", 0, test_bus_without_systemd);
  BUS ("bus-goes-away", 0, test_bus_goes_away);
  BUS ("cancelled-before-the-answer", FAKE_SYSTEMD_NEVER_ANSWERS, test_cancelled);
  BUS ("cancelled-after-the-answer", FAKE_SYSTEMD_NEVER_FINISHES, test_cancelled);
  BUS ("cancelled-at-once", 0, test_cancelled_at_once);
  BUS ("several-at-once", 0, test_several_at_once);
  BUS ("private-socket-beside-a-bus", 0, test_private_socket);
  NO_BUS ("private-socket", test_private_socket);
  NO_BUS ("no-bus", test_no_bus);
  NO_BUS ("dead-socket", test_dead_socket);
  return g_test_run ();
}
