/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "run-status.h"

G_BEGIN_DECLS

/* How a cell with this answer ended: one that raised an exception has failed like a program that
 * did. Message and value of the outcome are borrowed from `parsed`, which is set to NULL if the
 * answer is not JSON. (transfer full) */
FhRunOutcome fh_cell_judge (GBytes *answer, const FhRunOutcome *outcome, JsonObject **parsed);

G_END_DECLS
