/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A runner in a container. The engine starts it inside, and its standard input and output, which
 * the engine's client carries in and out, are the two halves of the conversation that is otherwise
 * held on the socket FH_WIRE_FD; the program's standard input comes as frames. At the end of its
 * standard input, which is there as well when the client has died, it takes everything down.
 *
 *   fumehood-runner --container   serves one run on its standard input and output
 *   fumehood-runner --open PATH…  as user 0 of a container that is kept: lets everybody in it write
 *                                 to these folders of its own
 *   fumehood-runner --keep        the first process of a container that is kept: waits, takes in
 *                                 orphans, and ends at SIGTERM. Runs are further processes beside
 *                               it
 */
#pragma once

#include <stddef.h>

#define FH_CONTAINER_ARGUMENT "--container"
#define FH_KEEP_ARGUMENT      "--keep"
#define FH_OPEN_ARGUMENT      "--open"

/* All of the program's standard input together. It waits in the container's memory. */
#define FH_INPUT_MAX ((size_t) 256 << 20)

/* Where things are inside. The folder of programs is not the guest's to write. */
#define FH_CONTAINER_WORKSPACE "/workspace"
#define FH_CONTAINER_TMP       "/tmp"
#define FH_CONTAINER_HOME      "/home/fumehood" /* of kept ones only; others have the workspace */
#define FH_CONTAINER_PROGRAMS  "/opt/fumehood"
#define FH_CONTAINER_RUNNER    FH_CONTAINER_PROGRAMS "/runner"
#define FH_CONTAINER_GUEST     FH_CONTAINER_PROGRAMS "/guest" /* bootstrap.py and what it needs */
