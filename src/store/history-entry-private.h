/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-entry.h"

G_BEGIN_DECLS

/* What one row of the database says about a run. Borrowed strings. */
typedef struct
{
  gint64 id;
  gint64 started_us; /* since 1970, UTC */
  const char *title;
  const char *snippet;
  const char *language; /* FhLanguage's id */
  FhRunStatus status;
  guint64 wall_us;
  gboolean pinned;
  const char *image; /* nullable */
} FhHistoryRow;

/* Copies what it needs. */
FhHistoryEntry *fh_history_entry_new (const FhHistoryRow *row);

G_END_DECLS
