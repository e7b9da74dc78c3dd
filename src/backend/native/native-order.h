/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "opened-path.h"
#include "order.h"

/* A work folder or a project, whose files lie beside the program. */
typedef struct
{
  char *program;         /* a name that none of the files has */
  GPtrArray *files;      /* (element-type FhRunFile), with those of the request */
  FhOpenedPath *project; /* that the sandbox mounts below them; nullable */
  FhResultFiles *left;   /* where those go that the program leaves: the run, unless it keeps none */
} FhNativeFiles;

/* Makes the order for a runner of this computer, in one tier. `files` may be NULL. NULL with an
 * error if the request cannot run here. */
FhOrder *fh_native_order_new (FhRunRequest *request,
                              FhTier tier,
                              const FhNativeFiles *files,
                              GError **error);

/* How a run ends whose order or runner could not be made. */
FhRunStatus fh_native_order_status_of (const GError *error);
