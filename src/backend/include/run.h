/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "live-input.h"
#include "run-request.h"
#include "run-result.h"

typedef enum
{
  FH_RUN_PREPARING,
  FH_RUN_RUNNING,
  FH_RUN_STOPPING,
  FH_RUN_FINISHED,
} FhRunState;

/* The present usage; zero before the first measurement. */
typedef struct
{
  guint64 wall_us;
  guint64 cpu_us;
  guint64 memory_bytes;
  guint processes;
} FhRunUsage;

/* One live run, to which the window, the command line and the history listen. Every run finishes:
 * the result is set exactly once, and the state stays FH_RUN_FINISHED.
 *
 * Properties (read-only, notified): state, result, usage-serial (changes with every measurement).
 * Signals:
 *   output (const FhOutputPiece *piece): borrowed; already in the log
 *   call (GBytes *json): a cell calls a function of the caller's and waits for fh_run_reply; chosen
 *     by the program, not checked
 *   reply (guint number, GBytes *json): for the sandbox that drives this run
 *   stop-requested (gboolean by_force): for the sandbox that drives this run */
#define FH_TYPE_RUN (fh_run_get_type ())
G_DECLARE_FINAL_TYPE (FhRun, fh_run, FH, RUN, GObject)

/* In the end with what was sent to its live input. */
FhRunRequest *fh_run_get_request (FhRun *self);
/* NULL: its standard input was complete from the beginning. */
FhLiveInput *fh_run_get_input (FhRun *self);
FhRunState fh_run_get_state (FhRun *self);
FhRunResult *fh_run_get_result (FhRun *self); /* NULL until finished */
FhRunUsage fh_run_get_usage (FhRun *self);
FhOutputLog *fh_run_get_output (FhRun *self);
FhAttemptLog *fh_run_get_attempts (FhRun *self); /* grows while it runs; never NULL */
FhResultFiles *fh_run_get_files (FhRun *self);   /* filled just before the end; never NULL */
GPtrArray *fh_run_get_guards (FhRun *self); /* (element-type FhGuardState), empty until known */
/* TRUE if it was a copy of a warm interpreter; known at the end. */
gboolean fh_run_is_forked (FhRun *self);
/* A cell answers at most so many bytes. */
#define FH_RUN_MAX_ANSWER ((gsize) 4 << 20)

/* What a cell answered: JSON of data/guest/session.py, chosen by the program, not checked. NULL if
 * it did not: then its interpreter has ended, and the next cell gets a new one. Borrowed. */
GBytes *fh_run_get_answer (FhRun *self);
/* If a cell got a new interpreter: a sentence that says how that of earlier cells ended while the
 * cell waited. NULL if that is not known. */
const char *fh_run_get_earlier_end (FhRun *self);
/* The reply to the call of that number: {"value": …} or {"error": "…"}, at most 4 MiB. Does nothing
 * after the end. */
void fh_run_reply (FhRun *self, guint number, GBytes *json);
/* When the program was started, in monotonic microseconds; 0 before. */
gint64 fh_run_get_started_at (FhRun *self);
/* What it has come to until now, in case that this process is killed: FH_RUN_STATUS_STOPPED with
 * FH_RUN_CAUSE_UNFINISHED, no files, and of each stream at most `max_output` bytes, the first and
 * the last ones. (transfer full) */
FhRunResult *fh_run_new_result_so_far (FhRun *self, gsize max_output);

/* The first call interrupts the program (SIGINT; it is killed after one second), the second one
 * kills it. Does nothing after the end. */
void fh_run_stop (FhRun *self);
