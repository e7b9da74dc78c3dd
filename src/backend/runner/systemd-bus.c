/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "systemd-bus.h"

#include <unistd.h>

#define NAME "org.freedesktop.systemd1"

/* After a timeout systemd is left alone for so long. */
#define REST_US (60 * G_USEC_PER_SEC)

/* The places at which systemd is looked for, in this order. */
typedef enum
{
  PLACE_SESSION_BUS,
  PLACE_PRIVATE_SOCKET,
  N_PLACES,
} Place;

/* Process-wide. `place` is where the connection was made, or where to look next. */
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
fh_systemd_bus_may_exist (void)
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

static void connect_next (GTask *task);

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  g_autoptr (GError) error = NULL;
  Place place = (Place) GPOINTER_TO_INT (g_task_get_task_data (task));
  GDBusConnection *connection = g_dbus_connection_new_for_address_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (connection != NULL && !has_our_processes (connection))
    {
      g_clear_object (&connection);
      g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_FAILED, "its processes are not ours");
    }
  if (connection == NULL)
    {
      g_debug ("cannot connect to systemd: %s", error->message);
      if (systemd.place == place)
        systemd.place++;
      connect_next (g_steal_pointer (&task));
      return;
    }
  /* If another caller connected meanwhile, this connection is used once. */
  if (!is_connected ())
    g_set_object (&systemd.connection, connection);
  g_task_return_pointer (task, connection, g_object_unref);
}

/* Consumes the task. */
static void
connect_next (GTask *task)
{
  g_autofree char *address = next_address ();
  GDBusConnectionFlags flags = G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT;

  if (address == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no systemd of the user");
      g_object_unref (task);
      return;
    }
  if (systemd.place == PLACE_SESSION_BUS)
    flags |= G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION;
  g_task_set_task_data (task, GINT_TO_POINTER (systemd.place), NULL);
  g_dbus_connection_new_for_address (address,
                                     flags,
                                     NULL,
                                     g_task_get_cancellable (task),
                                     connected_cb,
                                     task);
}

void
fh_systemd_bus_connect_async (GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_systemd_bus_connect_async);
  if (is_connected ())
    {
      g_task_return_pointer (task, g_object_ref (systemd.connection), g_object_unref);
      g_object_unref (task);
      return;
    }
  /* A lost connection may be restored at the same place. */
  g_clear_object (&systemd.connection);
  connect_next (task);
}

GDBusConnection *
fh_systemd_bus_connect_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

const char *
fh_systemd_bus_get_name (GDBusConnection *connection)
{
  return g_dbus_connection_get_unique_name (connection) != NULL ? NAME : NULL;
}

void
fh_systemd_bus_give_up (GDBusConnection *connection)
{
  if (systemd.connection != connection)
    return;
  g_clear_object (&systemd.connection);
  systemd.place++;
}

void
fh_systemd_bus_rest (void)
{
  systemd.resting_until = g_get_monotonic_time () + REST_US;
}

void
fh_systemd_bus_reset (void)
{
  g_clear_object (&systemd.connection);
  systemd.place = PLACE_SESSION_BUS;
  systemd.resting_until = 0;
}
