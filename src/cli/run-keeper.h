/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

G_BEGIN_DECLS

/* Keeps one run in the history. The database is opened while the program still runs, when there
 * is nothing else to do; what goes wrong with it is told only when the run is kept. */
typedef struct _FhRunKeeper FhRunKeeper;

FhRunKeeper *fh_run_keeper_new (void);
void fh_run_keeper_free (FhRunKeeper *keeper);

/* For a run that has finished. Tells in one line on standard error when it could not be kept. */
void fh_run_keeper_keep (FhRunKeeper *keeper, FhRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunKeeper, fh_run_keeper_free)

G_END_DECLS
