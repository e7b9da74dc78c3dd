/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a program waits for input: one of its threads is in a call that reads its standard input,
 * or watches that by epoll, as the kernel tells; select and poll are not looked into. The program
 * can pretend it, so it is a hint for people only. What cannot be read does not wait.
 */
#pragma once

#include "process-table.h"

/* `pipe`: either end of the standard input, which is empty. `users`: the user namespace if the
 * guest has a user id of its own, else -1. */
bool input_wait_is_there (struct process_table *table, int pipe, int users);
