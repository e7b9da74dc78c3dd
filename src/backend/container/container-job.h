/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-preparation.h"
#include "run-driver.h"

G_BEGIN_DECLS

/* One run in a container, from making the place ready to the truth about its end. The run is
 * finished exactly once, whatever the engine does. */
typedef struct _FhContainerJob FhContainerJob;

typedef struct
{
  FhContainerPullFunc pulling;
  /* The place is ready, and the client has been started. */
  void (*launched) (gpointer user_data);
  /* The run is about to be finished, and nothing more is heard. */
  void (*ending) (gpointer user_data);
} FhContainerJobListener;

/* Begins at once. `limits` are those in force. */
FhContainerJob *fh_container_job_new (FhRun *run,
                                      FhContainerPlace *place,
                                      const FhRunLimits *limits,
                                      const FhContainerJobListener *listener,
                                      gpointer user_data);

/* Ends it as stopped, at once; the listener hears of it. */
void fh_container_job_stop_now (FhContainerJob *self);

/* To be called when the listener has heard of the end, at the earliest. */
void fh_container_job_free (FhContainerJob *self);

G_END_DECLS
