/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"

G_BEGIN_DECLS

/* Runs code in the guarded runner, a small program of ours that builds the sandbox with the
 * kernel's own means. */
#define FH_TYPE_NATIVE_BACKEND (fh_native_backend_get_type ())
G_DECLARE_FINAL_TYPE (FhNativeBackend, fh_native_backend, FH, NATIVE_BACKEND, GObject)

FhNativeBackend *fh_native_backend_new (void);

/* Probing tries this tier alone, and not the best one that works here, which AUTO stands for. */
void fh_native_backend_set_probed_tier (FhNativeBackend *self, FhTier tier);

G_END_DECLS
