/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "probes.h"
#include "recorder.h"
#include "warm-start.h"

G_BEGIN_DECLS

/* Runs the requests of one tab or one command: chooses the backend, finds out what protects the
 * next run, keeps a container that is to stay between runs for as long as its options stay the
 * same, and records results.
 *
 * Signals:
 *   protected: fh_session_get_protection returns another object
 *   changed: progress, engine, or something about the kept container
 *   replaced: the options have changed; this run gets another container than the last one
 *   failed (const char *message): a restart or stop; a sentence for people */
#define FH_TYPE_SESSION (fh_session_get_type ())
G_DECLARE_FINAL_TYPE (FhSession, fh_session, FH, SESSION, GObject)

/* `probes`: NULL for its own. `recorder`: nullable. */
FhSession *fh_session_new (FhProbes *probes, FhRecorder *recorder);

/* What the next run will be like; NULL for options that cannot be used. A container is probed a
 * moment later, not while its options are being typed. */
void fh_session_set_options (FhSession *self, const FhRunOptions *options);
/* Probes again what protects the next run. */
void fh_session_check (FhSession *self);
/* Of the next run; NULL before its options are known. */
FhProtection *fh_session_get_protection (FhSession *self);

/* Cells (fh_run_request_get_cell) are run one after the other by one interpreter, as long as it
 * lives and their options, but for limits of time, stay the same; else by a new one. The next one
 * gets a new one after this. */
void fh_session_reset_cells (FhSession *self);

/* Starts a run and ends the one before. Never fails here, see fh_sandbox_run.
 * `page_id`, `keep`: see fh_recorder_watch. (transfer full) */
FhRun *fh_session_run (FhSession *self, FhRunRequest *request, const char *page_id, gboolean keep);

/* While `next` is set, the sandbox of the next run is prepared ahead, see warm-start.h; and
 * fh_session_expect_run says that the user did something that may precede a run. */
void fh_session_set_next (FhSession *self, FhNextRequestFunc next, gpointer user_data);
void fh_session_expect_run (FhSession *self);

/* Runs on this computer that are like `like` are copies of one warm interpreter from now on, as
 * long as the session is open: see fh_sandbox_keep_warm. */
void fh_session_keep_warm (FhSession *self, FhRunRequest *like, const char *const *modules);

/* Of the last run; NULL before the first one. */
FhRun *fh_session_get_run (FhSession *self);
FhSandbox *fh_session_get_sandbox (FhSession *self);

/* "Pulling python:3-slim: 3 of 5 layers" while an image is pulled for a run, else NULL.
 * (transfer full) */
char *fh_session_dup_progress (FhSession *self);

/* The container that stays between runs: its name, a sentence about its state, and whether it can
 * be restarted or stopped now. NULL when there is none. */
const char *fh_session_get_container (FhSession *self);
const char *fh_session_get_container_state (FhSession *self);
gboolean fh_session_can_change_container (FhSession *self);

/* Asks for the state of that container again. */
void fh_session_refresh (FhSession *self);
void fh_session_restart_container (FhSession *self);
void fh_session_stop_container (FhSession *self);

/* Ends the present run, but keeps a container that stays between runs. */
void fh_session_end_run (FhSession *self);

/* Ends everything; containers are removed in the background. No signal is emitted after it. */
void fh_session_close (FhSession *self);

/* The same, and finishes when all containers are removed that should be. */
void fh_session_close_async (FhSession *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean fh_session_close_finish (FhSession *self, GAsyncResult *result, GError **error);

G_END_DECLS
