/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

/* Guards are shown in this order. */
typedef enum
{
  FH_GUARD_FILESYSTEM,
  FH_GUARD_NETWORK,
  FH_GUARD_PROCESSES,
  FH_GUARD_SYSTEM_CALLS,
  FH_GUARD_PRIVILEGES,
  FH_GUARD_MEMORY,
  FH_GUARD_TIME,
  FH_GUARD_DISK,
  FH_GUARD_OUTPUT,
  FH_GUARD_ENVIRONMENT,
  FH_GUARD_INTERPRETER, /* Python only, inside the program's own process: never the boundary */
} FhGuard;
#define FH_N_GUARDS (FH_GUARD_INTERPRETER + 1)

typedef enum
{
  FH_GUARD_LEVEL_ACTIVE,
  FH_GUARD_LEVEL_DEGRADED,
  FH_GUARD_LEVEL_UNAVAILABLE,
  FH_GUARD_LEVEL_OFF,
} FhGuardLevel;

typedef struct
{
  FhGuard guard;
  FhGuardLevel level;
  const char *layers; /* the mechanisms, not translated ("network namespace"); never NULL */
  const char *reason; /* a keyword for what is missing ("no-cgroup"), or NULL */
  const char *const
      *shown;           /* files and folders of the user's that the program can read; never NULL */
  const char *sentence; /* translated: what this guard does and, when it is not active, what is
                           missing and why */
} FhGuardFacts;

/* What one guard does here. Immutable; a GObject so that it can sit in a list model. */
#define FH_TYPE_GUARD_STATE (fh_guard_state_get_type ())
G_DECLARE_FINAL_TYPE (FhGuardState, fh_guard_state, FH, GUARD_STATE, GObject)

/* `layers` and `reason` as above, any bytes; `layers` may be NULL. */
FhGuardState *
fh_guard_state_new (FhGuard guard, FhGuardLevel level, const char *layers, const char *reason);

/* The same state for a run whose interpreter needs these files and folders of the user's, shown
 * read-only. The sentence names them. */
FhGuardState *fh_guard_state_new_showing (FhGuardState *state, const char *const *paths);

/* Borrowed; the strings are valid UTF-8. */
const FhGuardFacts *fh_guard_state_get_facts (FhGuardState *self);

/* The state of this guard (element-type FhGuardState), borrowed; NULL: none. */
FhGuardState *fh_guard_states_find (GPtrArray *guards, FhGuard guard);

const char *fh_guard_title (FhGuard guard); /* translated: "Network" */
/* The titles of a set of guards, 1 << FhGuard: "Network, Memory". (transfer full) */
char *fh_guards_dup_titles (guint64 guards);
/* Says what a program can do without the guard, translated; NULL: it cannot be switched off alone.
 */
const char *fh_guard_loss (FhGuard guard);
/* Stable words for JSON and the command line: "filesystem"; "active", "degraded", …
 * NULL-terminated, by value. */
extern const char *const fh_guard_words[];
extern const char *const fh_guard_level_words[];
const char *fh_guard_to_string (FhGuard guard);
gboolean fh_guard_from_string (const char *text, FhGuard *guard);
const char *fh_guard_level_to_string (FhGuardLevel level);
gboolean fh_guard_level_from_string (const char *text, FhGuardLevel *level);
