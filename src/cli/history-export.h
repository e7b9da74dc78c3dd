/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-text.h"

/* Writes a run to the file `target` as JSON; or, if that ends in "/" or is a folder, to the files
 * source, stdout, stderr and result.json in it. Existing files are only replaced if `force` is
 * TRUE. Each file is written completely or not at all. */
gboolean
fh_history_export (const FhHistoryRun *run, const char *target, gboolean force, GError **error);
