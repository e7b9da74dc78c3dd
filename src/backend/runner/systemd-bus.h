/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* The connection to the user's systemd, by the session bus or by systemd's private socket. It is
 * made on first use and kept. A failure is remembered, so that a computer without systemd pays for
 * one attempt. Main thread only. */

/* FALSE when there is certainly no systemd; costs next to nothing. */
gboolean fh_systemd_bus_may_exist (void);

void fh_systemd_bus_connect_async (GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
GDBusConnection *fh_systemd_bus_connect_finish (GAsyncResult *result, GError **error);

/* The bus name to call; NULL when systemd itself is the peer. */
const char *fh_systemd_bus_get_name (GDBusConnection *connection);

/* There is no systemd behind this connection: the next call to connect tries the next place. */
void fh_systemd_bus_give_up (GDBusConnection *connection);

/* Systemd does not answer: don't ask again for a minute. */
void fh_systemd_bus_rest (void);

/* Forgets what is known; tests, which change the environment, need it. */
void fh_systemd_bus_reset (void);
