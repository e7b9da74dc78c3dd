/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "run-result.h"

G_BEGIN_DECLS

/* One line of the history: what a list shows without loading the run itself.
 * Properties (all but pinned are read-only): id, title, started-at, status, language, wall-us,
 * pinned, snippet (the first lines of the source, for the row's second line). */
#define FH_TYPE_HISTORY_ENTRY (fh_history_entry_get_type ())
G_DECLARE_FINAL_TYPE (FhHistoryEntry, fh_history_entry, FH, HISTORY_ENTRY, GObject)

gint64 fh_history_entry_get_id (FhHistoryEntry *self);
const char *fh_history_entry_get_title (FhHistoryEntry *self);
GDateTime *fh_history_entry_get_started_at (FhHistoryEntry *self); /* UTC */
FhRunStatus fh_history_entry_get_status (FhHistoryEntry *self);
/* NULL when the run was made by a version that knows more languages. */
const FhLanguage *fh_history_entry_get_language (FhHistoryEntry *self);
guint64 fh_history_entry_get_wall_us (FhHistoryEntry *self);
gboolean fh_history_entry_get_pinned (FhHistoryEntry *self);
/* Of the container; NULL: it ran on this computer. */
const char *fh_history_entry_get_image (FhHistoryEntry *self);
const char *fh_history_entry_get_snippet (FhHistoryEntry *self);

G_END_DECLS
