/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-entry.h"

G_BEGIN_DECLS

/* Makes `entries` list the runs of `fresh`, in that order (both element-type FhHistoryEntry), and
 * tells the one stretch that changed. Runs before and after it keep their objects, which learn from
 * the fresh ones whether they are pinned. */
void fh_history_merge (GPtrArray *entries,
                       GPtrArray *fresh,
                       guint *position,
                       guint *removed,
                       guint *added);

G_END_DECLS
