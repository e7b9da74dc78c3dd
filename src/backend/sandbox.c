/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox.h"

G_DEFINE_INTERFACE (FhSandbox, fh_sandbox, G_TYPE_OBJECT)

static void
fh_sandbox_default_init (FhSandboxInterface *iface)
{
}

FhRun *
fh_sandbox_run (FhSandbox *self, FhRunRequest *request)
{
  g_return_val_if_fail (FH_IS_SANDBOX (self), NULL);
  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);

  return FH_SANDBOX_GET_IFACE (self)->run (self, request);
}
