/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* One run takes at most so many bytes. */
#define FH_LIVE_INPUT_MAX ((gsize) 1 << 20)

/* The standard input of a run while it goes on. What is sent is kept.
 *
 * Properties (read-only, notified): open: whether something can be sent, from the program's start
 * until the input or the run ends; waiting: whether the program waits for it, as far as that can be
 * seen. The program can pretend to.
 * Signal "sent" (GBytes *bytes), for the sandbox that drives the run: NULL is the end. */
#define FH_TYPE_LIVE_INPUT (fh_live_input_get_type ())
G_DECLARE_FINAL_TYPE (FhLiveInput, fh_live_input, FH, LIVE_INPUT, GObject)

gboolean fh_live_input_is_open (FhLiveInput *self);
gboolean fh_live_input_is_waiting (FhLiveInput *self);
/* How long the program has waited until now, in µs. */
guint64 fh_live_input_get_waited (FhLiveInput *self);

/* FALSE if it is not open, or that would be too much. */
gboolean fh_live_input_send (FhLiveInput *self, GBytes *bytes);
/* Nothing more comes. */
void fh_live_input_end (FhLiveInput *self);

/* What was sent; NULL: nothing. (transfer full) */
GBytes *fh_live_input_dup_sent (FhLiveInput *self);

/* The following functions are called by backends. */
/* The program was started; or it has ended. */
void fh_live_input_set_open (FhLiveInput *self, gboolean is_open);
void fh_live_input_set_waiting (FhLiveInput *self, gboolean is_waiting);
