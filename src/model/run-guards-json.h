/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "run-guards.h"

G_BEGIN_DECLS

/* The choice of guards as a JSON object: watch, tier, without (an array of guards), allow_hosts,
 * report_lines, limit_functions, imports (an array, or null when all may be imported),
 * max_operations, no_files.
 * (transfer full) */
JsonObject *fh_run_guards_to_json (const FhRunGuards *guards);

/* A choice that was read, with its strings. */
typedef struct
{
  FhRunGuards guards; /* its strings are the two below */
  GStrv allow_hosts;
  GStrv imports;
} FhRunGuardsRead;

/* NULL, which earlier versions of Fumehood leave, gives the default. To run without protection is a
 * choice for one run: it is never read back. FALSE with FH_RUN_ERROR_INVALID. */
gboolean fh_run_guards_from_json (JsonNode *node, FhRunGuardsRead *read, GError **error);
void fh_run_guards_read_clear (FhRunGuardsRead *read);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhRunGuardsRead, fh_run_guards_read_clear)

G_END_DECLS
