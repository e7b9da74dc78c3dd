/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-text.h"
#include "run-comparison.h"

G_BEGIN_DECLS

/* What `fumehoodctl history compare` prints: text that is safe for a terminal, and JSON. The runs
 * are those that were compared, the older one first. (transfer full) */
char *fh_history_compare_text (FhRunComparison *comparison, const FhHistoryRun *runs);
char *fh_history_compare_json (FhRunComparison *comparison, const FhHistoryRun *runs);

G_END_DECLS
