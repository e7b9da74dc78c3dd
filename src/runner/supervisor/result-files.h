/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Result files: tells the backend what the program left in its workspace. Nobody is alive inside
 * any more when this begins.
 */
#pragma once

#include "control-channel.h"
#include "workspace.h"

#include <time.h>

/* Sends the list and the contents, as far as the limits of wire-result-file.h and a time of
 * RESULT_FILES_TIME_US go; waiting for the backend is not counted. `folder` is the workspace, or -1
 * when it cannot be looked at; `before` is what the backend put there, which is told of only when
 * it was changed. In a workspace that is shared, only what has changed since then is told of, by
 * CLOCK_REALTIME_COARSE; else `since` is NULL. A stop frame ends it at once. False when the backend
 * broke the protocol. */
bool result_files_send (struct control_channel *control,
                        int folder,
                        const struct workspace *before,
                        const struct timespec *since);

#define RESULT_FILES_TIME_US 2000000
