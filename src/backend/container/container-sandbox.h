/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"
#include "sandbox.h"

/* A container as a sandbox. The first run creates it, after choosing the engine and finding or,
 * unless options->no_pull, pulling the image.
 *
 * Not kept: each run has a container of its own, removed after it. Kept: runs are further processes
 * in one container; if it was removed by others, it is created again, and the run says so.
 * Disposing of the sandbox applies options->after. */
#define FH_TYPE_CONTAINER_SANDBOX (fh_container_sandbox_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerSandbox, fh_container_sandbox, FH, CONTAINER_SANDBOX, GObject)

/* `limits`: those of a kept container itself. Runs have those of their requests. */
FhSandbox *fh_container_sandbox_new (const FhContainerOptions *options, const FhRunLimits *limits);
