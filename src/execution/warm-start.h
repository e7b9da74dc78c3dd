/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "probes.h"

/* The request that would be run now; NULL if there is none. (transfer full) */
typedef FhRunRequest *(*FhNextRequestFunc) (gpointer user_data);

/* Prepares a sandbox for the next run of an executor once the user has paused for a moment. It is
 * thrown away after a minute without activity, and when the computer is short of memory; nothing is
 * prepared while it saves power, or in a container that is kept. */
typedef struct _FhWarmStart FhWarmStart;

FhWarmStart *fh_warm_start_new (FhProbes *probes);
void fh_warm_start_free (FhWarmStart *self);

/* `next`: NULL to prepare nothing from now on. */
void fh_warm_start_set_next (FhWarmStart *self, FhNextRequestFunc next, gpointer user_data);
/* The user did something that may precede a run. */
void fh_warm_start_expect (FhWarmStart *self);
/* The options have changed: what is prepared does not fit any more. */
void fh_warm_start_drop (FhWarmStart *self);
/* What is prepared for a run in such a container, or NULL; the rest is dropped. `container`: NULL
 * for this computer. (transfer full) */
FhSandbox *fh_warm_start_steal (FhWarmStart *self, const FhContainerOptions *container);
