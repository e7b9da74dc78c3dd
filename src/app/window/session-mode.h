/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cells.h"
#include "controls/options.h"
#include "editor/editor-cells.h"
#include "output/output-view.h"

G_BEGIN_DECLS

/* The session of a tab: cells of its text run one after the other in one namespace, and their
 * output is shown one below the other. It stays open until it is closed.
 *
 * Property: n-waiting (read-only, notified): cells that wait.
 * Signals:
 *   started (FhRun *run): of a cell's code
 *   finished (FhRun *run, JsonObject *answer): see fh_cells_dup_answer; `answer` is nullable
 *   failed (const char *sentence): for people */
#define FH_TYPE_SESSION_MODE (fh_session_mode_get_type ())
G_DECLARE_FINAL_TYPE (FhSessionMode, fh_session_mode, FH, SESSION_MODE, GObject)

/* `history`: nullable; gets the session when it is closed. */
FhSessionMode *fh_session_mode_new (FhExecutor *executor,
                                    FhOptions *options,
                                    FhEditorCells *editor,
                                    FhOutputView *output,
                                    FhHistory *history);

/* Runs it after those that wait. Problems are emitted. */
void fh_session_mode_run (FhSessionMode *self, const FhCellCode *code);
/* Does something else in the interpreter, such as listing its variables, behind what runs now. */
void fh_session_mode_push (FhSessionMode *self, FhCell *cell);
/* KeyboardInterrupt for the cell that runs; the others do not run. */
void fh_session_mode_stop (FhSessionMode *self);
/* The next cell gets a new interpreter. */
void fh_session_mode_reset (FhSessionMode *self);
/* Ends it. Nothing is emitted after that. */
void fh_session_mode_close (FhSessionMode *self);

FhCells *fh_session_mode_get_cells (FhSessionMode *self);
/* Of the last cell's code; nullable. Borrowed. */
FhRun *fh_session_mode_get_run (FhSessionMode *self);
/* Whether a cell runs or waits. */
gboolean fh_session_mode_is_busy (FhSessionMode *self);

G_END_DECLS
