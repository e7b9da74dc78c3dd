/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process in a sub-sandbox, for any portal: it is told once how it ended, or why there was none.
 * The portal is one of this test's, on a bus of its own. */
#include "portal.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME      "org.freedesktop.portal.Flatpak"
#define PATH      "/org/freedesktop/portal/Flatpak"
#define INTERFACE "org.freedesktop.portal.Flatpak"

#define PID 4711

static const char interface_xml[] =
    "<node><interface name='" INTERFACE "'>"
    "<property name='version' type='u' access='read'/>"
    "<method name='Spawn'>"
    "<arg type='ay' direction='in'/><arg type='aay' direction='in'/>"
    "<arg type='a{uh}' direction='in'/><arg type='a{ss}' direction='in'/>"
    "<arg type='u' direction='in'/><arg type='a{sv}' direction='in'/>"
    "<arg type='u' direction='out'/></method>"
    "<method name='SpawnSignal'><arg type='u' direction='in'/><arg type='u' direction='in'/>"
    "<arg type='b' direction='in'/></method>"
    "<signal name='SpawnExited'><arg type='u'/><arg type='u'/></signal>"
    "</interface></node>";

/* What the portal does when it is asked to spawn. */
typedef enum
{
  ANSWERS,
  ANSWERS_AFTER_THE_EXIT,
  REFUSES,
  IS_SILENT,
} Manner;

typedef struct
{
  GTestDBus *bus;
  GDBusConnection *connection; /* the portal's */
  guint object;
  guint owner;
  guint32 version;
  Manner manner;
  GDBusMethodInvocation *unanswered;
  GVariant *call;   /* of Spawn */
  GUnixFDList *fds; /* the same */
  GVariant *killed; /* the call of SpawnSignal */
  /* The child's end. */
  guint n_ends;
  const char *step;
  int error;
  int wait_status;
} Fixture;

static void
tell_exit (Fixture *fixture, guint32 pid, guint32 wait_status)
{
  g_autoptr (GError) error = NULL;

  g_dbus_connection_emit_signal (fixture->connection,
                                 NULL,
                                 PATH,
                                 INTERFACE,
                                 "SpawnExited",
                                 g_variant_new ("(uu)", pid, wait_status),
                                 &error);
  g_assert_no_error (error);
}

static void
handle_spawn (Fixture *fixture, GVariant *parameters, GDBusMethodInvocation *invocation)
{
  fixture->call = g_variant_ref (parameters);
  fixture->fds = g_object_ref (
      g_dbus_message_get_unix_fd_list (g_dbus_method_invocation_get_message (invocation)));
  switch (fixture->manner)
    {
    case ANSWERS_AFTER_THE_EXIT:
      tell_exit (fixture, PID + 1, 0);
      tell_exit (fixture, PID, 3 << 8);
      G_GNUC_FALLTHROUGH;
    case ANSWERS:
      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", PID));
      break;
    case REFUSES:
      g_dbus_method_invocation_return_dbus_error (invocation,
                                                  "org.freedesktop.DBus.Error.AccessDenied",
                                                  "no");
      break;
    case IS_SILENT:
    default:
      fixture->unanswered = invocation;
    }
}

static void
method_cb (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *method,
           GVariant *parameters,
           GDBusMethodInvocation *invocation,
           gpointer user_data)
{
  Fixture *fixture = user_data;

  if (g_str_equal (method, "Spawn"))
    {
      handle_spawn (fixture, parameters, invocation);
      return;
    }
  fixture->killed = g_variant_ref (parameters);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static GVariant *
property_cb (GDBusConnection *connection,
             const char *sender,
             const char *path,
             const char *interface,
             const char *property,
             GError **error,
             gpointer user_data)
{
  return g_variant_new_uint32 (((Fixture *) user_data)->version);
}

static void
acquired_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
start_portal (Fixture *fixture)
{
  static const GDBusInterfaceVTable table = { method_cb, property_cb, NULL, { 0 } };
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (interface_xml, NULL);
  gboolean is_acquired = FALSE;

  fixture->object = g_dbus_connection_register_object (fixture->connection,
                                                       PATH,
                                                       node->interfaces[0],
                                                       &table,
                                                       fixture,
                                                       NULL,
                                                       NULL);
  g_assert_cmpuint (fixture->object, !=, 0);
  fixture->owner = g_bus_own_name_on_connection (fixture->connection,
                                                 NAME,
                                                 G_BUS_NAME_OWNER_FLAGS_NONE,
                                                 acquired_cb,
                                                 NULL,
                                                 &is_acquired,
                                                 NULL);
  while (!is_acquired)
    g_main_context_iteration (NULL, TRUE);
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
  fixture->version = FH_PORTAL_MIN_VERSION;
}

static void
stop_portal (Fixture *fixture)
{
  if (fixture->owner != 0)
    g_bus_unown_name (fixture->owner);
  fixture->owner = 0;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  stop_portal (fixture);
  if (fixture->object != 0)
    g_dbus_connection_unregister_object (fixture->connection, fixture->object);
  if (fixture->unanswered != NULL)
    g_object_unref (fixture->unanswered);
  g_clear_pointer (&fixture->call, g_variant_unref);
  g_clear_pointer (&fixture->killed, g_variant_unref);
  g_clear_object (&fixture->fds);
  g_dbus_connection_close_sync (fixture->connection, NULL, NULL);
  g_clear_object (&fixture->connection);
  g_test_dbus_down (fixture->bus);
  g_object_unref (fixture->bus);
}

static void
ended_cb (const char *step, int error, int wait_status, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_ends++;
  fixture->step = step;
  fixture->error = error;
  fixture->wait_status = wait_status;
}

static FhPortalChild *
start_child (Fixture *fixture)
{
  static const char *const argv[] = { "/app/libexec/program", "-x", NULL };
  int folder = open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  int fds[2];
  const FhPortalSpawn spawn = { argv, fds, G_N_ELEMENTS (fds), folder };
  FhPortalChild *child;

  g_assert_cmpint (pipe2 (fds, O_CLOEXEC), ==, 0);
  child = fh_portal_child_new (&spawn, ended_cb, fixture);
  close (fds[0]);
  close (fds[1]);
  close (folder);
  g_assert_cmpuint (fixture->n_ends, ==, 0);
  return child;
}

/* Until the child has ended. Nothing of it may be left that could call back later. */
static void
wait_for_end (Fixture *fixture, FhPortalChild *child)
{
  while (fixture->n_ends == 0)
    g_main_context_iteration (NULL, TRUE);
  g_object_add_weak_pointer (G_OBJECT (child), (gpointer *) &child);
  g_object_unref (child);
  while (child != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fixture->n_ends, ==, 1);
}

static void
must_have_failed (Fixture *fixture, const char *step, int error)
{
  g_assert_cmpstr (fixture->step, ==, step);
  g_assert_cmpint (fixture->error, ==, error);
}

static void
wait_for_call (Fixture *fixture)
{
  while (fixture->call == NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* No portal, and nothing that could start one. */
static void
test_missing (Fixture *fixture, gconstpointer data)
{
  wait_for_end (fixture, start_child (fixture));
  must_have_failed (fixture, "portal", ENOENT);
}

static void
test_too_old (Fixture *fixture, gconstpointer data)
{
  fixture->version = FH_PORTAL_MIN_VERSION - 1;
  start_portal (fixture);
  wait_for_end (fixture, start_child (fixture));
  must_have_failed (fixture, "portal-version", EPROTONOSUPPORT);
  g_assert_null (fixture->call);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  fixture->manner = REFUSES;
  start_portal (fixture);
  wait_for_end (fixture, start_child (fixture));
  must_have_failed (fixture, "portal", EACCES);
}

/* It is asked for a sub-sandbox without a network that dies with us, and for nothing else. */
static void
test_asked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) options = NULL;
  g_autoptr (GVariant) folders = NULL;
  g_autoptr (GVariant) fds = NULL;
  g_autoptr (GVariant) environment = NULL;
  g_autofree const char **argv = NULL;
  const char *folder;
  struct stat info;
  guint32 flags;
  int fd;

  start_portal (fixture);
  g_object_unref (start_child (fixture));
  wait_for_call (fixture);
  g_variant_get (fixture->call,
                 "(^&ay^a&ay@a{uh}@a{ss}u@a{sv})",
                 &folder,
                 &argv,
                 &fds,
                 &environment,
                 &flags,
                 &options);
  g_assert_cmpstr (folder, ==, "/");
  g_assert_cmpstr (argv[0], ==, "/app/libexec/program");
  g_assert_cmpstr (argv[1], ==, "-x");
  g_assert_null (argv[2]);
  g_assert_cmpuint (flags, ==, 4 | 8 | 16);
  g_assert_cmpuint (g_variant_n_children (fds), ==, 2);
  g_assert_cmpuint (g_variant_n_children (environment), ==, 0);
  g_assert_cmpuint (g_variant_n_children (options), ==, 1);
  folders = g_variant_lookup_value (options, "sandbox-expose-fd", G_VARIANT_TYPE ("ah"));
  g_assert_nonnull (folders);
  g_assert_cmpuint (g_variant_n_children (folders), ==, 1);
  g_assert_cmpint (g_unix_fd_list_get_length (fixture->fds), ==, 3);
  fd = g_unix_fd_list_get (fixture->fds, 2, NULL);
  g_assert_cmpint (fstat (fd, &info), ==, 0);
  g_assert_true (S_ISDIR (info.st_mode));
  g_assert_cmpint (fcntl (fd, F_GETFL) & O_PATH, ==, O_PATH);
  close (fd);
  tell_exit (fixture, PID, 0);
  while (fixture->n_ends == 0)
    g_main_context_iteration (NULL, TRUE);
}

/* Statuses are as of waitpid (2), and those of other processes are not ours. */
static void
test_exits (Fixture *fixture, gconstpointer data)
{
  const guint32 status = GPOINTER_TO_UINT (data);
  FhPortalChild *child;

  start_portal (fixture);
  child = start_child (fixture);
  wait_for_call (fixture);
  tell_exit (fixture, PID - 1, 1 << 8);
  tell_exit (fixture, PID, status);
  wait_for_end (fixture, child);
  g_assert_null (fixture->step);
  g_assert_cmpint (fixture->wait_status, ==, (int) status);
}

static void
test_early_exit (Fixture *fixture, gconstpointer data)
{
  fixture->manner = ANSWERS_AFTER_THE_EXIT;
  start_portal (fixture);
  wait_for_end (fixture, start_child (fixture));
  g_assert_null (fixture->step);
  g_assert_cmpint (WEXITSTATUS (fixture->wait_status), ==, 3);
}

static void
wait_for_kill (Fixture *fixture)
{
  g_autofree char *text = NULL;

  while (fixture->killed == NULL)
    g_main_context_iteration (NULL, TRUE);
  text = g_variant_print (fixture->killed, FALSE);
  g_assert_cmpstr (text, ==, "(4711, 9, true)");
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  FhPortalChild *child;

  start_portal (fixture);
  child = start_child (fixture);
  wait_for_call (fixture);
  fh_portal_child_kill (child);
  wait_for_kill (fixture);
  g_assert_cmpuint (fixture->n_ends, ==, 0);
  tell_exit (fixture, PID, SIGKILL);
  wait_for_end (fixture, child);
  g_assert_true (WIFSIGNALED (fixture->wait_status));
}

/* It may have been started: so it is waited for, and killed as soon as it has a number. */
static void
test_killed_while_it_starts (Fixture *fixture, gconstpointer data)
{
  FhPortalChild *child;

  fixture->manner = IS_SILENT;
  start_portal (fixture);
  child = start_child (fixture);
  wait_for_call (fixture);
  fh_portal_child_kill (child);
  g_assert_null (fixture->killed);
  g_dbus_method_invocation_return_value (g_steal_pointer (&fixture->unanswered),
                                         g_variant_new ("(u)", PID));
  wait_for_kill (fixture);
  tell_exit (fixture, PID, SIGKILL);
  wait_for_end (fixture, child);
}

static void
test_killed_before_it_starts (Fixture *fixture, gconstpointer data)
{
  FhPortalChild *child;

  start_portal (fixture);
  child = start_child (fixture);
  fh_portal_child_kill (child);
  wait_for_end (fixture, child);
  must_have_failed (fixture, "portal", ECANCELED);
  g_assert_null (fixture->call);
}

static void
test_portal_goes (Fixture *fixture, gconstpointer data)
{
  FhPortalChild *child;

  start_portal (fixture);
  child = start_child (fixture);
  wait_for_call (fixture);
  stop_portal (fixture);
  wait_for_end (fixture, child);
  g_assert_null (fixture->step);
  g_assert_cmpint (fixture->wait_status, ==, -1);
}

/* The only case that takes its time: ten seconds. */
static void
test_silent (Fixture *fixture, gconstpointer data)
{
  fixture->manner = IS_SILENT;
  start_portal (fixture);
  wait_for_end (fixture, start_child (fixture));
  must_have_failed (fixture, "portal", ETIMEDOUT);
}

#define ADD(name, data, function)                                                                  \
  g_test_add ("/portal-child/" name, Fixture, data, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("missing", NULL, test_missing);
  ADD ("too-old", NULL, test_too_old);
  ADD ("refused", NULL, test_refused);
  ADD ("asked", NULL, test_asked);
  ADD ("exits-ok", GUINT_TO_POINTER (0), test_exits);
  ADD ("exits-with-status", GUINT_TO_POINTER (7 << 8), test_exits);
  ADD ("exits-by-signal", GUINT_TO_POINTER (SIGSEGV), test_exits);
  ADD ("early-exit", NULL, test_early_exit);
  ADD ("killed", NULL, test_killed);
  ADD ("killed-while-it-starts", NULL, test_killed_while_it_starts);
  ADD ("killed-before-it-starts", NULL, test_killed_before_it_starts);
  ADD ("portal-goes", NULL, test_portal_goes);
  ADD ("silent", NULL, test_silent);
  return g_test_run ();
}
