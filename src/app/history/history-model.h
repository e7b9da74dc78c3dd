/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"

G_BEGIN_DECLS

/* So many runs are asked for at a time. */
#define FH_HISTORY_MODEL_PAGE 60

/* The runs of the history that match a search, newest first, as a list that grows by pages: nothing
 * is asked for before somebody looks that far. It follows what changes in the history, and entries
 * that stay keep their place and their object.
 *
 * A GListModel of FhHistoryEntry. Properties (read-only, notified): loaded (whether the first page
 * of the present search has come), problem (why the history cannot be read, a sentence or NULL). */
#define FH_TYPE_HISTORY_MODEL (fh_history_model_get_type ())
G_DECLARE_FINAL_TYPE (FhHistoryModel, fh_history_model, FH, HISTORY_MODEL, GObject)

FhHistoryModel *fh_history_model_new (FhHistory *history);

/* NULL or empty: all runs. */
void fh_history_model_set_search (FhHistoryModel *self, const char *search);
const char *fh_history_model_get_search (FhHistoryModel *self); /* never NULL */

/* Asks for the next page, unless there is none or one is on its way. */
void fh_history_model_load_more (FhHistoryModel *self);

/* Takes one run out ahead of the history's own answer. */
void fh_history_model_remove (FhHistoryModel *self, gint64 id);

gboolean fh_history_model_is_loaded (FhHistoryModel *self);
const char *fh_history_model_get_problem (FhHistoryModel *self);

G_END_DECLS
