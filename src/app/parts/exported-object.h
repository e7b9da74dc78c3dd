/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* An object of ours on D-Bus, with one interface. All zeros: not exported. */
typedef struct
{
  GDBusConnection *connection;
  guint registration;
} FhExportedObject;

/* `xml`: a node with the interface. `name`: of the object, below the application's path.
 * `user_data` is borrowed until fh_exported_object_clear. FALSE with an error of D-Bus. */
gboolean fh_exported_object_export (FhExportedObject *self,
                                    GDBusConnection *connection,
                                    const char *application_path,
                                    const char *name,
                                    const char *xml,
                                    GDBusInterfaceMethodCallFunc call,
                                    gpointer user_data,
                                    GError **error);
/* Idempotent. */
void fh_exported_object_clear (FhExportedObject *self);
