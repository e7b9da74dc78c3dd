/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "guard-state.h"
#include "run-limits.h"

/* What is reported about a program. The order is part of the history's file format. */
typedef enum
{
  FH_WATCH_OFF,
  FH_WATCH_ATTEMPTS, /* what is denied or hidden, and what would have had an effect */
  FH_WATCH_FILES,    /* that, and every file access */
} FhWatchLevel;

/* How a sandbox is built, the best way first. */
typedef enum
{
  FH_TIER_AUTO,        /* the best that works here */
  FH_TIER_NAMESPACES,  /* "A": namespaces of our own */
  FH_TIER_BUBBLEWRAP,  /* "A2": those of the system's bubblewrap */
  FH_TIER_PORTAL,      /* "F": those of a sub-sandbox that Flatpak's portal makes for an app */
  FH_TIER_LANDLOCK,    /* "B": no namespaces */
  FH_TIER_UNPROTECTED, /* "none": the user's explicit wish, for one run */
  FH_TIER_CONTAINER,   /* "D": a container; set by the request's container, never chosen */
} FhTier;

/* The guards that a run asks for. A plain value: a copy borrows the strings of the FhRunRequest.
 * All zero but `watch` is the default. */
typedef struct
{
  FhWatchLevel watch;
  FhTier tier;   /* AUTO unless a test or a lesson wants another */
  guint without; /* guards that are switched off, 1 << FhGuard; see FH_RUN_GUARDS_SWITCHES */

  gboolean no_sockets; /* no socket of any family: only pipes and socket pairs */

  /* Host names that may be reached through the proxy. NULL and empty both mean: none. */
  const char *const *allow_hosts;

  /* The interpreter guard: Python only, advice and never the boundary. */
  gboolean report_lines;      /* report the line of the source */
  gboolean limit_functions;   /* takes away os.system, os.remove, subprocess.Popen and the like */
  const char *const *imports; /* NULL: all may be imported; empty: none */
  guint64 max_operations;     /* bytecode instructions that may be executed; 0: no limit */

  gboolean no_files; /* do not collect what the program leaves behind */
} FhRunGuards;

#define FH_RUN_GUARDS_DEFAULT ((FhRunGuards){ .watch = FH_WATCH_ATTEMPTS })

/* The guards that can be switched off one by one. */
#define FH_RUN_GUARDS_SWITCHES                                                                     \
  (1u << FH_GUARD_NETWORK | 1u << FH_GUARD_SYSTEM_CALLS | 1u << FH_GUARD_MEMORY |                  \
   1u << FH_GUARD_TIME | 1u << FH_GUARD_DISK | 1u << FH_GUARD_OUTPUT | 1u << FH_GUARD_ENVIRONMENT)

/* The 28 modules that a program may import when the list is the default one. NULL-terminated. */
const char *const *fh_run_guards_default_imports (void);

/* FALSE with FH_RUN_ERROR_INVALID, a sentence: a host that is an address or no name, a guard that
 * has no switch, host names together with --without network, FH_TIER_CONTAINER. Host names must be
 * lower case. */
gboolean fh_run_guards_check (const FhRunGuards *guards, GError **error);

/* Whether the interpreter has to report or deny something. */
gboolean fh_run_guards_ask_interpreter (const FhRunGuards *guards);

/* Whether this guard was not switched off. */
gboolean fh_run_guards_have (const FhRunGuards *guards, FhGuard guard);

/* The limits in force: without those of guards that are switched off. */
FhRunLimits fh_run_guards_limits (const FhRunGuards *guards, const FhRunLimits *limits);

/* Whether the program's files are collected. Without protection it has no folder of its own, so its
 * files cannot be distinguished from the user's. */
gboolean fh_run_guards_collect_files (const FhRunGuards *guards);

/* "off", "attempts", "files"; "auto", "A", "A2", "F", "B", "none", "D". NULL-terminated, by value.
 */
extern const char *const fh_watch_level_words[];
extern const char *const fh_tier_words[];
const char *fh_tier_to_string (FhTier tier);
gboolean fh_tier_from_string (const char *text, FhTier *tier);
/* Translated: "Namespaces of Fumehood’s own". */
const char *fh_tier_title (FhTier tier);
