/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "systemd-scope.h"

#include <unistd.h>

#include "main-source.h"
#include "wire-policy.h"

#define NAME      "org.freedesktop.systemd1"
#define PATH      "/org/freedesktop/systemd1"
#define INTERFACE "org.freedesktop.systemd1.Manager"

/* A slow answer would cost all later runs of this process their control groups. */
#define TIMEOUT_MS 10000

/* After a timeout systemd is left alone for so long. */
#define REST_US (60 * G_USEC_PER_SEC)

/* The places at which systemd is looked for, in this order. */
typedef enum
{
  PLACE_SESSION_BUS,
  PLACE_PRIVATE_SOCKET,
  N_PLACES,
} Place;

/* The connection to the user's systemd, by the session bus or by systemd's private socket, for the
 * whole process; main thread only. `place` is where it was made, or where to look next: a failure
 * is remembered, so that a computer without systemd pays for one attempt. */
static struct
{
  Place place;
  GDBusConnection *connection; /* nullable */
  gint64 resting_until;
} systemd;

static char *
address_of_socket (const char *name)
{
  const char *folder = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *usual = g_strdup_printf ("/run/user/%u", (guint) getuid ());
  g_autofree char *path = g_build_filename (folder != NULL ? folder : usual, name, NULL);
  g_autofree char *escaped = NULL;

  if (access (path, W_OK) != 0)
    return NULL;
  escaped = g_dbus_address_escape_value (path);
  return g_strconcat ("unix:path=", escaped, NULL);
}

/* GLib's own function would start a bus where there is none. */
static char *
address_of_session_bus (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");

  if (address == NULL || *address == '\0')
    return address_of_socket ("bus");
  return g_dbus_is_supported_address (address, NULL) && !g_str_has_prefix (address, "autolaunch:")
             ? g_strdup (address)
             : NULL;
}

/* NULL when there is no systemd. */
static char *
next_address (void)
{
  for (; systemd.place < N_PLACES; systemd.place++)
    {
      char *address = systemd.place == PLACE_SESSION_BUS ? address_of_session_bus ()
                                                         : address_of_socket ("systemd/private");

      if (address != NULL)
        return address;
    }
  return NULL;
}

static gboolean
is_connected (void)
{
  return systemd.connection != NULL && !g_dbus_connection_is_closed (systemd.connection);
}

gboolean
fh_systemd_may_exist (void)
{
  g_autofree char *address = NULL;

  if (g_get_monotonic_time () < systemd.resting_until)
    return FALSE;
  if (is_connected ())
    return TRUE;
  address = next_address ();
  return address != NULL;
}

/* In a container that was given the host's bus, our process ids mean other processes there. A peer
 * in another pid namespace has no pid here: unix(7), SO_PEERCRED. */
static gboolean
has_our_processes (GDBusConnection *connection)
{
  GIOStream *stream = g_dbus_connection_get_stream (connection);
  g_autoptr (GCredentials) peer = NULL;

  if (!G_IS_SOCKET_CONNECTION (stream))
    return FALSE;
  peer = g_socket_get_credentials (g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream)),
                                   NULL);
  return peer != NULL && g_credentials_get_unix_pid (peer, NULL) > 0;
}

/* One pending start: connect, call, and wait for the job. The job's end may arrive before the reply
 * that names the job. Callbacks hold references to the task; it is over when `deadline` is NULL. */
typedef struct
{
  GPid pid;
  char *unit;
  GCancellable *under_way; /* cancels the pending operation */
  GSource *deadline;
  GSource *cancelled; /* nullable */
  Place place;        /* where it connects */
  GDBusConnection *connection;
  guint subscription;
  char *job; /* NULL before the reply */
  char *ended_job;
  char *ended_how;
} Start;

static void
start_free (gpointer data)
{
  Start *start = data;

  g_free (start->unit);
  g_object_unref (start->under_way);
  g_clear_object (&start->connection);
  g_free (start->job);
  g_free (start->ended_job);
  g_free (start->ended_how);
  g_free (start);
}

/* No callbacks after this. FALSE when it was over before. */
static gboolean
conclude (Start *start)
{
  if (start->deadline == NULL)
    return FALSE;
  fh_source_clear (&start->deadline);
  fh_source_clear (&start->cancelled);
  if (start->subscription != 0)
    g_dbus_connection_signal_unsubscribe (start->connection, start->subscription);
  start->subscription = 0;
  g_cancellable_cancel (start->under_way);
  return TRUE;
}

static void
fail (GTask *task, GError *error)
{
  if (conclude (g_task_get_task_data (task)))
    g_task_return_error (task, error);
  else
    g_error_free (error);
}

static gboolean
deadline_cb (gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (G_TASK (user_data));

  systemd.resting_until = g_get_monotonic_time () + REST_US;
  fail (task, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "systemd did not respond"));
  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (G_TASK (user_data));

  fail (task, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled"));
  return G_SOURCE_REMOVE;
}

/* Once the reply and the end of the job have arrived. */
static void
check_job (GTask *task)
{
  Start *start = g_task_get_task_data (task);

  if (start->job == NULL || g_strcmp0 (start->job, start->ended_job) != 0)
    return;
  if (!g_str_equal (start->ended_how, "done"))
    fail (task,
          g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "the scope's job: %s", start->ended_how));
  else if (conclude (start))
    g_task_return_boolean (task, TRUE);
}

static void
job_removed_cb (GDBusConnection *connection,
                const char *sender,
                const char *path,
                const char *interface,
                const char *signal,
                GVariant *parameters,
                gpointer user_data)
{
  GTask *task = G_TASK (user_data);
  Start *start = g_task_get_task_data (task);
  const char *job, *unit, *how;

  if (start->deadline == NULL || !g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uoss)")))
    return;
  g_variant_get (parameters, "(u&o&s&s)", NULL, &job, &unit, &how);
  if (!g_str_equal (unit, start->unit))
    return;
  g_free (start->ended_job);
  g_free (start->ended_how);
  start->ended_job = g_strdup (job);
  start->ended_how = g_strdup (how);
  check_job (task);
}

static void connect_to_systemd (GTask *task);

/* The name has no owner, or the bus has just gone. */
static gboolean
is_without_manager (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
         g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  Start *start = g_task_get_task_data (task);

  answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  if (start->deadline == NULL)
    return;
  if (answer != NULL)
    {
      g_variant_get (answer, "(o)", &start->job);
      check_job (task);
    }
  else if (is_without_manager (error))
    {
      g_dbus_connection_signal_unsubscribe (start->connection, start->subscription);
      start->subscription = 0;
      /* There is no systemd behind it: the next place may have one. */
      if (systemd.connection == start->connection)
        {
          g_clear_object (&systemd.connection);
          systemd.place++;
        }
      g_clear_object (&start->connection);
      connect_to_systemd (task);
    }
  else
    fail (task, g_steal_pointer (&error));
}

/* With Delegate, systemd does not act when a process runs out of memory; we do. */
static GVariant *
properties_of_scope (GPid pid)
{
  const guint32 pids[] = { (guint32) pid };
  GVariantBuilder properties;

  g_variant_builder_init (&properties, G_VARIANT_TYPE ("a(sv)"));
  g_variant_builder_add (&properties, "(sv)", "Description", g_variant_new_string ("Fumehood run"));
  g_variant_builder_add (&properties,
                         "(sv)",
                         "PIDs",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, pids, 1, sizeof *pids));
  g_variant_builder_add (&properties, "(sv)", "Delegate", g_variant_new_boolean (TRUE));
  g_variant_builder_add (&properties, "(sv)", "MemoryAccounting", g_variant_new_boolean (TRUE));
  g_variant_builder_add (&properties, "(sv)", "TasksAccounting", g_variant_new_boolean (TRUE));
  g_variant_builder_add (&properties,
                         "(sv)",
                         "CollectMode",
                         g_variant_new_string ("inactive-or-failed"));
  return g_variant_builder_end (&properties);
}

static void
start_unit (GTask *task)
{
  Start *start = g_task_get_task_data (task);
  /* On the private socket systemd itself is the peer and has no name. */
  const char *name = g_dbus_connection_get_unique_name (start->connection) != NULL ? NAME : NULL;

  /* Subscribe before the call, or the end of the job could be missed. */
  start->subscription = g_dbus_connection_signal_subscribe (start->connection,
                                                            name,
                                                            INTERFACE,
                                                            "JobRemoved",
                                                            PATH,
                                                            NULL,
                                                            G_DBUS_SIGNAL_FLAGS_NONE,
                                                            job_removed_cb,
                                                            g_object_ref (task),
                                                            g_object_unref);
  g_dbus_connection_call (
      start->connection,
      name,
      PATH,
      INTERFACE,
      "StartTransientUnit",
      g_variant_new ("(ss@a(sv)@a(sa(sv)))",
                     start->unit,
                     "fail",
                     properties_of_scope (start->pid),
                     g_variant_new_array (G_VARIANT_TYPE ("(sa(sv))"), NULL, 0)),
      G_VARIANT_TYPE ("(o)"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START,
      TIMEOUT_MS,
      start->under_way,
      answered_cb,
      g_object_ref (task));
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection =
      g_dbus_connection_new_for_address_finish (result, &error);
  Start *start = g_task_get_task_data (task);

  if (start->deadline == NULL)
    return;
  if (connection != NULL && !has_our_processes (connection))
    {
      g_clear_object (&connection);
      g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_FAILED, "its processes are not ours");
    }
  if (connection == NULL)
    {
      g_debug ("cannot connect to systemd: %s", error->message);
      if (systemd.place == start->place)
        systemd.place++;
      connect_to_systemd (task);
      return;
    }
  /* If another caller connected meanwhile, this connection is used once. */
  if (!is_connected ())
    g_set_object (&systemd.connection, connection);
  start->connection = g_steal_pointer (&connection);
  start_unit (task);
}

static void
connect_to_systemd (GTask *task)
{
  Start *start = g_task_get_task_data (task);
  GDBusConnectionFlags flags = G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT;
  g_autofree char *address = NULL;

  if (is_connected ())
    {
      start->connection = g_object_ref (systemd.connection);
      start_unit (task);
      return;
    }
  /* A lost connection may be restored at the same place. */
  g_clear_object (&systemd.connection);
  address = next_address ();
  if (address == NULL)
    {
      fail (task, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no systemd of the user"));
      return;
    }
  if (systemd.place == PLACE_SESSION_BUS)
    flags |= G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION;
  start->place = systemd.place;
  g_dbus_connection_new_for_address (address,
                                     flags,
                                     NULL,
                                     start->under_way,
                                     connected_cb,
                                     g_object_ref (task));
}

void
fh_systemd_scope_start_async (GPid pid,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  static guint counter;
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Start *start = g_new0 (Start, 1);

  g_task_set_source_tag (task, fh_systemd_scope_start_async);
  g_task_set_task_data (task, start, start_free);
  start->pid = pid;
  start->unit = g_strdup_printf (FH_SCOPE_PREFIX "%d-%u.scope", (int) getpid (), ++counter);
  start->under_way = g_cancellable_new ();
  start->deadline = fh_source_attach (g_timeout_source_new (TIMEOUT_MS), deadline_cb, task, NULL);
  if (cancellable != NULL)
    start->cancelled = fh_source_attach (g_cancellable_source_new (cancellable),
                                         G_SOURCE_FUNC (cancelled_cb),
                                         task,
                                         NULL);
  connect_to_systemd (task);
}

gboolean
fh_systemd_scope_start_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
fh_systemd_forget (void)
{
  g_clear_object (&systemd.connection);
  systemd.place = PLACE_SESSION_BUS;
  systemd.resting_until = 0;
}
