/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared mappings: memory that several processes can share lies either in a file, which is in the
 * sandbox's tmpfs and counts there, or nowhere else (mmap(2), MAP_ANONYMOUS).
 */
#pragma once

#include "process-table.h"

#include <sys/types.h>

/* How much of a process's shared memory is certainly not in the filesystem `scratch`. */
uint64_t shared_mappings_without_file (const struct process_table *table,
                                       uint32_t pid,
                                       dev_t scratch,
                                       uint64_t shared_bytes);
