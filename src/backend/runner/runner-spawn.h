/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file with the program's standard input; NULL: empty. -1 with an error. */
int fh_runner_open_input (GBytes *standard_input, GError **error);

/* Both take ownership of `socket_fd`, in any case. */

/* The runner of this computer, with the socket as its FH_WIRE_FD and the program's standard input;
 * NULL: empty. */
GSubprocess *
fh_runner_spawn (const char *path, int socket_fd, GBytes *standard_input, GError **error);

/* An engine's client, with the socket as its standard input and output. `errors` is set to the
 * non-blocking reading end of its standard error, owned by the caller. */
GSubprocess *fh_runner_spawn_client (const char *const *argv,
                                     const char *const *environment,
                                     int socket_fd,
                                     int *errors,
                                     GError **error);

G_END_DECLS
