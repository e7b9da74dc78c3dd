/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* How a run ended. The first cause wins. The order is part of the history's file format: append. */
typedef enum
{
  FH_RUN_STATUS_OK,
  FH_RUN_STATUS_FAILED,          /* exit code other than 0 */
  FH_RUN_STATUS_SIGNALLED,       /* killed by a signal that Fumehood did not send */
  FH_RUN_STATUS_TIMED_OUT,       /* cause: wall or cpu */
  FH_RUN_STATUS_MEMORY_EXCEEDED, /* cause: certain or likely, or one of those after them */
  FH_RUN_STATUS_OUTPUT_LIMIT,
  FH_RUN_STATUS_DISK_LIMIT,
  FH_RUN_STATUS_PROCESS_LIMIT,
  FH_RUN_STATUS_VIOLATION,
  FH_RUN_STATUS_STOPPED,         /* by the user */
  FH_RUN_STATUS_NOT_STARTED,     /* the interpreter could not be started: step, error */
  FH_RUN_STATUS_GUARD_FAILED,    /* a guard could not be set up, nothing ran: step, error */
  FH_RUN_STATUS_INTERNAL_ERROR,  /* we failed: message */
  FH_RUN_STATUS_OPERATION_LIMIT, /* of Python; the interpreter says so itself */
} FhRunStatus;

typedef enum
{
  FH_RUN_CAUSE_NONE,
  FH_RUN_CAUSE_WALL,
  FH_RUN_CAUSE_CPU,
  FH_RUN_CAUSE_CERTAIN,
  FH_RUN_CAUSE_LIKELY,
  /* The kernel keeps them in memory that all programs share. */
  FH_RUN_CAUSE_SOCKETS,     /* data that waits in them */
  FH_RUN_CAUSE_LOCKS,       /* on files */
  FH_RUN_CAUSE_DESCRIPTORS, /* open files on their way through sockets */
  FH_RUN_CAUSE_PIPES,
  FH_RUN_CAUSE_CHANNEL, /* of a violation: a session's program broke its connection */
  FH_RUN_CAUSE_ITSELF,  /* signalled: the program killed itself */
  FH_RUN_CAUSE_SAID,    /* memory: the program says so, and nothing else does */
  FH_RUN_CAUSE_OPEN,    /* too much is open to be looked at */
  FH_RUN_CAUSE_UNSEEN,  /* a process cannot be looked into */
  /* ok, failed or signalled: as many processes as allowed were running, so perhaps one was refused
   */
  FH_RUN_CAUSE_PROCESSES,
  /* ok, stopped: it is what had run when this was saved, before the end of the whole */
  FH_RUN_CAUSE_UNFINISHED,
} FhRunCause;

typedef enum
{
  FH_RUN_SEVERITY_GOOD,    /* ok */
  FH_RUN_SEVERITY_PROGRAM, /* the program's own failure */
  FH_RUN_SEVERITY_LIMIT,   /* a guard ended it, or the user did */
  FH_RUN_SEVERITY_OURS,    /* nothing ran, or we failed */
} FhRunSeverity;

/* How a run ended, as scalars. A plain value: a copy borrows step and message from the FhRunResult.
 */
/* The step of FhRunOutcome if it was not allowed to run. */
#define FH_RUN_STEP_APPROVAL "approval"
/* The step that failed when no container engine could be used: the message is the advice. */
#define FH_RUN_STEP_ENGINE "engine"

typedef struct
{
  FhRunStatus status;
  FhRunCause cause;
  int exit_code; /* -1: none */
  int signal;    /* -1: none */
  guint64 wall_us;
  guint64 waited_us; /* of that, for input from a person */
  guint64 cpu_user_us;
  guint64 cpu_system_us;
  guint64 memory_peak; /* bytes, of the whole tree */
  guint processes_peak;
  guint processes_ended; /* those that were left, had its output, and were ended with it */
  guint quiet_processes; /* likewise, without its output. Not part of the JSON */
  gboolean stays;        /* the sandbox is still there for another run, and quiet_processes go on in
                            it. Not part of the JSON */
  int error;             /* errno of the failed step, 0: none */
  const char *step;      /* nullable: "uid-map", "exec", … */
  const char *message; /* nullable: a sentence for people: details of an internal error, or a remark
                          about the run */
  const char *value;   /* nullable: of a cell, as text; chosen by the program */
  guint64 limit_ms;    /* the time limit that was in force, for the sentence */
  guint64 limit_bytes; /* the memory or output limit that was in force */
  guint block;         /* of an answer with several: it ended the answer, or it alone ran; or 0 */
  guint blocks_left;   /* those after it, which did not run for that reason */
} FhRunOutcome;

/* The time in µs that counted against the limit: without the wait for a person. */
guint64 fh_run_outcome_own_us (const FhRunOutcome *outcome);

/* One sentence for people, translated: what happened and, where it helps, what to do. */
char *fh_run_outcome_sentence (const FhRunOutcome *outcome);

/* A sentence about a run that is no part of how it ended: the last sentences of the above, or NULL.
 */
char *fh_run_outcome_remark (const FhRunOutcome *outcome);

/* A second sentence with advice, or NULL: "Raise the memory limit or …". */
char *fh_run_outcome_advice (const FhRunOutcome *outcome);

/* Whether the program has run at all. */
gboolean fh_run_outcome_has_run (const FhRunOutcome *outcome);

/* Whether it could not be started because a shared resource was used up: the same run may succeed
 * later. */
gboolean fh_run_outcome_is_shortage (const FhRunOutcome *outcome);

/* "SIGSEGV", or "signal 77"; static or interned. */
const char *fh_signal_name (int number);

/* Stable words: "ok", "failed", "timed-out", …; "wall", "cpu", "certain", "likely", …, and "" for
 * none. NULL-terminated, by value. */
extern const char *const fh_run_status_words[];
extern const char *const fh_run_cause_words[];
const char *fh_run_status_to_string (FhRunStatus status);
gboolean fh_run_status_from_string (const char *text, FhRunStatus *status);

/* Two or three words for a list row, translated: "Timed out". */
const char *fh_run_status_title (FhRunStatus status);
FhRunSeverity fh_run_status_severity (FhRunStatus status);
/* A symbolic icon of the Adwaita theme. */
const char *fh_run_status_icon_name (FhRunStatus status);

/* The exit status of fumehoodctl: the program's own, 128 + n for a signal, 124 timed out, 125 when
 * Fumehood could not run it, 137 when a limit killed it, 130 when the user stopped it. */
int fh_run_outcome_exit_status (const FhRunOutcome *outcome);
