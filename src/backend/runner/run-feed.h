/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-driver.h"
#include "wire-frame.h"

G_BEGIN_DECLS

/* What a runner tells while a program runs, put into the run. It does not decide when the run
 * starts or ends: that is the sandbox's business. */
typedef struct _FhRunFeed FhRunFeed;

/* `tier`: what the policy asked for. `shown`: what of the user's it asked to be shown, nullable. */
FhRunFeed *fh_run_feed_new (FhRun *run, const char *tier, const char *const *shown);
void fh_run_feed_free (FhRunFeed *self);

/* See fh_guard_states_add_layers. Copied. */
void fh_run_feed_set_layers (FhRunFeed *self, char *const *layers);
/* See fh_container_guards_refine. Copied. */
void fh_run_feed_set_container (FhRunFeed *self, const FhContainerOptions *options);

/* For a sandbox that needs the files itself, wanted or not: they do not come into the run, but
 * here. */
void fh_run_feed_set_files (FhRunFeed *self, FhResultFiles *files);

/* No more will be heard: puts the files that came into the run, which is about to be finished. */
void fh_run_feed_end (FhRunFeed *self);

/* FALSE when the frame makes no sense, or is none of those that a feed knows. */
gboolean fh_run_feed_hear (FhRunFeed *self, const struct fh_frame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunFeed, fh_run_feed_free)

G_END_DECLS
