/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-entry.h"

/* One run of the history, loaded. */
typedef struct
{
  FhHistoryEntry *entry;
  FhRunRequest *request;
  FhRunResult *result;
} FhHistoryRun;

void fh_history_run_clear (FhHistoryRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhHistoryRun, fh_history_run_clear)

/* The texts that `fumehoodctl history` prints: safe for a terminal, and as JSON. (transfer full) */
char *fh_history_text_list (GPtrArray *entries);
char *fh_history_text_list_json (GPtrArray *entries);
char *fh_history_text_run (const FhHistoryRun *run);
