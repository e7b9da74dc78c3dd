/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

G_BEGIN_DECLS

/* Passes what a run writes on to our own stdout and stderr at once: byte for byte, but to a
 * terminal only what terminal-filter.h leaves, unless it is to be raw. A reader that is slow slows
 * the run down; meanwhile Ctrl+C still works. One that goes away ends it. */
typedef struct _FhLiveOutput FhLiveOutput;

FhLiveOutput *fh_live_output_new (FhRun *run, gboolean is_raw);
/* When the run is over: writes what was held back. */
void fh_live_output_finish (FhLiveOutput *output);
void fh_live_output_free (FhLiveOutput *output);

/* The reader of our stdout went away. */
gboolean fh_live_output_is_unread (FhLiveOutput *output);
/* The errno of a write to stdout that failed for another reason, such as a full disk; else 0. */
int fh_live_output_get_error (FhLiveOutput *output);

/* Stops the run once for each signal that came, see stop-signals.h. */
void fh_live_output_obey_signals (FhRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhLiveOutput, fh_live_output_free)

G_END_DECLS
