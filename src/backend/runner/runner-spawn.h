/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Both take ownership of `socket_fd`, in any case. */

/* The runner of this computer, with the socket as its FH_WIRE_FD. It stays on that processor, with
 * all that it starts; -1: on any. */
GSubprocess *fh_runner_spawn (const char *path, int cpu, int socket_fd, GError **error);

/* An engine's client, with the socket as its standard input and output. `errors` is set to the
 * non-blocking reading end of its standard error, owned by the caller. */
GSubprocess *fh_runner_spawn_client (const char *const *argv,
                                     const char *const *environment,
                                     int socket_fd,
                                     int *errors,
                                     GError **error);

G_END_DECLS
