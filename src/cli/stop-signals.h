/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on SIGINT, SIGTERM and SIGHUP do not end the process but can be taken one by one, and a
 * write to a closed pipe fails with EPIPE. Programs that are started get the defaults back. */
void fh_stop_signals_catch (void);

/* Becomes readable when a signal came; -1 before fh_stop_signals_catch. */
int fh_stop_signals_get_fd (void);

/* Takes one signal: its number, or 0 when there is none. */
int fh_stop_signals_take (void);

G_END_DECLS
