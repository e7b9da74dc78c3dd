/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a client tells people while it pulls an image, understood: lines about layers, drawn over
 * each other with cursor movements when it writes to a terminal. Both engines' ways. All of it is
 * hostile, since registries have a say in it: nothing is kept that is not bounded. */
typedef struct _FhPullProgress FhPullProgress;

#define FH_PULL_MAX_LAYERS 512

FhPullProgress *fh_pull_progress_new (void);
void fh_pull_progress_free (FhPullProgress *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPullProgress, fh_pull_progress_free)

/* The next bytes, cut anywhere. */
void fh_pull_progress_feed (FhPullProgress *self, const void *bytes, gsize size);

/* 0…1, never less than before; -1 while nothing is known. Bytes count where their number is told,
 * layers of unknown size as much as the others on average. */
double fh_pull_progress_get_fraction (const FhPullProgress *self);

/* Translated, one line: "3 of 5 layers, 12.0 MiB of 28.1 MiB"; "" while nothing is known. Owned by
 * the caller. */
char *fh_pull_progress_get_text (const FhPullProgress *self);

/* The last lines that are not about progress, from the one on that says that it is an error: why a
 * client has failed. Owned by the caller. */
char *fh_pull_progress_get_words (const FhPullProgress *self);

G_END_DECLS
