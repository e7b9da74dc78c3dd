/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes a folder that a hostile program has filled: of any depth, with folders of mode 0 and with
 * links to anywhere. It only descends one level: deeper folders are moved up first, so that neither
 * the stack nor the descriptors grow with the depth.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Removes the folder `name` in `base`, open as `folder`; -1: it could not be opened. False if
 * something is left at `deadline_us`, clock_now_us. */
bool folder_remove (int base, const char *name, int folder, uint64_t deadline_us);

/* Opens a folder for reading, and makes it accessible to the user if it is not. -1 with
 * errno. */
int folder_open_any_mode (int parent, const char *name);
