/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-options.h"
#include "run-request.h"
#include "run-result.h"

G_BEGIN_DECLS

/* The entry of the history for a session: its source is that of all cells, and each cell, up to
 * limits of number and size, is a run that belongs to it, as the samples of a batch. */
typedef struct _FhSessionRecord FhSessionRecord;

FhSessionRecord *fh_session_record_new (const FhRunOptions *options);
void fh_session_record_free (FhSessionRecord *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhSessionRecord, fh_session_record_free)

void fh_session_record_add (FhSessionRecord *record, FhRunRequest *request, FhRunResult *result);

/* Adds it to the history, unless it has no cells. A failure is told by a message. */
void fh_session_record_save (FhSessionRecord *record);

G_END_DECLS
