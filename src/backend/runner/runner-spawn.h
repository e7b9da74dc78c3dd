/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* How a runner becomes a process of its own. Both take `socket_fd`, in any case; the conversation
 * is held over it. */

/* The runner of this computer: the socket is its FH_WIRE_FD, its standard input what the program
 * will read, NULL or empty: end of file at once. */
GSubprocess *
fh_runner_spawn (const char *path, int socket_fd, GBytes *standard_input, GError **error);

/* An engine's client: the socket is its standard input and output. `errors` becomes the reading end
 * of its standard error, non-blocking and owned by the caller. */
GSubprocess *fh_runner_spawn_client (const char *const *argv,
                                     const char *const *environment,
                                     int socket_fd,
                                     int *errors,
                                     GError **error);

G_END_DECLS
