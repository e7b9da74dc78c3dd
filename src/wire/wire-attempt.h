/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attempts: what the program tried and a guard saw. These are reports only: what the guest may do
 * was decided by the policy before it began. All strings except the layer may be chosen by the
 * program: any bytes but NUL, and hostile.
 */
#pragma once

#include "wire-event.h"

/* Distinct attempts that a run reports; further ones are only counted. */
#define FH_ATTEMPTS_MAX 512

/* Maximum length of operation, object and process name, in bytes; longer ones are cut. */
#define FH_ATTEMPT_OPERATION_MAX 63
#define FH_ATTEMPT_OBJECT_MAX    1023
#define FH_ATTEMPT_COMMAND_MAX   15

enum fh_wire_verdict
{
  FH_WIRE_DENIED,   /* a guard refused it: `error` is what the program got */
  FH_WIRE_HIDDEN,   /* what it named does not exist inside */
  FH_WIRE_LIMITED,  /* it exceeded a limit */
  FH_WIRE_OBSERVED, /* it was allowed, but is worth knowing */
};

enum fh_attempt_flags
{
  /* The named object exists on the user's computer, where the program cannot see it. */
  FH_ATTEMPT_EXISTS_OUTSIDE = 1u << 0,
  /* It was observed, but its outcome is not known: it can fail, or not every part of its path could
   * be looked at. If the object is empty, what was named could not be read; if it is a relative
   * path, the folder where it starts is not known. */
  FH_ATTEMPT_IS_UNCERTAIN = 1u << 1,
  /* It was observed: what it named is not on the user's computer either, so that no guard has kept
   * anything from it. This is found out at the end only, and turns a hidden one into this. */
  FH_ATTEMPT_IS_MISSING = 1u << 2,
  /* It is the limit that has ended the run, or the cell. */
  FH_ATTEMPT_ENDED_RUN = 1u << 3,
};
#define FH_ATTEMPT_ALL_FLAGS ((FH_ATTEMPT_ENDED_RUN << 1) - 1)

/* One kind of attempt: same guard, operation, object, verdict and certainty. It is sent again with
 * the same id when its count or flags have changed, or a hidden one turned out to be missing. */
struct fh_attempt
{
  uint32_t id;    /* from 0 on, without gaps */
  uint32_t count; /* how often so far, at least 1 */
  uint8_t guard;  /* enum fh_wire_guard */
  uint8_t verdict;
  uint32_t flags;
  int32_t error;    /* errno that the program got, or 0 */
  uint64_t time_us; /* first time, since the program was started */
  uint32_t process; /* process id inside of the first process that tried; 0: unknown */

  const char *layer;     /* "seccomp", "mount", "dns", "proxy", "rlimit", "cgroup" … */
  const char *operation; /* "open", "connect", "look up", "ptrace" … see the runner */
  const char *object;    /* what it was about: "/etc/shadow", "1.1.1.1:443", flags; may be "" */
  const char *command;   /* the name of the process; may be "" */
};

void fh_attempt_encode (const struct fh_attempt *attempt, struct fh_buffer *buffer);
/* The strings are new, to be freed with fh_attempt_clear. False, with nothing allocated, if the
 * payload is invalid. */
bool fh_attempt_decode (struct fh_attempt *attempt, const void *payload, size_t size);
void fh_attempt_clear (struct fh_attempt *attempt);

/* Number of attempts that were not reported one by one. Sent before the end, if any. */
void fh_attempts_dropped_encode (uint64_t count, struct fh_buffer *buffer);
bool fh_attempts_dropped_decode (uint64_t *count, const void *payload, size_t size);
