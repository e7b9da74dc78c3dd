/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The runs of a forked sandbox, one after the other. The sandbox of the next is built while there
 * is no request for it yet.
 */
#pragma once

#include "supervisor.h"

/* Until the backend is gone or the warm interpreter has to be renewed, FH_FRAME_RETIRED. False if
 * the backend broke the protocol. */
bool forked_runs_serve (struct control_channel *control, struct request *request);
