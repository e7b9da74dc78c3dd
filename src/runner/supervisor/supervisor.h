/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The supervisor: what the runner does outside of a running sandbox, in one poll loop. It moves
 * bytes, measures, enforces the limits, obeys the backend, and reports how the run ended. Killing
 * means killing the sandbox's first process by its pidfd: the kernel then kills all others.
 *
 *   setting up → (waiting for its program →) running → ending (killed, not dead yet) → draining
 * (dead; bytes left) → finished
 *
 * Nothing here waits for the guest, and only the guest's output waits for the backend. A sandbox
 * that is neither ready nor dead after ten seconds is given up.
 *
 * An interpreter that was prepared waits in its sandbox: calls are answered meanwhile, but its
 * output is not read, and nothing is measured or limited in time.
 */
#pragma once

#include "control-channel.h"
#include "request.h"
#include "warm-interpreter.h"

/* Serves one request from start to end; one that is not complete yet is prepared for, by `warm`
 * unless that is NULL. False if the backend broke the protocol. */
bool supervisor_run (struct control_channel *control,
                     struct request *request,
                     struct warm_interpreter *warm);
/* The runs of a forked sandbox, one after the other; the sandbox of the next is built while there
 * is no request for it yet. Until the backend is gone or the warm interpreter has to be renewed,
 * FH_FRAME_RETIRED. False if the backend broke the protocol. */
bool forked_runs_serve (struct control_channel *control, struct request *request);
