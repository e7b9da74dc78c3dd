/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Queues SIGINT, SIGTERM and SIGHUP from now on instead of ending the process, and lets writing to
 * a closed pipe fail with EPIPE. Child processes get the defaults back. */
void fh_stop_signals_catch (void);

/* The same for a command that SIGINT does not end: it only interrupts what runs. */
void fh_stop_signals_catch_interrupts (void);

/* Readable when a signal is queued; -1 before fh_stop_signals_catch. */
int fh_stop_signals_get_fd (void);

/* Readable, for good, after a signal that ends the command; -1 before fh_stop_signals_catch. */
int fh_stop_signals_get_end_fd (void);

/* The next signal, or 0 if there is none. */
int fh_stop_signals_take (void);
