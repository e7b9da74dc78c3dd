/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attempts: what the program tried and a guard saw. A report, never a decision: what the guest may
 * do was settled by the policy before it began. All strings but the layer may be chosen by the
 * program under guard: any bytes but NUL, and hostile.
 */
#pragma once

#include "wire-event.h"

/* How many different ones a run tells of; of those that follow, only the number is told. */
#define FH_ATTEMPTS_MAX 512

/* The longest operation, object and name of a process, in bytes; what is longer is cut. */
#define FH_ATTEMPT_OPERATION_MAX 63
#define FH_ATTEMPT_OBJECT_MAX    1023
#define FH_ATTEMPT_COMMAND_MAX   15

enum fh_wire_verdict
{
  FH_WIRE_DENIED,   /* a guard refused it: `error` is what the program was told */
  FH_WIRE_HIDDEN,   /* what it named is not there for it */
  FH_WIRE_LIMITED,  /* it went further than a limit allows */
  FH_WIRE_OBSERVED, /* it was let through, and is worth knowing */
};

enum fh_attempt_flags
{
  /* What was named exists on the user's computer, where the program cannot see it. */
  FH_ATTEMPT_EXISTS_OUTSIDE = 1u << 0,
};
#define FH_ATTEMPT_ALL_FLAGS FH_ATTEMPT_EXISTS_OUTSIDE

/* One kind of attempt: the same guard, operation, object and verdict is the same attempt, and is
 * told again, with the same id, when its count has grown. */
struct fh_attempt
{
  uint32_t id;    /* from 0 on, without gaps */
  uint32_t count; /* how often so far, at least 1 */
  uint8_t guard;  /* enum fh_wire_guard */
  uint8_t verdict;
  uint32_t flags;
  int32_t error;    /* errno that the program got, or 0 */
  uint64_t time_us; /* the first time, since the program was started */
  uint32_t process; /* the first to try, by the number it has inside; 0: not known */

  const char *layer;     /* "seccomp", "mount", "dns", "proxy", "rlimit", "cgroup" … */
  const char *operation; /* "open", "connect", "look up", "ptrace" … see the runner */
  const char *object;    /* what it was about: "/etc/shadow", "1.1.1.1:443", flags; may be "" */
  const char *command;   /* the name of the process; may be "" */
};

void fh_attempt_encode (const struct fh_attempt *attempt, struct fh_buffer *buffer);
/* The strings are fresh, to be freed with fh_attempt_clear. False, with nothing allocated, when
 * the payload is not a valid one. */
bool fh_attempt_decode (struct fh_attempt *attempt, const void *payload, size_t size);
void fh_attempt_clear (struct fh_attempt *attempt);

/* How many attempts were not told of one by one. Sent when there are any, before the end. */
void fh_attempts_dropped_encode (uint64_t count, struct fh_buffer *buffer);
bool fh_attempts_dropped_decode (uint64_t *count, const void *payload, size_t size);
