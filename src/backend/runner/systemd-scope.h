/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* FALSE when there is certainly no systemd of the user; costs next to nothing. */
gboolean fh_systemd_may_exist (void);

/* Asks the user's systemd to move the process into a scope of its own, a delegated control group:
 * systemd.scope(5), org.freedesktop.systemd1(5). The scope ends with its last process.
 *
 * Finishes within ten seconds. Check fh_systemd_may_exist() first. A failure is no reason not
 * to run; the error is not for people. */
void fh_systemd_scope_start_async (GPid pid,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean fh_systemd_scope_start_finish (GAsyncResult *result, GError **error);

/* Forgets what is known; tests, which change the environment, need it. */
void fh_systemd_forget (void);
