/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removing a folder that a hostile program has filled: of any depth, with folders that nobody may
 * enter and with links to anywhere. It goes down no further than one folder: what lies deeper is
 * moved up first, so that neither the stack nor the descriptors grow with the depth.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Removes the folder `name` in `base`, which is open as `folder`; -1: it could not be opened. False
 * when there is something left at `deadline_us`, clock_now_us. */
bool folder_remove (int base, const char *name, int folder, uint64_t deadline_us);
