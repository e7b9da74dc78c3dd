/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"
#include "result-file.h"

/* Contents of result files: arrays of GBytes in the order of the list of files, NULL for a file
 * without content. */

/* Limits for one file and for one run. Larger files are listed with their size and not kept. */
#define FH_HISTORY_FILE_MAX  ((gsize) 4 << 20)
#define FH_HISTORY_FILES_MAX ((gsize) 16 << 20)

/* The contents to keep. (transfer full) (element-type GBytes) */
GPtrArray *fh_history_files_choose (FhResultFiles *files);

/* The same list with these contents only. A content of the wrong size is ignored. (transfer full)
 */
FhResultFiles *fh_history_files_join (FhResultFiles *files, GPtrArray *contents);

gboolean fh_history_files_insert (FhHistoryDatabase *database,
                                  gint64 run,
                                  GPtrArray *contents,
                                  GError **error);
/* NULL with `error`. (transfer full) (element-type GBytes) */
GPtrArray *fh_history_files_load (FhHistoryDatabase *database, gint64 run, GError **error);
