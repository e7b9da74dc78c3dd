/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-text.h"

G_BEGIN_DECLS

/* Writes a run as JSON into the file `target`, or, when that ends in "/" or is a folder, as the
 * files source, stdout, stderr and result.json into it. Files that exist are only replaced when
 * `force` is TRUE; a file is there whole or not at all. */
gboolean
fh_history_export (const FhHistoryRun *run, const char *target, gboolean force, GError **error);

G_END_DECLS
