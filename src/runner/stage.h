/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inner stage: this program once more, as the first process inside a sandbox that the system's
 * bubblewrap has made. It does what bubblewrap does not, the steps of tier A2 in setup.c, and is
 * init from then on. See bubblewrap.h for the stage outside.
 */
#pragma once

#include "setup.h"

/* What it is started with; not for people. */
#define STAGE_ARGUMENT "--stage"

/* The descriptors that it is given. */
#define STAGE_STATUS_FD  100
#define STAGE_STDIO_FD   101 /* and the two that follow */
#define STAGE_REQUEST_FD 104

/* Where it finds what can be written: one filesystem, so that one size holds for all of it. The
 * folders of the usual names are links. */
#define STAGE_SCRATCH "/scratch"

/* The exit status, when it comes back at all. */
int stage_main (void);
/* A step: what bubblewrap has made becomes what the other steps work with. */
int stage_enter (struct setup *setup);
