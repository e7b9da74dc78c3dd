/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"

/* Removes runs that were hidden before `hidden_before_us`, and all but the newest `keep` runs that
 * are not pinned (0: keeps all). `changed`: whether any was removed. */
gboolean fh_history_prune (FhHistoryDatabase *database,
                           gint64 hidden_before_us,
                           guint keep,
                           gboolean *changed,
                           GError **error);
