/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

typedef struct
{
  int start; /* character offsets */
  int end;
} FhOutputMatch;

/* The matches of a search, in order, without overlaps. They move with insertions and deletions in
 * the text; changed ones are dropped. */
typedef struct _FhOutputMatches FhOutputMatches;

FhOutputMatches *fh_output_matches_new (void);
void fh_output_matches_free (FhOutputMatches *self);

/* The match must come after all others in the text. */
void fh_output_matches_append (FhOutputMatches *self, const FhOutputMatch *match);
/* Drops what starts at or after `offset`. */
void fh_output_matches_cut (FhOutputMatches *self, int offset);

guint fh_output_matches_get_count (FhOutputMatches *self);
const FhOutputMatch *fh_output_matches_get (FhOutputMatches *self, guint index);
/* The first that starts at or after `offset`; the count if there is none. */
guint fh_output_matches_find (FhOutputMatches *self, int offset);

void fh_output_matches_inserted (FhOutputMatches *self, int offset, int chars);
void fh_output_matches_deleted (FhOutputMatches *self, int start, int end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhOutputMatches, fh_output_matches_free)
