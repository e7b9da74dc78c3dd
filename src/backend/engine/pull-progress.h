/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Parses what a client prints while it pulls an image: lines about layers, redrawn with cursor
 * movements on a terminal, in the format of either engine. Hostile, because registries influence
 * it: everything is bounded. */
typedef struct _FhPullProgress FhPullProgress;

#define FH_PULL_MAX_LAYERS 512

FhPullProgress *fh_pull_progress_new (void);
void fh_pull_progress_free (FhPullProgress *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPullProgress, fh_pull_progress_free)

/* The next bytes, in pieces of any size. */
void fh_pull_progress_feed (FhPullProgress *self, const void *bytes, gsize size);

/* 0…1, never decreasing; -1 while unknown. By bytes where sizes are known; layers of unknown size
 * count as much as the others on average. */
double fh_pull_progress_get_fraction (const FhPullProgress *self);

/* Translated, one line: "3 of 5 layers, 12.0 MiB of 28.1 MiB"; "" while unknown. (transfer full) */
char *fh_pull_progress_get_text (const FhPullProgress *self);

/* The last lines that are not about progress, from the one with the error on: why a client failed.
 * (transfer full) */
char *fh_pull_progress_get_words (const FhPullProgress *self);

G_END_DECLS
