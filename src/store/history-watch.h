/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"

/* Lets a history emit "changed" soon after another process has changed something, for as long as
 * this lives: it looks at its file, where the file system tells of changes. */
typedef struct _FhHistoryWatch FhHistoryWatch;

FhHistoryWatch *fh_history_watch_new (FhHistory *history);
void fh_history_watch_free (FhHistoryWatch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhHistoryWatch, fh_history_watch_free)
