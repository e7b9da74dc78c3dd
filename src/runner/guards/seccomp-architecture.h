/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a hand-written filter has to look at first: whose numbers the calls are.
 */
#pragma once

#include <linux/audit.h>

#if defined __x86_64__
#define SECCOMP_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define SECCOMP_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define SECCOMP_ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#error "This architecture's name for seccomp is missing."
#endif

/* x86-64 programs that use 32-bit pointers; not an architecture of its own. */
#define SECCOMP_X32_BIT 0x40000000u
