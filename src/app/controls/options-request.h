/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "controls/options.h"
#include "run-request.h"

G_BEGIN_DECLS

/* Returns the options that the next run gets: without those that do not apply where it happens.
 * Owned by the caller. */
FhRunOptions *fh_options_dup_run_values (FhOptions *self);

/* NULL with a sentence if something cannot be used. `title` is nullable, and so are `files`
 * (element-type FhRunFile), which lie beside the program. `tier` is for this request alone. */
FhRunRequest *fh_options_build_request (FhOptions *self,
                                        GBytes *source,
                                        const char *title,
                                        GPtrArray *files,
                                        FhTier tier,
                                        GError **error);

/* Takes over everything but the source. The settings of a container stay as they are after a run on
 * this computer. */
void fh_options_set_from_request (FhOptions *self, FhRunRequest *request);

/* Returns what was typed and cannot be used, by the keys of the options; NULL for nothing. Drafts
 * keep it beside the values. Owned by the caller. */
GHashTable *fh_options_dup_typed (FhOptions *self);
void fh_options_set_typed (FhOptions *self, GHashTable *typed);

void fh_options_set_limits (FhOptions *self, const FhRunLimits *limits);

/* Resets what was chosen for one run only. */
void fh_options_end_run (FhOptions *self);

G_END_DECLS
