/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox.h"

G_BEGIN_DECLS

/* One guarded runner at a time, started when there is something to run. */
#define FH_TYPE_NATIVE_SANDBOX (fh_native_sandbox_get_type ())
G_DECLARE_FINAL_TYPE (FhNativeSandbox, fh_native_sandbox, FH, NATIVE_SANDBOX, GObject)

FhSandbox *fh_native_sandbox_new (const FhRunLimits *limits);

G_END_DECLS
