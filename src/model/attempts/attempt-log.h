/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "attempt.h"

#define FH_ATTEMPT_LOG_MAX 1024

/* All attempts of one run, in the order of their first occurrence: a GListModel of FhAttempt. Grows
 * while the run lasts and is frozen into its result. Properties (read-only, notified): n-items,
 * n-stopped (all but the observed ones, each kind counted once), n-dropped. */
#define FH_TYPE_ATTEMPT_LOG (fh_attempt_log_get_type ())
G_DECLARE_FINAL_TYPE (FhAttemptLog, fh_attempt_log, FH, ATTEMPT_LOG, GObject)

FhAttemptLog *fh_attempt_log_new (void);
/* What it has now, for another thread: attempts that are made again change theirs. (transfer full)
 */
FhAttemptLog *fh_attempt_log_copy (FhAttemptLog *self);

/* Appends, or counts as dropped when there are FH_ATTEMPT_LOG_MAX already. FALSE in that case and
 * when frozen. */
gboolean fh_attempt_log_add (FhAttemptLog *self, FhAttempt *attempt);
/* The same guard, operation, object, verdict and origin; NULL when there is none. (transfer none)
 */
FhAttempt *fh_attempt_log_find (FhAttemptLog *self, const FhAttemptFacts *facts);
/* The first with this operation and object, seen by a guard or reported by the program; NULL when
 * there is none. (transfer none) */
FhAttempt *fh_attempt_log_find_act (FhAttemptLog *self,
                                    const char *operation,
                                    const char *object,
                                    gboolean is_reported);
/* At the same place. Does nothing when frozen. */
void fh_attempt_log_replace (FhAttemptLog *self, FhAttempt *old, FhAttempt *attempt);

/* A block of an answer, in the attempts of the whole answer. `time_us` and `lines` are added to the
 * time and the line of each attempt. */
typedef struct
{
  guint position;    /* how many attempts there were before it */
  guint64 n_dropped; /* the same */
  guint64 time_us;
  guint lines;
  guint block; /* its number, from 1 on */
} FhAttemptPart;

/* Adds the attempts of the last part, and brings up to date those that were added before: for a
 * run that goes on. */
void fh_attempt_log_follow (FhAttemptLog *self, FhAttemptLog *other, const FhAttemptPart *part);
FhAttempt *fh_attempt_log_get (FhAttemptLog *self, guint position); /* (transfer none) */
guint fh_attempt_log_get_n_stopped (FhAttemptLog *self);
guint64 fh_attempt_log_get_n_dropped (FhAttemptLog *self);
void fh_attempt_log_set_n_dropped (FhAttemptLog *self, guint64 n);
void fh_attempt_log_freeze (FhAttemptLog *self);

/* Writes the attempts as members of a result: "attempts", an array of objects with guard, layer,
 * operation, object, verdict, error (a name such as "EPERM", or null), count, time_ms, process and
 * line (null when not known), command, exists_outside, lasting and uncertain (which earlier
 * versions did not write), reported_by_program, title and sentence; "attempts_dropped" and
 * "attempts_stopped", numbers. */
void fh_attempts_add_to_json (FhAttemptLog *attempts, JsonObject *object);

/* A result without these members, which earlier versions did not write, has no attempts. NULL with
 * FH_RUN_ERROR_INVALID. */
FhAttemptLog *fh_attempts_from_json (JsonObject *object, GError **error);
