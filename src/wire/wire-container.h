/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A runner in a container. The engine starts it inside; instead of the socket FH_WIRE_FD it uses
 * its standard input and output, which the engine's client forwards. At the end of its standard
 * input, for example because the client has died, it kills everything.
 *
 *   fumehood-runner --container   serves one run on its standard input and output
 *   fumehood-runner --open PATH…  as user 0 of a kept container: makes these folders writable for
 *                                 all its users
 *   fumehood-runner --keep        the first process of a kept container: waits, adopts orphans, and
 *                                 exits on SIGTERM. Runs are processes beside it
 */
#pragma once

#include <stddef.h>

#define FH_CONTAINER_ARGUMENT "--container"
#define FH_KEEP_ARGUMENT      "--keep"
#define FH_OPEN_ARGUMENT      "--open"

/* Paths inside. The guest cannot write to the folder of programs. */
#define FH_CONTAINER_WORKSPACE "/workspace"
#define FH_CONTAINER_TMP       "/tmp"
#define FH_CONTAINER_HOME      "/home/fumehood" /* in kept ones only; others use the workspace */
#define FH_CONTAINER_PROGRAMS  "/opt/fumehood"
#define FH_CONTAINER_RUNNER    FH_CONTAINER_PROGRAMS "/runner"
#define FH_CONTAINER_GUEST     FH_CONTAINER_PROGRAMS "/guest" /* bootstrap.py and what it needs */
