/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"

/* Code runs in the guarded runner, which builds the sandbox with the kernel's own means. */

/* Sets up all guards and runs nothing. `tier`: the only one to try; AUTO: the best one that works
 * here. The task returns an FhBackendProbe. */
void fh_native_probe (FhTier tier, GTask *task);

/* One guarded runner at a time, started when there is something to run. */
FhSandbox *fh_native_sandbox_new (void);
