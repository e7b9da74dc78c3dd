/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The supervisor: everything the runner does while a sandbox lives, outside of it, in one loop
 * over descriptors. It moves bytes, measures, keeps the limits, obeys the backend, and tells how
 * it ended. Killing always means killing the sandbox's first process, by its pidfd: the kernel
 * then kills all others.
 *
 *   setting up → running → ending (killed, not dead yet) → draining (dead; bytes left) → finished
 *
 * Nothing here waits for the guest, and nothing but the guest's own output waits for the backend.
 * A sandbox that is neither ready nor dead after ten seconds is given up.
 */
#pragma once

#include "control-channel.h"
#include "request.h"

/* Serves one request from beginning to end. False when the backend broke the protocol. */
bool supervisor_run (struct control_channel *control, struct request *request);
