/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: sends the backend what the program left in its workspace. Everything inside is dead
 * when this begins.
 */
#pragma once

#include "control-channel.h"
#include "workspace.h"

#include <time.h>

/* Sends the list and the contents, up to the limits of wire-result-file.h and RESULT_FILES_TIME_US;
 * waiting for the backend does not count. `folder` is the workspace, or -1 if it cannot be read;
 * `before` is what the backend put there, which is reported only if it was changed. In a shared
 * workspace only changes after `since` (CLOCK_REALTIME_COARSE) are reported; otherwise it is NULL.
 * A stop frame ends it at once. False if the backend broke the protocol. */
bool result_files_send (struct control_channel *control,
                        int folder,
                        const struct workspace *before,
                        const struct timespec *since);

#define RESULT_FILES_TIME_US 2000000
