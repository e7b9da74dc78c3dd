/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-comparison.h"
#include "text-diff.h"

/* How much is made of a gap at once. */
#define FH_DIFF_ROW_STEP 1000
/* So many lines of a text are shown at first. */
#define FH_DIFF_ROW_MAX 5000

typedef enum
{
  FH_DIFF_ROW_HEADING, /* the rows up to the next heading belong to it */
  FH_DIFF_ROW_LINE,
  FH_DIFF_ROW_GAP, /* lines that are not shown yet */
} FhDiffRowKind;

/* One side of a line. */
typedef struct
{
  char *text;     /* one line for people, bounded; NULL: nothing stands here */
  guint line;     /* its number in the text, from 1 on; 0: it has none */
  guint marks[2]; /* the bytes from…to that the other side does not have; equal: none */
} FhDiffCell;

typedef struct
{
  FhDiffRowKind kind;
  gboolean differs;
  const char *title;   /* of a heading */
  const char *remark;  /* of a heading; NULL: none */
  FhDiffCell cells[2]; /* of a line */
  guint n_hidden;      /* of a gap */
} FhDiffRowFacts;

/* A row of a list that shows differences side by side. Immutable. */
#define FH_TYPE_DIFF_ROW (fh_diff_row_get_type ())
G_DECLARE_FINAL_TYPE (FhDiffRow, fh_diff_row, FH, DIFF_ROW, GObject)

/* `remark` stands beside the title; NULL for none. */
FhDiffRow *fh_diff_row_new_heading (const char *title, const char *remark, gboolean differs);
/* Either text may be NULL. */
FhDiffRow *fh_diff_row_new_pair (const char *old_text, const char *new_text, gboolean differs);
/* Appends the lines of a text, without those far from any difference. A long line that differs
 * takes several rows with its number; if even these cannot hold it, the last says how much is not
 * shown. */
void fh_diff_rows_add_text (GPtrArray *rows, FhTextDiff *diff);
/* Appends a part of a comparison with a heading; nothing if there is nothing to show. */
void fh_diff_rows_add_part (GPtrArray *rows, FhRunComparison *comparison, FhComparedPart part);

const FhDiffRowFacts *fh_diff_row_get_facts (FhDiffRow *self); /* (transfer none) */
/* Returns the rows that a gap stands for: at most FH_DIFF_ROW_STEP lines and another gap. (transfer
 * full) (element-type FhDiffRow) */
GPtrArray *fh_diff_row_open (FhDiffRow *self);
