/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "init-message.h"
#include "setup-state.h"

/* All descriptors are -1. */
void setup_init (struct setup *setup, const struct plan *plan);
/* True if all required steps succeeded; otherwise `fault` names the first that failed. */
bool setup_run (struct setup *setup, struct fault *fault);
/* True if the named optional step failed. */
bool setup_was_skipped (uint64_t skipped, const char *name);
/* The name of the step that failed, as it is on the wire; never NULL. */
const char *fault_step_name (const struct fault *fault);
