/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The connection to the user's own systemd: by the session bus, or by the socket that systemd
 * itself listens on. It is made when it is first needed and then kept. That there is none is
 * remembered as well, so that a computer without systemd pays for looking once. Only for the main
 * thread. */

/* FALSE when it is known that there is nobody to talk to; costs next to nothing. */
gboolean fh_systemd_bus_may_exist (void);

void fh_systemd_bus_connect_async (GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
GDBusConnection *fh_systemd_bus_connect_finish (GAsyncResult *result, GError **error);

/* The name to send to; NULL when systemd itself is at the other end. */
const char *fh_systemd_bus_get_name (GDBusConnection *connection);

/* There is no systemd at the other end of this connection: the next one to connect is given another
 * one, if there is any. */
void fh_systemd_bus_give_up (GDBusConnection *connection);

/* Systemd is there but does not answer. Nobody asks again for a while. */
void fh_systemd_bus_rest (void);

/* Forgets all that was found out. For tests, which change the environment. */
void fh_systemd_bus_reset (void);

G_END_DECLS
