/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inner stage: this program again, as the first process inside a sandbox that the system's
 * bubblewrap has made. It runs the steps of tier A2 in setup.c and then is init. See bubblewrap.h
 * for the outside.
 */
#pragma once

/* The argument that starts it; internal. */
#define STAGE_ARGUMENT "--stage"

/* The descriptors that it gets. */
#define STAGE_STATUS_FD  100
#define STAGE_STDIO_FD   101 /* and the two that follow */
#define STAGE_REQUEST_FD 104

/* Where everything writable is: one file system, so that one size limits all of it. The usual names
 * are links to it. */
#define STAGE_SCRATCH "/scratch"
