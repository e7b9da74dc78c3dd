/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/exported-object.h"

gboolean
fh_exported_object_export (FhExportedObject *self,
                           GDBusConnection *connection,
                           const char *application_path,
                           const char *name,
                           const char *xml,
                           GDBusInterfaceMethodCallFunc call,
                           gpointer user_data,
                           GError **error)
{
  const GDBusInterfaceVTable vtable = { .method_call = call };
  g_autoptr (GDBusNodeInfo) node = NULL;
  g_autofree char *path = NULL;

  g_return_val_if_fail (self->registration == 0, FALSE);

  node = g_dbus_node_info_new_for_xml (xml, error);
  if (node == NULL)
    return FALSE;
  path = g_strconcat (application_path, "/", name, NULL);
  self->registration = g_dbus_connection_register_object (connection,
                                                          path,
                                                          node->interfaces[0],
                                                          &vtable,
                                                          user_data,
                                                          NULL,
                                                          error);
  if (self->registration == 0)
    return FALSE;
  self->connection = g_object_ref (connection);
  return TRUE;
}

void
fh_exported_object_clear (FhExportedObject *self)
{
  if (self->registration != 0)
    g_dbus_connection_unregister_object (self->connection, self->registration);
  self->registration = 0;
  g_clear_object (&self->connection);
}
