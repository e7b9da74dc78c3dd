/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an engine really set up: engines silently ignore some of the options that they are given.
 * All of this is observed from inside, before the guest runs.
 */
#pragma once

#include "wire-policy.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct container_evidence
{
  bool has_read_only_root;
  unsigned int writable_folders; /* not in memory, so their files outlast the container */
  bool has_network;              /* something besides the loopback */
  uint64_t capabilities;         /* that the engine left to the runner */
  bool has_no_new_privileges;
  bool has_filter;         /* the engine installed a system call filter */
  bool has_user_namespace; /* root inside is not root outside */
  bool is_root;
  uint64_t space; /* the larger of /workspace and /tmp; UINT64_MAX: not limited */
};

/* `workspace`: its descriptor, or -1. */
void container_evidence_read (struct container_evidence *evidence, int workspace);

/* True if the mounts of a run are where their names say. A link in the image can redirect a mount,
 * for example into a folder where the guest could replace the runner; mountinfo has the real
 * places, proc (5). */
bool container_places_are_ours (const char *mountinfo, const struct fh_policy *policy);
/* The same for this process's mounts. */
bool container_places_check (const struct fh_policy *policy);

/* Evidence from texts of the kernel, proc (5). */
void container_evidence_take_mounts (struct container_evidence *evidence, const char *mountinfo);
void container_evidence_take_status (struct container_evidence *evidence, const char *status);
