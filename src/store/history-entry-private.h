/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-entry.h"

/* A row of the database. The strings are borrowed. */
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
  const char *image;   /* nullable */
  const char *verdict; /* nullable */
  guint64 memory_peak; /* bytes */
  guint n_stopped;
  guint n_samples;
} FhHistoryRow;

FhHistoryEntry *fh_history_entry_new (const FhHistoryRow *row);

/* Returns the score as it is written: “1/4”. No verdict of a sample reads so. */
char *fh_history_score_format (const FhHistoryScore *score);
gboolean fh_history_score_parse (const char *text, FhHistoryScore *score);
