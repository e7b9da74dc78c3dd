/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"
#include "result-file.h"

G_BEGIN_DECLS

/* The contents of result files, which the history keeps beside what it tells of them: by their
 * places in the list of files, as arrays of GBytes with NULL where there is none. */

/* Of one file and of one run; a file beyond is listed with its true size and not kept. */
#define FH_HISTORY_FILE_MAX  ((gsize) 4 << 20)
#define FH_HISTORY_FILES_MAX ((gsize) 16 << 20)

/* What is to be kept of them, in the order of the list. (transfer full) (element-type GBytes) */
GPtrArray *fh_history_files_choose (FhResultFiles *files);

/* The same list with these contents and no others; one that has not the size of its file is none.
 * (transfer full) */
FhResultFiles *fh_history_files_join (FhResultFiles *files, GPtrArray *contents);

gboolean fh_history_files_insert (FhHistoryDatabase *database,
                                  gint64 run,
                                  GPtrArray *contents,
                                  GError **error);
/* NULL with `error`. (transfer full) (element-type GBytes) */
GPtrArray *fh_history_files_load (FhHistoryDatabase *database, gint64 run, GError **error);

G_END_DECLS
