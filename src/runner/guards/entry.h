/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entering a sandbox that bubblewrap or a container engine has made: its folders become what the
 * other steps work with.
 */
#pragma once

#include "setup.h"

int entry_bubblewrap (struct setup *setup);
int entry_container (struct setup *setup);
