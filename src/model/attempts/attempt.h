/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "guard-state.h"

/* The order is part of the history's file format: append. */
typedef enum
{
  FH_VERDICT_DENIED,   /* a guard refused it */
  FH_VERDICT_HIDDEN,   /* the object does not exist inside the sandbox */
  FH_VERDICT_LIMITED,  /* it went further than a limit allows */
  FH_VERDICT_OBSERVED, /* it was let through */
} FhVerdict;

/* The facts of an attempt. A plain value: a copy borrows the strings. */
typedef struct
{
  FhGuard guard;
  FhVerdict verdict;
  gboolean is_reported;    /* by the program's own interpreter: a hint, never evidence */
  gboolean exists_outside; /* on the user's computer, where the program cannot see it */
  gboolean is_lasting;     /* it was in the program's own folder, which remains afterwards */
  gboolean is_uncertain;   /* it was let through, but may have been in vain */
  gboolean is_missing;     /* likewise: what it named is not on the user's computer either */
  gboolean ended_run;      /* the limit that has ended the run: no attempt at what is forbidden */
  int error;               /* errno that the program got, or 0 */
  guint64 time_us;         /* the first time, since the start */
  guint process;           /* number inside the sandbox; 0: not known */
  guint line;              /* of the source that was run, from 1 on; 0: not known */
  guint block;             /* of an answer, from 1 on; 0: the run is no answer's */
  guint count;             /* how often, at least 1 */
  const char *layer;       /* technical, not translated: "seccomp", "dns" */
  const char *operation;   /* technical, not translated: "open", "connect", "ptrace" */
  const char *object;      /* path, address, flags; any bytes in, valid UTF-8 out; may be "" */
  const char *command;     /* the name of the process; the same; may be "" */
} FhAttemptFacts;

/* One thing that the program tried and a guard saw. Properties (read-only): facts do not change but
 * count, line and exists-outside, which are notified. */
#define FH_TYPE_ATTEMPT (fh_attempt_get_type ())
G_DECLARE_FINAL_TYPE (FhAttempt, fh_attempt, FH, ATTEMPT, GObject)

/* Copies the facts; invalid text and control characters are replaced. */
FhAttempt *fh_attempt_new (const FhAttemptFacts *facts);
const FhAttemptFacts *fh_attempt_get_facts (FhAttempt *self);

/* The same guard, operation, object, verdict and origin. */
gboolean fh_attempt_is_same (FhAttempt *self, FhAttempt *other);

/* Never downwards. */
void fh_attempt_set_count (FhAttempt *self, guint count);
void fh_attempt_add_count (FhAttempt *self, guint count);
/* The object exists on the user's computer, which is found out when the program has ended. */
void fh_attempt_set_exists_outside (FhAttempt *self);
/* The program's own folder remains. Call this before the attempt is shown. */
void fh_attempt_set_lasting (FhAttempt *self);
/* The line of the source, as reported by the interpreter; the first one stays. */
void fh_attempt_set_line (FhAttempt *self, guint line);

/* Translated, one line: "Open ~/.ssh/id_rsa". Owned by the caller. */
char *fh_attempt_dup_title (FhAttempt *self);
/* The same, with what it names in a shorter form: see address-cut.h. Owned by the caller. */
char *fh_attempt_dup_short_title (FhAttempt *self);
/* Returns words for experts, not translated: "open /etc/shadow", "kill (1, SIGKILL)". Owned by the
 * caller. */
char *fh_attempt_dup_call (FhAttempt *self);
/* Translated, one or two sentences: what was tried, what stopped it, what that means. Owned by the
 * caller. */
char *fh_attempt_dup_sentence (FhAttempt *self);
/* Translated: why a program would do this and how to judge it; the same for all of a kind. */
const char *fh_attempt_get_why (FhAttempt *self);

/* TRUE if a guard kept the program from it. A limit that ended the run is told as the end. */
gboolean fh_attempt_was_blocked (const FhAttemptFacts *facts);
/* "denied", "hidden", "limited", "observed"; all of them NULL-terminated, by value. */
extern const char *const fh_verdict_words[];
const char *fh_verdict_to_string (FhVerdict verdict);
gboolean fh_verdict_from_string (const char *text, FhVerdict *verdict);
/* Translated, a word or two for a cell of a table. What no guard stopped was let through, unless it
 * is known from the program's interpreter only, or failed, or it is not known what it reached. */
const char *fh_attempt_verdict_title (const FhAttemptFacts *facts);
/* Translated, a sentence: why it is told as tried or reported, and not as allowed; NULL if it is
 * allowed, or was stopped. */
const char *fh_attempt_doubt (const FhAttemptFacts *facts);
