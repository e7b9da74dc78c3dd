/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel files: the ones under /proc that take one value in one write.
 */
#pragma once

/* Returns 0 or a negative errno. Only system calls. */
int kernel_file_write (int folder, const char *path, const char *value);
