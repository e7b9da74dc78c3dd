/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"

/* The runs of one query. */
#define FH_HISTORY_MODEL_PAGE 60

/* The runs of the history that match a search, newest first, loaded page by page. It follows
 * changes of the history; unchanged entries keep their objects.
 *
 * A GListModel of FhHistoryEntry. Signals: "loaded" (the first page), "problem" (there is one, or
 * it has gone). */
#define FH_TYPE_HISTORY_MODEL (fh_history_model_get_type ())
G_DECLARE_FINAL_TYPE (FhHistoryModel, fh_history_model, FH, HISTORY_MODEL, GObject)

FhHistoryModel *fh_history_model_new (FhHistory *history);

/* NULL or empty: all runs. */
void fh_history_model_set_search (FhHistoryModel *self, const char *search);
const char *fh_history_model_get_search (FhHistoryModel *self); /* never NULL */

/* Loads the next page, if there is one and no query is in progress. */
void fh_history_model_load_more (FhHistoryModel *self);

/* Removes a run at once, before the history reports the change. */
void fh_history_model_remove (FhHistoryModel *self, gint64 id);

gboolean fh_history_model_is_loaded (FhHistoryModel *self);
/* Why the history cannot be read, a sentence or NULL. */
const char *fh_history_model_get_problem (FhHistoryModel *self);
