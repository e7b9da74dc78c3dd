/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A text with more lines than this between the first and the last difference is not searched: that
 * part is one hunk. */
#define FH_TEXT_DIFF_MAX_LINES 200000

typedef enum
{
  FH_DIFF_EQUAL,
  FH_DIFF_REMOVED,
  FH_DIFF_ADDED,
  FH_DIFF_CHANGED,
} FhDiffKind;

/* Lines of the old and of the new text, from 0 on, that stand for each other. All hunks together
 * cover both texts; two that follow one another are never both equal or both different. */
typedef struct
{
  FhDiffKind kind;
  guint first[2];
  guint count[2];
} FhDiffHunk;

/* The lines by which two texts differ. Any bytes; 0 is the old text, 1 the new one. Immutable. */
typedef struct _FhTextDiff FhTextDiff;

/* Takes bounded time: for texts that have little in common it gives up looking for the shortest
 * difference. Up to 4 GiB each. */
FhTextDiff *fh_text_diff_new (GBytes *old_text, GBytes *new_text);
FhTextDiff *fh_text_diff_ref (FhTextDiff *diff);
void fh_text_diff_unref (FhTextDiff *diff);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTextDiff, fh_text_diff_unref)

gboolean fh_text_diff_is_same (const FhTextDiff *diff);
/* Whether the difference may not be the shortest one. */
gboolean fh_text_diff_is_rough (const FhTextDiff *diff);
const FhDiffHunk *fh_text_diff_get_hunks (const FhTextDiff *diff, guint *n);
guint fh_text_diff_get_n_lines (const FhTextDiff *diff, guint side);

/* One line from 0 on with its line break, which only the last may lack. Not NUL-terminated. */
const char *fh_text_diff_get_line (const FhTextDiff *diff, guint side, guint line, gsize *size);

/* Returns the difference as `diff -u` prints it, with three lines of context; empty if the texts
 * are the same. The bytes are unchanged. The names are for the two lines above, and must not have
 * line breaks. (transfer full) */
GString *
fh_text_diff_to_unified (const FhTextDiff *diff, const char *old_name, const char *new_name);
