/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Capabilities: all of them are given up, in every set, and none can come back; capabilities(7).
 * A process that kept one over its mount namespace could make /usr writable again.
 */
#pragma once

#include "setup.h"

int capabilities_drop (struct setup *setup);
/* The same for a process of an ordinary user, who has none and may not say so in every set. */
int capabilities_forbid (struct setup *setup);
/* Looks whether it is really so, by asking and by trying. */
int capabilities_verify (struct setup *setup);
