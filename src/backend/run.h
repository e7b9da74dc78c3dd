/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "run-result.h"

G_BEGIN_DECLS

typedef enum
{
  FH_RUN_PREPARING,
  FH_RUN_RUNNING,
  FH_RUN_STOPPING,
  FH_RUN_FINISHED,
} FhRunState;

/* What is used at this moment; zero before the first measurement. */
typedef struct
{
  guint64 wall_us;
  guint64 cpu_us;
  guint64 memory_bytes;
  guint processes;
} FhRunUsage;

/* One live run. Everybody who wants to know about it listens here: the window, the command line,
 * the history. A run that was made always finishes: its result is set exactly once, and then the
 * state is FH_RUN_FINISHED for good.
 *
 * Properties (read-only, notified): state, result, usage-serial (changes with every measurement).
 * Signals:
 *   output (FhStream stream, guint64 time_us, GBytes *bytes): bytes as the program wrote them
 *   attempt (FhAttempt *attempt): something new that it tried; later only its count and line change
 *   guest-message (GBytes *bytes): what the program's own interpreter reported; hostile
 *   stop-requested (gboolean by_force): for the sandbox that drives this run */
#define FH_TYPE_RUN (fh_run_get_type ())
G_DECLARE_FINAL_TYPE (FhRun, fh_run, FH, RUN, GObject)

FhRunRequest *fh_run_get_request (FhRun *self);
FhRunState fh_run_get_state (FhRun *self);
FhRunResult *fh_run_get_result (FhRun *self); /* NULL until finished */
FhRunUsage fh_run_get_usage (FhRun *self);
FhOutputLog *fh_run_get_output (FhRun *self);
FhAttemptLog *fh_run_get_attempts (FhRun *self); /* grows while it runs; never NULL */
FhResultFiles *fh_run_get_files (FhRun *self);   /* filled just before the end; never NULL */
GPtrArray *fh_run_get_guards (FhRun *self); /* (element-type FhGuardState), empty until known */
/* Monotonic microseconds at which the program was started; 0 before. */
gint64 fh_run_get_started_at (FhRun *self);

/* The first call asks the program to end (SIGINT, one second, then it is killed), the second one
 * kills at once. Calls after the end do nothing. */
void fh_run_stop (FhRun *self);

G_END_DECLS
