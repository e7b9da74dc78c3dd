/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Asks the user's systemd to move the process into a scope of its own, a delegated control group:
 * systemd.scope(5), org.freedesktop.systemd1(5). The scope ends with its last process.
 *
 * Finishes within ten seconds. Check fh_systemd_bus_may_exist() first. A failure is no reason not
 * to run; the error is not for people. */
void fh_systemd_scope_start_async (GPid pid,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean fh_systemd_scope_start_finish (GAsyncResult *result, GError **error);
