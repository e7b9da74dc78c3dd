/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cell-private.h"
#include "run.h"

/* The call of a declared function that waits for its reply, and the cells that the interpreter does
 * while it waits: whoever answers the call may have to look at variables first. All zero: no call.
 */
typedef struct
{
  guint number; /* 0: no call */
  GQueue asked; /* FhCell; the interpreter does the first one if `is_asking` */
  gboolean is_asking;
  GBytes *reply; /* sent after these; nullable */
} FhCellCall;

/* TRUE until its reply was given. */
gboolean fh_cell_call_waits (const FhCellCall *self);

/* The reply: see fh_series_reply. */
gboolean fh_cell_call_reply (FhCellCall *self,
                             FhRun *run,
                             guint number,
                             JsonNode *value,
                             const char *text,
                             GError **error);

/* The cell is done in the call. FALSE with FH_RUN_ERROR_INVALID if that cannot be. */
gboolean fh_cell_call_ask (FhCellCall *self, FhRun *run, FhCell *cell, GError **error);

/* The cell that the interpreter has answered, or NULL if it was not asked. */
FhCell *fh_cell_call_take_answered (FhCellCall *self);

/* Sends what comes next. */
void fh_cell_call_go_on (FhCellCall *self, FhRun *run);

/* Forgets the call. Returns the cells that will not be done. */
GQueue *fh_cell_call_end (FhCellCall *self);
