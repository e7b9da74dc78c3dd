/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vfork: until execve the child uses its parent's memory, but /proc shows that for both processes.
 * Sums must not count it twice.
 */
#pragma once

#include "process-table.h"

/* Sets `uses_parents_memory`, after process_table_read. */
void vfork_find_children (struct process_table *table);
