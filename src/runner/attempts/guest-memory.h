/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest's memory, as the supervisor reads it: process_vm_readv (2), or /proc/PID/mem where an
 * engine's filter refuses that. What is read is hostile and
 * may have changed before the kernel reads it again; it is for telling, never for deciding.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns how many bytes could be read, from the first one on. */
size_t guest_memory_read (pid_t thread, uint64_t address, void *buffer, size_t size);
/* Reads a string with its NUL. False when it does not end within `capacity` bytes or within what
 * can be read; `text` is then empty. */
bool guest_memory_string (pid_t thread, uint64_t address, char *text, size_t capacity);
