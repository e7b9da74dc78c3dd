/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"

G_BEGIN_DECLS

/* Runs code in the guarded runner, which builds the sandbox with the kernel's own means. `tier`:
 * the only one to probe; AUTO: the best one that works here. */
FhBackend *fh_native_backend_new (FhTier tier);

/* One guarded runner at a time, started when there is something to run. */
FhSandbox *fh_native_sandbox_new (void);

G_END_DECLS
