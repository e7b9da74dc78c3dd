/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Asks the user's systemd to put the process into a scope of its own, a control group that is
 * delegated to it: systemd.scope(5), org.freedesktop.systemd1(5). The scope ends with its last
 * process.
 *
 * It is decided within two seconds. Where it is known that there is no systemd, do not ask:
 * fh_systemd_bus_may_exist. An error is no reason not to run; it is not meant for people. */
void fh_systemd_scope_start_async (GPid pid,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean fh_systemd_scope_start_finish (GAsyncResult *result, GError **error);

G_END_DECLS
