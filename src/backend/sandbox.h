/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

G_BEGIN_DECLS

/* A prepared place to run code. Disposing of it ends whatever runs in it. */
#define FH_TYPE_SANDBOX (fh_sandbox_get_type ())
G_DECLARE_INTERFACE (FhSandbox, fh_sandbox, FH, SANDBOX, GObject)

struct _FhSandboxInterface
{
  GTypeInterface parent_interface;

  FhRun *(*run) (FhSandbox *self, FhRunRequest *request);
};

/* Starts the request; never fails here: whatever goes wrong is the result of the run. A sandbox
 * that is still busy gives a run that ends at once with an internal error. (transfer full) */
FhRun *fh_sandbox_run (FhSandbox *self, FhRunRequest *request);

G_END_DECLS
