/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-guards.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "word-list.h"

const char *const *
fh_run_guards_default_imports (void)
{
  static const char *const names[] = {
    "re",          "json",      "math",     "random",   "collections", "itertools",
    "functools",   "operator",  "string",   "textwrap", "difflib",     "statistics",
    "decimal",     "fractions", "datetime", "copy",     "pprint",      "typing",
    "dataclasses", "enum",      "bisect",   "heapq",    "array",       "struct",
    "base64",      "hashlib",   "hmac",     "uuid",     NULL,
  };

  return names;
}

gboolean
fh_run_guards_ask_interpreter (const FhRunGuards *guards)
{
  g_return_val_if_fail (guards != NULL, FALSE);

  return guards->report_lines || guards->limit_functions || guards->imports != NULL ||
         guards->max_operations > 0;
}

gboolean
fh_run_guards_have (const FhRunGuards *guards, FhGuard guard)
{
  g_return_val_if_fail (guards != NULL, TRUE);

  return !(guards->without & 1u << guard);
}

FhRunLimits
fh_run_guards_limits (const FhRunGuards *guards, const FhRunLimits *limits)
{
  FhRunLimits kept = *limits;

  if (!fh_run_guards_have (guards, FH_GUARD_MEMORY))
    kept.memory_bytes = 0;
  if (!fh_run_guards_have (guards, FH_GUARD_TIME))
    kept.wall_ms = kept.cpu_ms = 0;
  if (!fh_run_guards_have (guards, FH_GUARD_DISK))
    kept.disk_bytes = 0;
  if (!fh_run_guards_have (guards, FH_GUARD_OUTPUT))
    kept.output_bytes = 0;
  return kept;
}

const char *const fh_watch_level_words[] = { "off", "attempts", "files", NULL };
const char *const fh_tier_words[] = { "auto", "A", "A2", "F", "B", "none", "D", NULL };

FH_DEFINE_WORDS (FhTier, fh_tier, fh_tier_words)

const char *
fh_tier_title (FhTier tier)
{
  static const char *const titles[] = {
    [FH_TIER_AUTO] = N_ ("The best that works here"),
    [FH_TIER_NAMESPACES] = N_ ("Fumehood’s own sandbox"),
    [FH_TIER_BUBBLEWRAP] = N_ ("A sandbox of the system’s bubblewrap"),
    [FH_TIER_PORTAL] = N_ ("A sandbox of Flatpak’s"),
    [FH_TIER_LANDLOCK] = N_ ("Landlock and a system call filter, without namespaces"),
    [FH_TIER_UNPROTECTED] = N_ ("No protection"),
    [FH_TIER_CONTAINER] = N_ ("A container"),
  };

  g_return_val_if_fail (tier < G_N_ELEMENTS (titles), NULL);

  return _ (titles[tier]);
}

gboolean
fh_run_guards_collect_files (const FhRunGuards *guards)
{
  g_return_val_if_fail (guards != NULL, FALSE);

  return !guards->no_files && guards->tier != FH_TIER_UNPROTECTED;
}
