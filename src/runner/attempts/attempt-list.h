/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The attempt list: what was tried, each kind once, with how often. It is told to the backend as it
 * grows: a new kind at once, a count that has grown at most every quarter of a second and at the
 * end.
 *
 * Its memory is settled before the guest runs. When all places are taken only the number of those
 * that follow is kept, and what was merely observed may take half of the places, so that a program
 * cannot hide what it was denied behind a thousand harmless things.
 */
#pragma once

#include "control-channel.h"
#include "wire-attempt.h"

#define ATTEMPTS_OBSERVED_MAX (FH_ATTEMPTS_MAX / 2)

struct kept_attempt
{
  struct fh_attempt attempt; /* its strings are the ones below, but for the layer */
  uint32_t told;             /* the count that the backend knows */
  char operation[FH_ATTEMPT_OPERATION_MAX + 1];
  char object[FH_ATTEMPT_OBJECT_MAX + 1];
  char command[FH_ATTEMPT_COMMAND_MAX + 1];
};

struct attempt_list
{
  struct kept_attempt *kept; /* NULL: nothing is kept or told at all */
  uint32_t hashes[FH_ATTEMPTS_MAX];
  uint32_t n;
  uint32_t n_observed;
  uint32_t n_told;
  bool has_grown;   /* a count that the backend knows is no longer true */
  uint64_t next_us; /* when to tell of it; UINT64_MAX: there is nothing to tell */
  uint64_t dropped;
};

/* False when there is no memory. */
bool attempt_list_init (struct attempt_list *list);
void attempt_list_clear (struct attempt_list *list);

/* Counts `attempt` if it needs no place of its own: one like it is kept, or there is no place left.
 * False when it is new, and worth finding out more about before it is added. */
bool attempt_list_count (struct attempt_list *list, const struct fh_attempt *attempt);
/* Counts or keeps `attempt`, whose `id` and `count` are set here. Strings are copied and cut to
 * what a frame takes; the layer has to last. */
void attempt_list_add (struct attempt_list *list, const struct fh_attempt *attempt);
/* True when there are some that the backend has not heard of at all. */
bool attempt_list_is_news (const struct attempt_list *list);
/* Tells what is due, as far as the channel has room. */
void attempt_list_tell (struct attempt_list *list, struct control_channel *channel);
/* Tells everything that has not been told, and how many were dropped. */
void attempt_list_conclude (struct attempt_list *list, struct control_channel *channel);
