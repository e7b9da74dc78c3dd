/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-preparation.h"
#include "container-waiting.h"
#include "run-driver.h"

/* One run in a container, from its preparation to the diagnosis of its end. Finishes the run
 * exactly once. */
typedef struct _FhContainerJob FhContainerJob;

typedef struct
{
  FhContainerPullFunc pulling;
  /* The client has been started. */
  void (*launched) (gpointer user_data);
  /* The runner waits for a cell after this one, `cell`; takes ownership of `runner`. `ending`
   * follows. */
  void (*kept) (FhRunner *runner, GBytes *policy, guint32 cell, gpointer user_data);
  /* The run is about to be finished; no callback follows. */
  void (*ending) (gpointer user_data);
} FhContainerJobListener;

/* Begins at once. `waiting`: a container that may suit it, of which ownership is taken; nullable.
 */
FhContainerJob *fh_container_job_new (FhRun *run,
                                      FhContainerInstance *instance,
                                      FhContainerWaiting *waiting,
                                      const FhContainerJobListener *listener,
                                      gpointer user_data);

/* Ends the run as stopped, at once; calls `ending`. */
void fh_container_job_stop_now (FhContainerJob *self);

/* Not before `ending` was called. */
void fh_container_job_free (FhContainerJob *self);
