/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptor numbers with a meaning inside the sandbox.
 */
#pragma once

/* The guest channel. */
#define SETUP_GUEST_FD 3
/* The program as a sealed file, FH_POLICY_SEALED_PROGRAM. */
#define SETUP_PROGRAM_FD 4

/* The guest's descriptors are below this number. The kernel counts descriptors in flight per user,
 * over all namespaces, and refuses to send more than the sender's limit: the guest gets fewer than
 * the usual limit of 1024, so that the user's other programs can still send some when it cannot. */
#define SETUP_MAX_FILES 400

/* For the sandbox's first process only; the guest cannot have this number. */
#define SETUP_STATUS_FD SETUP_MAX_FILES
/* Used instead if the user's own limit is lower. */
#define SETUP_LOW_STATUS_FD 64
