/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "run-options.h"
#include "run-result.h"
#include "sandbox.h"

G_BEGIN_DECLS

/* The result of a run as --json prints it: fh_run_result_to_json_cut, and the “container” that it
 * ran in. `sandbox`: NULL when nothing was run. (transfer full) */
JsonNode *fh_run_json_new (FhRunResult *result, const FhRunOptions *options, FhSandbox *sandbox);

G_END_DECLS
