/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "systemd-scope.h"

#include <unistd.h>

#include "main-source.h"
#include "systemd-bus.h"
#include "wire-policy.h"

#define PATH      "/org/freedesktop/systemd1"
#define INTERFACE "org.freedesktop.systemd1.Manager"

/* A slow answer would cost all later runs of this process their control groups. */
#define TIMEOUT_MS 10000

/* One pending start: connect, call, and wait for the job. The job's end may arrive before the reply
 * that names the job. Callbacks hold references to the task; it is over when `deadline` is NULL. */
typedef struct
{
  GPid pid;
  char *unit;
  GCancellable *under_way; /* cancels the pending operation */
  GSource *deadline;
  GSource *cancelled; /* nullable */
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

  fh_systemd_bus_rest ();
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
      fh_systemd_bus_give_up (start->connection);
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
  const char *name = fh_systemd_bus_get_name (start->connection);

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
  g_autoptr (GDBusConnection) connection = fh_systemd_bus_connect_finish (result, &error);
  Start *start = g_task_get_task_data (task);

  if (start->deadline == NULL)
    return;
  if (connection == NULL)
    {
      fail (task, g_steal_pointer (&error));
      return;
    }
  start->connection = g_steal_pointer (&connection);
  start_unit (task);
}

static void
connect_to_systemd (GTask *task)
{
  Start *start = g_task_get_task_data (task);

  fh_systemd_bus_connect_async (start->under_way, connected_cb, g_object_ref (task));
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
