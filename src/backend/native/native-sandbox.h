/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"

/* Code runs in the guarded runner, which builds the sandbox with the kernel's own means: one runner
 * at a time, started when there is something to run. */
FhSandbox *fh_native_sandbox_new (void);
