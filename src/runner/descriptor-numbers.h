/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of descriptors that have a meaning inside the sandbox.
 */
#pragma once

/* The guest channel. */
#define SETUP_GUEST_FD 3

/* The guest can have descriptors below this number. */
#define SETUP_MAX_FILES 1000

/* Of the sandbox's first process alone, out of the guest's reach. */
#define SETUP_STATUS_FD SETUP_MAX_FILES
/* In its place where the user's own limit does not go that far. */
#define SETUP_LOW_STATUS_FD 64
