/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-systemd.h"

#define NAME      "org.freedesktop.systemd1"
#define PATH      "/org/freedesktop/systemd1"
#define INTERFACE "org.freedesktop.systemd1.Manager"
#define JOB       "/org/freedesktop/systemd1/job/17"
#define OLD_JOB   "/org/freedesktop/systemd1/job/16"

static const char description[] =
    "<node><interface name='" INTERFACE "'>"
    "<method name='StartTransientUnit'>"
    "<arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='a(sv)' direction='in'/><arg type='a(sa(sv))' direction='in'/>"
    "<arg type='o' direction='out'/>"
    "</method>"
    "<signal name='JobRemoved'><arg type='u'/><arg type='o'/><arg type='s'/><arg "
    "type='s'/></signal>"
    "</interface></node>";

static struct
{
  GDBusConnection *connection;
  GDBusNodeInfo *node;
  FakeSystemdAct act;
  guint object;
  guint calls;
  char *unit;
  GVariant *properties;
  GDBusMethodInvocation *unanswered;
} fake;

static void
emit_removed (const char *job, const char *unit, const char *how)
{
  g_dbus_connection_emit_signal (fake.connection,
                                 NULL,
                                 PATH,
                                 INTERFACE,
                                 "JobRemoved",
                                 g_variant_new ("(uoss)", 17, job, unit, how),
                                 NULL);
}

static void
answer (GDBusMethodInvocation *invocation)
{
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", JOB));
}

static void
act (GDBusMethodInvocation *invocation)
{
  switch (fake.act)
    {
    case FAKE_SYSTEMD_DOES:
      answer (invocation);
      emit_removed (JOB, fake.unit, "done");
      break;
    case FAKE_SYSTEMD_IS_QUICK:
      emit_removed (JOB, fake.unit, "done");
      answer (invocation);
      break;
    case FAKE_SYSTEMD_FAILS:
      answer (invocation);
      emit_removed (JOB, fake.unit, "failed");
      break;
    case FAKE_SYSTEMD_REFUSES:
      g_dbus_method_invocation_return_dbus_error (invocation,
                                                  "org.freedesktop.DBus.Error.InvalidArgs",
                                                  "no");
      break;
    case FAKE_SYSTEMD_DOES_ANOTHER:
      emit_removed (OLD_JOB, fake.unit, "done");
      answer (invocation);
      emit_removed (OLD_JOB, fake.unit, "done");
      emit_removed (JOB, "somebody-elses.scope", "done");
      break;
    case FAKE_SYSTEMD_NEVER_FINISHES:
      answer (invocation);
      break;
    case FAKE_SYSTEMD_NEVER_ANSWERS:
      fake.unanswered = invocation;
      break;
    case FAKE_SYSTEMD_DISAPPEARS:
      fake.unanswered = invocation;
      g_dbus_connection_close_sync (fake.connection, NULL, NULL);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
call_cb (GDBusConnection *connection,
         const char *sender,
         const char *path,
         const char *interface,
         const char *method,
         GVariant *parameters,
         GDBusMethodInvocation *invocation,
         gpointer user_data)
{
  const char *mode;
  g_autoptr (GVariant) auxiliary = NULL;

  g_assert_cmpstr (method, ==, "StartTransientUnit");
  g_clear_pointer (&fake.unit, g_free);
  g_clear_pointer (&fake.properties, g_variant_unref);
  g_variant_get (parameters,
                 "(s&s@a(sv)@a(sa(sv)))",
                 &fake.unit,
                 &mode,
                 &fake.properties,
                 &auxiliary);
  g_assert_cmpstr (mode, ==, "fail");
  g_assert_cmpuint (g_variant_n_children (auxiliary), ==, 0);
  fake.calls++;
  act (invocation);
}

static void
take_name (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_sync (fake.connection,
                                                             "org.freedesktop.DBus",
                                                             "/org/freedesktop/DBus",
                                                             "org.freedesktop.DBus",
                                                             "RequestName",
                                                             g_variant_new ("(su)", NAME, 4),
                                                             NULL,
                                                             G_DBUS_CALL_FLAGS_NONE,
                                                             -1,
                                                             NULL,
                                                             &error);

  g_assert_no_error (error);
  g_assert_nonnull (answer);
}

void
fake_systemd_begin (GDBusConnection *connection, FakeSystemdAct act)
{
  static const GDBusInterfaceVTable vtable = { .method_call = call_cb };

  fake_systemd_end ();
  fake.connection = g_object_ref (connection);
  fake.node = g_dbus_node_info_new_for_xml (description, NULL);
  fake.act = act;
  fake.object = g_dbus_connection_register_object (connection,
                                                   PATH,
                                                   fake.node->interfaces[0],
                                                   &vtable,
                                                   NULL,
                                                   NULL,
                                                   NULL);
  g_assert_cmpuint (fake.object, !=, 0);
  if (g_dbus_connection_get_unique_name (connection) != NULL)
    take_name ();
}

void
fake_systemd_end (void)
{
  if (fake.connection != NULL)
    g_dbus_connection_unregister_object (fake.connection, fake.object);
  g_clear_object (&fake.unanswered);
  g_clear_object (&fake.connection);
  g_clear_pointer (&fake.node, g_dbus_node_info_unref);
  g_clear_pointer (&fake.unit, g_free);
  g_clear_pointer (&fake.properties, g_variant_unref);
  fake.calls = 0;
}

guint
fake_systemd_get_calls (void)
{
  return fake.calls;
}

const char *
fake_systemd_get_unit (void)
{
  return fake.unit;
}

GVariant *
fake_systemd_get_properties (void)
{
  return fake.properties;
}
