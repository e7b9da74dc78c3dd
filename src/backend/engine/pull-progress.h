/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Reads what a client prints while it pulls an image: lines about layers, in the format of either
 * engine. Hostile, because registries influence it: everything is bounded. */
typedef struct _FhPullProgress FhPullProgress;

#define FH_PULL_MAX_LAYERS 512

FhPullProgress *fh_pull_progress_new (void);
void fh_pull_progress_free (FhPullProgress *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPullProgress, fh_pull_progress_free)

/* A line, as an FhClientLineFunc gets it. */
void fh_pull_progress_add (FhPullProgress *self, const char *line, gsize size);

/* The share of layers that are here, 0…1, never decreasing; -1 while unknown. */
double fh_pull_progress_get_fraction (const FhPullProgress *self);

/* Translated, one line: "3 of 5 layers (57c1bbdd170a: Downloading 1.5MB/3MB)", or the engine's
 * words alone, or "". (transfer full) */
char *fh_pull_progress_get_text (const FhPullProgress *self);

/* The last lines that are not about progress, from the one with the error on: why a client failed.
 * (transfer full) */
char *fh_pull_progress_get_words (const FhPullProgress *self);
