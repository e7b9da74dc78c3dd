/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest's memory: process_vm_readv (2), or /proc/PID/mem if an engine's filter refuses that.
 * What is read is hostile and may change before the kernel reads it again: good for reports, never
 * for decisions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns the number of bytes that were read, from the start. If there are fewer, sets errno. */
size_t guest_memory_read (pid_t thread, uint64_t address, void *buffer, size_t size);
/* Reads a NUL-terminated string. False with errno if it does not end within `capacity` bytes or
 * readable memory; `text` is then empty. */
bool guest_memory_string (pid_t thread, uint64_t address, char *text, size_t capacity);
/* After reading failed, by its errno: true if the process may not be looked into, as one that
 * executes a file that nobody may read. False if there is no such memory: then the call that named
 * it fails as well. */
bool guest_memory_is_closed (int error);
