/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"

G_BEGIN_DECLS

/* What the history keeps of a session: one entry, with a table of its cells as output, and each
 * cell as a run that belongs to it. */
#define FH_TYPE_CELL_RECORD (fh_cell_record_get_type ())
G_DECLARE_FINAL_TYPE (FhCellRecord, fh_cell_record, FH, CELL_RECORD, GObject)

FhCellRecord *fh_cell_record_new (FhHistory *history, const FhRunOptions *options);

void fh_cell_record_add (FhCellRecord *self, FhRunRequest *request, FhRunResult *result);

/* A line about what is going on, such as a call that was answered: into the table. */
void fh_cell_record_say (FhCellRecord *self, const char *line);

/* Writes the entry, once, when all cells are added; nothing if there were none. The record lives
 * until that is done. */
void
fh_cell_record_save_async (FhCellRecord *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean fh_cell_record_save_finish (FhCellRecord *self, GAsyncResult *result, GError **error);

G_END_DECLS
