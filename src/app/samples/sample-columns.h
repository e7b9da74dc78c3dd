/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "history-entry.h"

typedef enum
{
  FH_SAMPLE_COLUMN_VERDICT,
  FH_SAMPLE_COLUMN_NAME,
  FH_SAMPLE_COLUMN_ATTEMPTS, /* that a guard stopped */
  FH_SAMPLE_COLUMN_TIME,
  FH_SAMPLE_COLUMN_MEMORY,
  FH_N_SAMPLE_COLUMNS,
} FhSampleColumn;

/* Adds the columns to a view of FhHistoryEntry. Each can be sorted by; it begins with the names. */
void fh_sample_columns_add (GtkColumnView *view);

/* Sets the heading of the names: what one row is called, translated. */
void fh_sample_columns_set_word (GtkColumnView *view, const char *word);

/* Shows the columns that a view of this width has room for. Not during an allocation. */
void fh_sample_columns_fit (GtkColumnView *view, int width);

/* The text of a cell. (transfer full) */
char *fh_sample_column_format (FhHistoryEntry *sample, FhSampleColumn column);

gboolean fh_sample_is_passed (FhHistoryEntry *sample);
