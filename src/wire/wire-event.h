/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events that a runner sends to its backend. The numbers are part of the protocol: append, never
 * renumber.
 */
#pragma once

#include "wire-frame.h"

enum fh_wire_guard
{
  FH_WIRE_GUARD_FILESYSTEM,
  FH_WIRE_GUARD_NETWORK,
  FH_WIRE_GUARD_PROCESSES,
  FH_WIRE_GUARD_SYSTEM_CALLS,
  FH_WIRE_GUARD_PRIVILEGES,
  FH_WIRE_GUARD_MEMORY,
  FH_WIRE_GUARD_TIME,
  FH_WIRE_GUARD_DISK,
  FH_WIRE_GUARD_OUTPUT,
  FH_WIRE_GUARD_ENVIRONMENT,
  FH_WIRE_N_GUARDS,
};

enum fh_wire_level
{
  FH_WIRE_LEVEL_ACTIVE,
  FH_WIRE_LEVEL_DEGRADED,    /* works, but weaker than it could be: see the reason */
  FH_WIRE_LEVEL_UNAVAILABLE, /* does not work here: see the reason */
  FH_WIRE_LEVEL_OFF,         /* not requested, e.g. a limit of 0 */
};

/* `layers`: what the guard consists of, comma-separated and in English, e.g. "network namespace,
 * loopback only". `reason` is a short machine word such as "no-cgroup", or empty. */
struct fh_guard_report
{
  uint8_t guard;
  uint8_t level;
  const char *layers;
  const char *reason;
};

enum fh_wire_stream
{
  FH_WIRE_STDOUT = 1,
  FH_WIRE_STDERR = 2,
};

/* How a run ended. The first cause wins and is never overwritten. */
enum fh_wire_status
{
  FH_WIRE_EXITED,    /* exit_code is set */
  FH_WIRE_SIGNALLED, /* signal is set; we did not send it */
  FH_WIRE_TIMED_OUT, /* cause: wall or cpu */
  FH_WIRE_MEMORY,    /* cause: certain, likely, or the kernel objects that were too many */
  FH_WIRE_OUTPUT_LIMIT,
  FH_WIRE_DISK_LIMIT,
  FH_WIRE_PROCESS_LIMIT,
  FH_WIRE_VIOLATION,    /* the seccomp filter killed it: foreign architecture; or see the cause */
  FH_WIRE_STOPPED,      /* by a stop frame, or because the backend is gone */
  FH_WIRE_NOT_STARTED,  /* step "exec": the interpreter could not be executed; "interpreter": it
                           ended before it has read the program */
  FH_WIRE_SETUP_FAILED, /* a guard could not be set up: step and errno; nothing ran */
  FH_WIRE_INTERNAL,     /* the runner itself failed; step and errno */
};

enum fh_wire_cause
{
  FH_WIRE_CAUSE_NONE,
  FH_WIRE_CAUSE_WALL,
  FH_WIRE_CAUSE_CPU,
  FH_WIRE_CAUSE_CERTAIN,
  FH_WIRE_CAUSE_LIKELY,
  FH_WIRE_CAUSE_SOCKETS,     /* unread data in them */
  FH_WIRE_CAUSE_LOCKS,       /* on files */
  FH_WIRE_CAUSE_DESCRIPTORS, /* sent through sockets and not received */
  FH_WIRE_CAUSE_PIPES,
  FH_WIRE_CAUSE_CHANNEL, /* of a violation: the guest channel of a kept sandbox was broken */
  FH_WIRE_CAUSE_ITSELF,  /* the main process sent itself the signal that killed it */
  FH_WIRE_CAUSE_SAID,    /* of memory: the program says so, and nothing else does */
  FH_WIRE_CAUSE_OPEN,    /* so much is open that not all of it could be looked at */
  FH_WIRE_CAUSE_UNSEEN,  /* a process cannot be looked into, so what it uses is not known */
  /* The program failed by itself while as many processes ran as its limit allows: perhaps because
   * another was refused. */
  FH_WIRE_CAUSE_PROCESSES,
};

/* How the main process ended: exit_code or signal, the other is -1; both if nothing ran. A program
 * that the runner killed has signal SIGKILL. Times in microseconds, sizes in bytes. */
struct fh_finished
{
  uint8_t status;
  uint8_t cause;
  int32_t exit_code;
  int32_t signal;
  uint64_t wall_us;
  uint64_t cpu_user_us;
  uint64_t cpu_system_us;
  uint64_t memory_peak;
  uint32_t processes_peak;
  uint32_t n_left; /* processes that were ended with the main process, though they had its output */
  uint32_t n_quiet; /* likewise, after a program that had ended by itself: without its output */
  bool stays; /* the sandbox is still there, and n_quiet processes in it are, FH_POLICY_STAYS */
  uint64_t stdout_bytes; /* all output, as far as it was read */
  uint64_t stderr_bytes;
  int32_t error;    /* errno of the failed step, or 0 */
  const char *step; /* "" unless a step failed */
};

struct fh_usage
{
  uint64_t wall_us;
  uint64_t cpu_us;
  uint64_t memory_bytes;
  uint32_t processes;
};

/* Bytes that the program wrote; hostile. */
struct fh_output
{
  uint8_t stream;
  uint64_t time_us; /* since the program was started */
  const uint8_t *data;
  size_t size;
};

/* Maximum of one output frame; larger ones are invalid. */
#define FH_OUTPUT_MAX (64u * 1024)

void
fh_guards_encode (const struct fh_guard_report *reports, size_t count, struct fh_buffer *buffer);
void fh_output_encode (const struct fh_output *output, struct fh_buffer *buffer);
void fh_usage_encode (const struct fh_usage *usage, struct fh_buffer *buffer);
void fh_waiting_encode (bool is_waiting, struct fh_buffer *buffer);
void fh_finished_encode (const struct fh_finished *finished, struct fh_buffer *buffer);

/* Fills in at most FH_WIRE_N_GUARDS reports, whose strings are to be freed with fh_guards_clear;
 * returns how many, or -1. */
int fh_guards_decode (struct fh_guard_report *reports, const void *payload, size_t size);
void fh_guards_clear (struct fh_guard_report *reports, int count);
/* The data is borrowed from the payload. */
bool fh_output_decode (struct fh_output *output, const void *payload, size_t size);
bool fh_usage_decode (struct fh_usage *usage, const void *payload, size_t size);
bool fh_waiting_decode (bool *is_waiting, const void *payload, size_t size);
/* `step` is new, to be freed by the caller. */
bool fh_finished_decode (struct fh_finished *finished, const void *payload, size_t size);
