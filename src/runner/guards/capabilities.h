/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Capabilities: all are dropped from every set and cannot be regained; capabilities(7). With one
 * over its mount namespace a process could make /usr writable.
 */
#pragma once

#include "setup-state.h"

int capabilities_drop (struct setup *setup);
/* The same for an ordinary user's process, which has none and may not clear every set. */
int capabilities_forbid (struct setup *setup);
/* Verifies it, by asking the kernel and by trying. */
int capabilities_verify (struct setup *setup);
