/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-entry.h"

/* Makes `entries` equal to `fresh` (both element-type FhHistoryEntry) and returns the one range
 * that changed. Entries outside of it keep their objects; only their `pinned` is updated. */
void fh_history_merge (GPtrArray *entries,
                       GPtrArray *fresh,
                       guint *position,
                       guint *removed,
                       guint *added);
