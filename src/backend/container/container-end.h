/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-life.h"
#include "container-place.h"
#include "run-status.h"

G_BEGIN_DECLS

/* How a run ended whose runner had no last word, as far as it can be known. An exit status proves
 * nothing by itself: 137 may be a program's own, and so may be 125. */
typedef struct _FhContainerEnd FhContainerEnd;

/* What is known without the engine: whether the program had been started, how the client ended
 * (below 0: it was killed), and what it complained of. */
FhContainerEnd *fh_container_end_new (FhContainerPlace *place,
                                      gboolean has_started,
                                      int exit_status,
                                      const char *why,
                                      const char *complaint);
void fh_container_end_free (FhContainerEnd *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerEnd, fh_container_end_free)

/* There was nothing made for this run, because the name is another container's. */
gboolean fh_container_end_is_name_taken (FhContainerEnd *self);

/* Whether the engine may be about to remove the container: it ends one before that, and takes a
 * moment for the rest. Then it is worth being asked again. */
gboolean fh_container_end_may_be_removal (FhContainerEnd *self, const FhContainer *container);

/* With what the engine tells, or why it does not. Strings of the outcome belong to `self`. */
FhRunOutcome
fh_container_end_judge (FhContainerEnd *self, const FhContainer *container, const GError *error);

G_END_DECLS
