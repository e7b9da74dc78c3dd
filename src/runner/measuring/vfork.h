/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vfork: between vfork and execve a child has no memory of its own, but /proc shows that of its
 * parent under its number as well. Whoever adds up has to know.
 */
#pragma once

#include "process-table.h"

/* Sets `borrows_memory`. */
void vfork_find_borrowers (struct process_table *table);
