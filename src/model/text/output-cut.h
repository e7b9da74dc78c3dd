/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output-log.h"

/* Less would leave no room for whole characters at both ends. */
#define FH_OUTPUT_CUT_MIN 16

/* The size of an incomplete UTF-8 sequence at the end of `data`, and of the rest of one at its
 * start. At most 3; data that is not UTF-8 loses nothing worth keeping. */
gsize fh_output_cut_incomplete_end (const guint8 *data, gsize size);
gsize fh_output_cut_incomplete_start (const guint8 *data, gsize size);

/* A copy that has at most `limit` bytes of each stream, its first and its last ones, cut between
 * characters. The totals stay the true ones, so the copy tells how much was left out. With a limit
 * of 0, or if nothing is too long, the log itself. Other limits are at least FH_OUTPUT_CUT_MIN.
 * (transfer full) */
FhOutputLog *fh_output_log_cut (FhOutputLog *self, guint64 limit);

/* Whether something of either stream was not kept. */
gboolean fh_output_log_is_truncated (FhOutputLog *self);

/* The line in which a program says why it failed, at most `max` characters of it: the exception of
 * the last traceback of Python, such as "NameError: name 'x' is not defined", or the last line of
 * the stream that is not blank. Empty if there is none. Valid UTF-8. (transfer full) */
char *fh_output_log_dup_error (FhOutputLog *self, FhStream stream, glong max);
