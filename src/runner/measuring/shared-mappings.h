/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared mappings: memory that several processes can share is either in a file, which is in the
 * sandbox's tmpfs and counted there, or anonymous (mmap(2), MAP_ANONYMOUS).
 */
#pragma once

#include "process.h"

#include <sys/types.h>

/* How much of a process's shared memory is certainly not in the file system `scratch`. */
uint64_t shared_mappings_without_file (int proc,
                                       const struct process *process,
                                       dev_t scratch,
                                       uint64_t shared_bytes);
