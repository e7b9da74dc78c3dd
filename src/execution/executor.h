/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "probes.h"
#include "warm-start.h"

/* Runs the requests of one tab or one command: chooses the backend, finds out what protects the
 * next run, and keeps a container that is to stay between runs for as long as its options stay the
 * same.
 *
 * Signals:
 *   protected: fh_executor_get_protection returns another object
 *   changed: progress, engine, or something about the kept container
 *   replaced: the options have changed; this run gets another container than the last one
 *   failed (const char *message): a restart or stop; a sentence for people */
#define FH_TYPE_EXECUTOR (fh_executor_get_type ())
G_DECLARE_FINAL_TYPE (FhExecutor, fh_executor, FH, EXECUTOR, GObject)

/* `probes`: NULL for its own. */
FhExecutor *fh_executor_new (FhProbes *probes);

/* What the next run will be like; NULL for options that cannot be used. A container is probed a
 * moment later, not while its options are being typed. */
void fh_executor_set_options (FhExecutor *self, const FhRunOptions *options);
/* Probes again what protects the next run. */
void fh_executor_check (FhExecutor *self);
/* What protects the next run; NULL before its options are known. */
FhProtection *fh_executor_get_protection (FhExecutor *self);

/* Cells (fh_run_request_get_cell) are run one after the other by one interpreter, as long as it
 * lives and their options, but for limits of time, stay the same; else by a new one. The next one
 * gets a new one after this. */
void fh_executor_reset_cells (FhExecutor *self);

/* Starts a run and ends the one before. Never fails here, see fh_sandbox_run. (transfer full) */
FhRun *fh_executor_run (FhExecutor *self, FhRunRequest *request);

/* While `next` is set, the sandbox of the next run is prepared ahead, see warm-start.h; and
 * fh_executor_expect_run says that the user did something that may precede a run. */
void fh_executor_set_next (FhExecutor *self, FhNextRequestFunc next, gpointer user_data);
void fh_executor_expect_run (FhExecutor *self);

/* Runs on this computer that are like `like` are copies of one warm interpreter from now on, as
 * long as the executor is open: see fh_sandbox_keep_warm. */
void fh_executor_keep_warm (FhExecutor *self, FhRunRequest *like, const char *const *modules);

/* The sandboxes that it makes from now on stay on this processor, or with -1 on none in particular:
 * see fh_sandbox_keep_on. */
void fh_executor_keep_on (FhExecutor *self, int cpu);

/* The last run and its sandbox; NULL before the first one. */
FhRun *fh_executor_get_run (FhExecutor *self);
FhSandbox *fh_executor_get_sandbox (FhExecutor *self);

/* "Pulling python:3-slim: 3 of 5 layers" while an image is pulled for a run, else NULL.
 * (transfer full) */
char *fh_executor_dup_progress (FhExecutor *self);

/* The container that stays between runs: its name, a sentence about its state, and whether it can
 * be restarted or stopped now. NULL when there is none. */
const char *fh_executor_get_container (FhExecutor *self);
const char *fh_executor_get_container_state (FhExecutor *self);
gboolean fh_executor_can_change_container (FhExecutor *self);

/* Asks for the state of that container again. */
void fh_executor_refresh (FhExecutor *self);
void fh_executor_restart_container (FhExecutor *self);
void fh_executor_stop_container (FhExecutor *self);

/* Ends the present run, but keeps a container that stays between runs. */
void fh_executor_end_run (FhExecutor *self);

/* Ends everything; containers are removed in the background. No signal is emitted after it. */
void fh_executor_close (FhExecutor *self);

/* The same, and finishes when all containers are removed that should be. */
void fh_executor_close_async (FhExecutor *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean fh_executor_close_finish (FhExecutor *self, GAsyncResult *result, GError **error);
