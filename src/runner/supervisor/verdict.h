/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict: how a run ended. The first cause wins: what follows from it, such as the main
 * process dying of our SIGKILL, changes nothing.
 */
#pragma once

#include "wire-event.h"
#include "wire-policy.h"

struct verdict
{
  bool is_decided;
  uint8_t status;
  uint8_t cause;
  const char *step;
  int32_t error;
};

/* What is known about the end of the main process. */
struct verdict_evidence
{
  const struct fh_policy *policy;
  bool was_started;
  bool is_known; /* `wait_status` came from init; otherwise the main process died with init */
  int wait_status;
  bool was_alone; /* when it ended, no other process was left */
  uint64_t memory_peak;
  bool memory_is_counted; /* by the kernel, which then reports an excess: */
  bool was_over_memory;
  uint64_t cpu_us;
  bool says_out_of_memory; /* the guest's own claim, told as such unless the peak was near */
  bool killed_itself;      /* the main process has sent SIGKILL to itself */
  bool is_unread;          /* an interpreter ended before it has read what it was to run */
  bool disk_is_full;
  bool was_refused_process; /* the kernel counted a fork that the limit refused */
  bool may_lack_processes;  /* as many as allowed were seen, and nobody counts refusals */
};

/* Does nothing if it is decided already. */
void verdict_decide (struct verdict *verdict, enum fh_wire_status status, enum fh_wire_cause cause);
void verdict_fault (struct verdict *verdict,
                    enum fh_wire_status status,
                    const char *step,
                    int32_t error);

/* Decides from the evidence if nothing was decided before, and fills in status, cause, exit code,
 * signal, step and error. */
void verdict_conclude (struct verdict *verdict,
                       const struct verdict_evidence *evidence,
                       struct fh_finished *finished);
