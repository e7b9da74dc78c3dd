/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence of what an engine has really made: a container is asked for with many words, and engines
 * leave out some of them without saying so. All of it is seen from inside, before the guest runs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct container_evidence
{
  bool has_read_only_root;
  unsigned int writable_folders; /* that are not in memory, and so outlast the container */
  bool has_network;              /* something but the loopback */
  uint64_t capabilities;         /* that the engine has left to the runner */
  bool has_no_new_privileges;
  bool has_filter;         /* a system call filter of the engine's */
  bool has_user_namespace; /* root in there is not root outside */
  bool is_root;
  uint64_t space; /* the larger one of /workspace and /tmp; UINT64_MAX: nobody limits it */
};

/* `workspace`: its descriptor, or -1. */
void container_evidence_read (struct container_evidence *evidence, int workspace);

/* The same from texts of the kernel's, proc (5). */
void container_evidence_take_mounts (struct container_evidence *evidence, const char *mountinfo);
void container_evidence_take_status (struct container_evidence *evidence, const char *status);
