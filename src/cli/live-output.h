/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "series.h"

/* Copies the output of a run to our stdout and stderr as it is written: byte for byte, or through
 * terminal-filter.h to a terminal, unless it is to be raw. A slow reader slows the run down; after
 * Ctrl+C, output that the reader does not take in time is dropped. If the reader goes away, the run
 * is killed. */
typedef struct _FhLiveOutput FhLiveOutput;

/* `run`: of a step of the series, which signals stop while this waits for a reader. */
FhLiveOutput *fh_live_output_new (FhSeries *series, FhRun *run, gboolean is_raw);
/* Writes what was held back, after the run. */
void fh_live_output_finish (FhLiveOutput *output);
void fh_live_output_free (FhLiveOutput *output);

/* The reader of our stdout went away. */
gboolean fh_live_output_is_unread (FhLiveOutput *output);
/* The errno of a write to stdout that failed for another reason, such as a full disk; else 0. */
int fh_live_output_get_error (FhLiveOutput *output);
/* Bytes of both streams that were dropped; valid after fh_live_output_finish. */
guint64 fh_live_output_get_left_out (FhLiveOutput *output);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhLiveOutput, fh_live_output_free)
