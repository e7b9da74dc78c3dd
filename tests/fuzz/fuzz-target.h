/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every target has: libFuzzer calls the one function with bytes of its choice. Beside what the
 * sanitizers see, a target asserts what the header of the code promises.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
