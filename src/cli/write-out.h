/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Writes all bytes, however slowly they are read. A reader that does not read at all must not keep
 * a command from ending: after a signal that ends it (stop-signals.h), a reader that takes nothing
 * for half a second is given up. FALSE with errno, ECANCELED in that case. */
gboolean fh_write_out (int fd, const void *bytes, gsize size);

/* For commands that end with standard input: after its end, too, a reader that takes nothing is
 * given up, but only after five seconds, with ETIMEDOUT. */
void fh_write_out_watch_input (void);
