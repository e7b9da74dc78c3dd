/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entering a sandbox that bubblewrap or a container engine has made: its folders become what the
 * other steps work with. And what the program starts with: the files for it, and its folder.
 */
#pragma once

#include "setup-state.h"

int entry_bubblewrap (struct setup *setup);
int entry_container (struct setup *setup);
/* Proves that the guest can read what was copied for it. */
int entry_check_files (struct setup *setup);
/* Where the program starts, of any sandbox; comes last, as the guest's user and behind its guards.
 */
int entry_start_folder (struct setup *setup);
