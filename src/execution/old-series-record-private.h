/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "old-series-record.h"

G_BEGIN_DECLS

typedef enum
{
  NOT_RESERVED,
  RESERVING,
  RESERVED,
} ReservationState;

/* A run that waits for the reservation. */
typedef struct
{
  FhRunRequest *request;
  FhRunResult *result;
} Pending;

struct _FhOldSeriesRecord
{
  GObject parent_instance;

  FhHistory *history; /* nullable */
  ReservationState state;
  gint64 id;       /* reserved; -1: not possible */
  gint64 saved_id; /* of the entry that was written; 0: none */
  GQueue pending;
  GTask *saving; /* nullable: waits for the reservation */

  guint n_cells;
  gsize cell_bytes;
  const FhLanguage *language;
  char *title; /* of an answer; nullable */
  gboolean is_answer;
  GString *source;
  FhRunOptions *options;
  FhOutputLog *table;
  FhAttemptLog *attempts; /* of the blocks of an answer */
  FhRun *run;             /* of the block that goes on; nullable */
  FhAttemptPart part;     /* its attempts */
  GDateTime *started_at;
  gint64 begin;
  FhRunOutcome sums;
  FhRunResult *last;        /* nullable: all were protected as it was */
  FhRunResult *failed;      /* the last one that did; nullable */
  FhResultFiles *files;     /* nullable */
  FhFolderChanges *changes; /* nullable */
  char *refusal;            /* nullable */
};

G_END_DECLS
