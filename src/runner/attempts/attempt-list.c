/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-list.h"

#include "attempt-path.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>

#define PAUSE_US 250000

/* Reported per turn of the supervisor's loop. */
#define SENT_AT_ONCE 64

/* Pages are only used once they are written: in a runner that serves many runs, calloc would clear
 * what the last one's list has left. */
static bool
init (struct attempt_list *list)
{
  *list = (struct attempt_list){ .next_us = UINT64_MAX };
  list->kept = malloc (FH_ATTEMPTS_MAX * sizeof *list->kept);
  return list->kept != NULL;
}

bool
attempt_list_init (struct attempt_list *list)
{
  if (!init (list))
    return false;
  list->later = malloc (sizeof *list->later);
  if (list->later != NULL && init (list->later))
    return true;
  attempt_list_clear (list);
  return false;
}

void
attempt_list_clear (struct attempt_list *list)
{
  if (list->later != NULL)
    free (list->later->kept);
  free (list->later);
  free (list->kept);
  list->later = NULL;
  list->kept = NULL;
}

/* FNV-1a. */
static uint32_t
hash_bytes (uint32_t hash, const char *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (uint8_t) bytes[i]) * UINT32_C (16777619);
  return hash;
}

static uint32_t
hash_of (const struct fh_attempt *attempt)
{
  const char kind[] = { (char) attempt->guard, (char) attempt->verdict };
  uint32_t hash = hash_bytes (UINT32_C (2166136261), kind, sizeof kind);

  hash =
      hash_bytes (hash, attempt->operation, strnlen (attempt->operation, FH_ATTEMPT_OPERATION_MAX));
  return hash_bytes (hash, attempt->object, strnlen (attempt->object, FH_ATTEMPT_OBJECT_MAX));
}

static bool
is_same (const struct fh_attempt *kept, const struct fh_attempt *attempt)
{
  return kept->guard == attempt->guard && kept->verdict == attempt->verdict &&
         !((kept->flags ^ attempt->flags) & FH_ATTEMPT_IS_UNCERTAIN) &&
         strncmp (kept->operation, attempt->operation, FH_ATTEMPT_OPERATION_MAX) == 0 &&
         strncmp (kept->object, attempt->object, FH_ATTEMPT_OBJECT_MAX) == 0;
}

static struct kept_attempt *
find (struct attempt_list *list, uint32_t hash, const struct fh_attempt *attempt)
{
  for (uint32_t i = 0; i < list->n; i++)
    {
      if (list->hashes[i] == hash && is_same (&list->kept[i].attempt, attempt))
        return &list->kept[i];
    }
  return NULL;
}

static void
count (struct attempt_list *list, struct kept_attempt *kept)
{
  if (kept->attempt.count == UINT32_MAX)
    return;
  kept->attempt.count++;
  if (kept->sent_count == 0 || list->has_grown)
    return;
  list->has_grown = true;
  if (list->next_us == UINT64_MAX)
    list->next_us = clock_now_us () + PAUSE_US;
}

static enum attempt_subject
subject_of (const struct fh_attempt *attempt)
{
  if (attempt->guard == FH_WIRE_GUARD_NETWORK)
    return ATTEMPT_SUBJECT_NETWORK;
  if (attempt->guard != FH_WIRE_GUARD_FILESYSTEM)
    return ATTEMPT_SUBJECT_SYSTEM;
  return path_has_private_name (attempt->object) ? ATTEMPT_SUBJECT_SECRETS : ATTEMPT_SUBJECT_FILES;
}

static bool
has_place (const struct attempt_list *list, const struct fh_attempt *attempt)
{
  const enum attempt_subject subject = subject_of (attempt);
  uint32_t n_kept_free = 0;

  if (attempt->verdict == FH_WIRE_OBSERVED && list->n_observed == ATTEMPTS_OBSERVED_MAX)
    return false;
  for (int i = 0; i < ATTEMPT_N_SUBJECTS; i++)
    {
      if (i != (int) subject && list->n_of[i] < ATTEMPTS_OF_SUBJECT_MIN)
        n_kept_free += ATTEMPTS_OF_SUBJECT_MIN - list->n_of[i];
    }
  return list->n + n_kept_free < FH_ATTEMPTS_MAX;
}

static void
keep (struct attempt_list *list, uint32_t hash, const struct fh_attempt *attempt)
{
  struct kept_attempt *kept = &list->kept[list->n];

  *kept = (struct kept_attempt){ 0 };
  strncpy (kept->operation, attempt->operation, FH_ATTEMPT_OPERATION_MAX);
  strncpy (kept->object, attempt->object, FH_ATTEMPT_OBJECT_MAX);
  strncpy (kept->command, attempt->command, FH_ATTEMPT_COMMAND_MAX);
  kept->attempt = *attempt;
  kept->attempt.id = list->n;
  kept->attempt.count = 1;
  kept->attempt.operation = kept->operation;
  kept->attempt.object = kept->object;
  kept->attempt.command = kept->command;
  list->hashes[list->n++] = hash;
  list->n_observed += attempt->verdict == FH_WIRE_OBSERVED;
  list->n_of[subject_of (attempt)]++;
}

bool
attempt_list_count (struct attempt_list *list, const struct fh_attempt *attempt)
{
  struct kept_attempt *kept;

  if (list->kept == NULL)
    return true;
  if (attempt->flags & ATTEMPT_ONLY_IF_OUTSIDE && list->later != NULL)
    return attempt_list_count (list->later, attempt);
  kept = find (list, hash_of (attempt), attempt);
  if (kept != NULL)
    count (list, kept);
  else if (!has_place (list, attempt))
    list->dropped++;
  else
    return false;
  return true;
}

void
attempt_list_add (struct attempt_list *list, const struct fh_attempt *attempt)
{
  if (attempt_list_count (list, attempt))
    return;
  if (attempt->flags & ATTEMPT_ONLY_IF_OUTSIDE && list->later != NULL)
    list = list->later;
  keep (list, hash_of (attempt), attempt);
}

/* The backend's knowledge of it is out of date. */
void
attempt_list_set_outside (struct kept_attempt *kept)
{
  kept->attempt.flags |= FH_ATTEMPT_EXISTS_OUTSIDE;
  kept->sent_count = 0;
}

void
attempt_list_set_missing (struct kept_attempt *kept)
{
  if (kept->attempt.verdict != FH_WIRE_HIDDEN)
    return;
  kept->attempt.verdict = FH_WIRE_OBSERVED;
  kept->attempt.layer = "seccomp";
  kept->attempt.flags |= FH_ATTEMPT_IS_MISSING;
  kept->sent_count = 0;
}

void
attempt_list_take_later (struct attempt_list *list,
                         const struct kept_attempt *later,
                         const struct fh_attempt *attempt)
{
  const uint32_t n = list->n;

  attempt_list_add (list, attempt);
  if (list->n > n)
    list->kept[n].attempt.count = later->attempt.count;
}

static void
send_one (struct kept_attempt *kept, struct control_channel *channel)
{
  struct fh_attempt attempt = kept->attempt;

  attempt.flags &= FH_ATTEMPT_ALL_FLAGS;
  fh_attempt_encode (&attempt, &channel->pending);
  kept->sent_count = kept->attempt.count;
}

static void
send_grown (struct attempt_list *list, struct control_channel *channel)
{
  list->has_grown = false;
  list->next_us = UINT64_MAX;
  for (uint32_t i = 0; i < list->n_sent; i++)
    {
      if (list->kept[i].sent_count != list->kept[i].attempt.count)
        send_one (&list->kept[i], channel);
    }
}

bool
attempt_list_is_news (const struct attempt_list *list)
{
  return list->n_sent < list->n;
}

void
attempt_list_send (struct attempt_list *list, struct control_channel *channel)
{
  for (int i = 0; i < SENT_AT_ONCE && list->n_sent < list->n && control_channel_has_room (channel);
       i++)
    send_one (&list->kept[list->n_sent++], channel);
  if (list->has_grown && clock_now_us () >= list->next_us)
    {
      if (control_channel_has_room (channel))
        send_grown (list, channel);
      else
        list->next_us = clock_now_us () + PAUSE_US;
    }
}

void
attempt_list_conclude (struct attempt_list *list, struct control_channel *channel)
{
  if (list->kept == NULL)
    return;
  list->n_sent = list->n;
  send_grown (list, channel);
  if (list->dropped > 0)
    fh_attempts_dropped_encode (list->dropped, &channel->pending);
}
