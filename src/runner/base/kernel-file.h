/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel files: those of /proc and /sys/fs/cgroup, which take a value in one write and return all
 * of it in one read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns 0 or a negative errno. Only system calls. */
int kernel_file_write (int folder, const char *path, const char *value);
/* Reads text; truncates what does not fit. False if it cannot be read or is empty. */
bool kernel_file_read (int folder, const char *path, char *text, size_t size);
/* The number that a file begins with, or `otherwise`. */
uint64_t kernel_file_read_number (int folder, const char *path, uint64_t otherwise);
/* The number in a line "KEY NUMBER" or "KEY: NUMBER" of a text, or `otherwise`. */
uint64_t kernel_file_number (const char *text, const char *key, uint64_t otherwise);
/* The same for sizes in kB; in bytes, or 0. */
static inline uint64_t
kernel_file_bytes (const char *text, const char *key)
{
  return kernel_file_number (text, key, 0) * 1024;
}
