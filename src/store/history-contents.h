/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "run-result.h"

G_BEGIN_DECLS

/* What a run holds, as the bytes that the database keeps. */
typedef struct
{
  GBytes *request; /* JSON */
  GBytes *result;  /* JSON without the output */
  GBytes *output;  /* a serialised FhOutputLog */
  /* (element-type GBytes) the contents of its files, history-files.h; NULL: none */
  GPtrArray *files;
} FhHistoryContents;

void fh_history_contents_encode (FhRunRequest *request,
                                 FhRunResult *result,
                                 FhHistoryContents *contents);
/* FALSE with FH_RUN_ERROR when the bytes make no sense. Each out argument may be NULL. */
gboolean fh_history_contents_decode (const FhHistoryContents *contents,
                                     FhRunRequest **request,
                                     FhRunResult **result,
                                     GError **error);
void fh_history_contents_clear (FhHistoryContents *contents);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhHistoryContents, fh_history_contents_clear)

/* The first lines of the source that are not blank, for a row of a list; valid UTF-8. */
char *fh_history_contents_snippet (const char *source);

G_END_DECLS
