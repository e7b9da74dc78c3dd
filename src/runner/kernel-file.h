/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel files: those under /proc and /sys/fs/cgroup, which take one value in one write and tell
 * all they know in one read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns 0 or a negative errno. Only system calls. */
int kernel_file_write (int folder, const char *path, const char *value);
/* As text; what does not fit is left out. False when it cannot be read or holds nothing. */
bool kernel_file_read (int folder, const char *path, char *text, size_t size);
