/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The attempt list: each kind of attempt once, with its count. It is reported as it grows: new
 * kinds at once, changed counts at most every quarter of a second and at the end.
 *
 * Its memory is allocated before the guest runs. When all places are taken, further kinds are only
 * counted. Attempts that were merely observed take at most half of the places, and some places are
 * kept for each subject, so that a program cannot hide what matters behind a thousand attempts that
 * do not.
 */
#pragma once

#include "control-channel.h"
#include "wire-attempt.h"

#define ATTEMPTS_OBSERVED_MAX (FH_ATTEMPTS_MAX / 2)

/* Each attempt is about one of these. */
enum attempt_subject
{
  ATTEMPT_SUBJECT_SECRETS, /* files in the folders where secrets are kept, such as ~/.ssh */
  ATTEMPT_SUBJECT_FILES,
  ATTEMPT_SUBJECT_NETWORK,
  ATTEMPT_SUBJECT_SYSTEM,
  ATTEMPT_N_SUBJECTS,
};
/* Places that others cannot take from a subject. */
#define ATTEMPTS_OF_SUBJECT_MIN (FH_ATTEMPTS_MAX / 8)
/* Places that one subject can take, if there is nothing else. */
#define ATTEMPTS_OF_SUBJECT_MAX                                                                    \
  (FH_ATTEMPTS_MAX - (ATTEMPT_N_SUBJECTS - 1) * ATTEMPTS_OF_SUBJECT_MIN)

/* Flags that are not sent. It is not yet known whether the user has the named file: see
 * attempt-outside.h. */
#define ATTEMPT_MAY_BE_OUTSIDE (1u << 30)
/* Only to be reported if the user has it. */
#define ATTEMPT_ONLY_IF_OUTSIDE (1u << 31)

struct kept_attempt
{
  struct fh_attempt attempt; /* its strings are the ones below, except the layer */
  uint32_t sent_count;       /* the count that the backend has */
  char operation[FH_ATTEMPT_OPERATION_MAX + 1];
  char object[FH_ATTEMPT_OBJECT_MAX + 1];
  char command[FH_ATTEMPT_COMMAND_MAX + 1];
};

struct attempt_list
{
  struct kept_attempt *kept; /* NULL: nothing is kept or reported */
  uint32_t hashes[FH_ATTEMPTS_MAX];
  uint32_t n;
  uint32_t n_observed;
  uint32_t n_of[ATTEMPT_N_SUBJECTS];
  uint32_t n_sent;
  bool has_grown;   /* a count that the backend has is out of date */
  uint64_t next_us; /* when to report next; UINT64_MAX: nothing to report */
  uint64_t dropped;
  struct attempt_list *later; /* those with ATTEMPT_ONLY_IF_OUTSIDE, in places of their own */
};

/* False if out of memory. */
bool attempt_list_init (struct attempt_list *list);
void attempt_list_clear (struct attempt_list *list);

/* Counts `attempt` if it needs no new place: it is known, or there is no place for it. False if
 * it is new; then find out more and add it. */
bool attempt_list_count (struct attempt_list *list, const struct fh_attempt *attempt);
/* Counts or stores `attempt`, setting its `id` and `count`. Strings are copied and cut to what a
 * frame takes; the layer must be static. */
void attempt_list_add (struct attempt_list *list, const struct fh_attempt *attempt);
/* Records that the user has what an attempt named. */
void attempt_list_set_outside (struct kept_attempt *kept);
/* Records that what a hidden attempt named is nowhere, so that nothing was hidden from it. */
void attempt_list_set_missing (struct kept_attempt *kept);
/* Moves one of `later` to those that are reported, as `attempt`, with its count. */
void attempt_list_take_later (struct attempt_list *list,
                              const struct kept_attempt *later,
                              const struct fh_attempt *attempt);
/* True if the backend does not know some of them at all. */
bool attempt_list_is_news (const struct attempt_list *list);
/* Reports what is due, as far as the channel has room. */
void attempt_list_send (struct attempt_list *list, struct control_channel *channel);
/* Reports everything that was not reported, and how many were dropped. */
void attempt_list_conclude (struct attempt_list *list, struct control_channel *channel);
