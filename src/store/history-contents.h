/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "run-result.h"

/* A run as it is stored in the database. */
typedef struct
{
  GBytes *request; /* JSON */
  GBytes *result;  /* JSON without the output */
  GBytes *output;  /* a serialised FhOutputLog */
  /* (element-type GBytes) contents of its files, see history-files.h; NULL: none */
  GPtrArray *files;
} FhHistoryContents;

void fh_history_contents_encode (FhRunRequest *request,
                                 FhRunResult *result,
                                 FhHistoryContents *contents);
/* FALSE with FH_RUN_ERROR if the bytes are invalid. Each out argument may be NULL. */
gboolean fh_history_contents_decode (const FhHistoryContents *contents,
                                     FhRunRequest **request,
                                     FhRunResult **result,
                                     GError **error);
void fh_history_contents_clear (FhHistoryContents *contents);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhHistoryContents, fh_history_contents_clear)

/* The first lines of the source that are not blank, valid UTF-8, for a list. */
char *fh_history_contents_snippet (const char *source);
