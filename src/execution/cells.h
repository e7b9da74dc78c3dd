/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cell.h"
#include "executor.h"
#include "old-series-record.h"

G_BEGIN_DECLS

/* The cells of one session, run one after the other by one interpreter in one namespace. When it
 * has ended, the next cell gets a new one, in which everything that is kept is set and declared
 * again.
 *
 * Signals:
 *   started (FhCell *cell, FhRun *run)
 *   finished (FhCell *cell, FhRun *run): the run has its result, and fh_cells_dup_answer its
 *     answer. `run` is NULL for a reset, which runs nothing, and for
 *     an end where there is no interpreter
 *   restarted (FhCell *cell, const char *why): before `finished`; it was run by a new interpreter,
 *     although there had been one before: the variables of earlier cells are gone. `why`: nullable,
 *     see fh_run_get_earlier_end
 *   refused (FhCell *cell, const char *message): it could not be started at all
 *   call (guint number, const char *name, JsonNode *arguments): the program calls a function that
 *     was declared and waits for fh_cells_reply. Chosen by the program, of checked form. Without a
 *     handler every call fails
 *   answered (FhCell *cell, JsonObject *answer): of fh_cells_ask; NULL if the call ended before
 *   idle: nothing runs, and nothing waits */
#define FH_TYPE_CELLS (fh_cells_get_type ())
G_DECLARE_FINAL_TYPE (FhCells, fh_cells, FH, CELLS, GObject)

/* Runs by `executor`. `record`: nullable; gets every cell that executes code. */
FhCells *fh_cells_new (FhExecutor *executor, FhOldSeriesRecord *record);

/* Of the cells that start from now on; the next one gets a new interpreter if they differ in more
 * than limits of time and output. */
void fh_cells_set_options (FhCells *self, const FhRunOptions *options);

/* Runs it after those that wait. FALSE with FH_RUN_ERROR_INVALID if too many wait. */
gboolean fh_cells_push (FhCells *self, FhCell *cell, GError **error);
/* Forgets those that wait. */
void fh_cells_clear (FhCells *self);
guint fh_cells_get_n_waiting (FhCells *self);
/* The cell that runs, and its run; NULL if none does. */
FhCell *fh_cells_get_cell (FhCells *self);
FhRun *fh_cells_get_run (FhCells *self);

/* KeyboardInterrupt in the cell that runs; it is killed if it does not obey. FALSE if none runs. */
gboolean fh_cells_interrupt (FhCells *self);

/* The reply to the call of that number, which is either `value` or, if that is NULL, an exception
 * with the text `error`. FALSE with FH_RUN_ERROR_INVALID if no such call waits, or it is too long.
 */
gboolean
fh_cells_reply (FhCells *self, guint number, JsonNode *value, const char *error, GError **problem);
/* Whether a call waits for its reply. */
gboolean fh_cells_has_call (FhCells *self);
/* The interpreter does it at once, while the call waits: the cell that made the call goes on only
 * after the reply, and the reply may depend on this. FALSE with FH_RUN_ERROR_INVALID if it runs
 * code, begins anew or is too long. */
gboolean fh_cells_ask (FhCells *self, FhCell *cell, GError **error);
/* No reply will come any more: the call that waits and all later ones fail with this text. */
void fh_cells_refuse_calls (FhCells *self, const char *error);

/* What the interpreter answered to a cell: chosen by the program; NULL if it has ended or its
 * answer cannot be read. See data/guest/session.py. */
JsonObject *fh_cells_dup_answer (FhRun *run);

/* Ends them and their interpreter in `executor`, and takes the reference. A cell that runs is
 * killed; otherwise what the program has registered with atexit runs first, see fh_cell_new_end,
 * and the application lives until then. */
void fh_cells_close (FhCells *self, FhExecutor *executor);

G_END_DECLS
