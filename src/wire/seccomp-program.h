/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds BPF programs for seccomp (2), counting the jumps. seccomp-compiler.c uses it for the
 * system call filter at build time; the small filters besides it, and the proxy's, are built and
 * loaded at run time.
 */
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __x86_64__
#define SECCOMP_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define SECCOMP_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define SECCOMP_ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#error "This architecture's name for seccomp is missing."
#endif

/* x86-64 programs with 32-bit pointers; not a separate architecture. */
#define SECCOMP_X32_BIT 0x40000000u

/* The kernel uses only the lower half of a register for an int. So do these tests: comparing all 64
 * bits could be bypassed by setting a bit that is ignored (CVE-2019-10063, CVE-2023-28100). */
enum seccomp_match
{
  SECCOMP_ONE_OF = 1, /* the argument is one of the values */
  SECCOMP_NONE_OF,    /* it is none of them */
  SECCOMP_ANY_BIT_OF, /* it has a bit in common with the first value */
  SECCOMP_NO_BIT_OF,  /* it has no bit in common */
  SECCOMP_WITHIN,     /* it is one of the two values, or between them */
  SECCOMP_NOT_NULL,   /* it is a pointer other than NULL: all 64 bits count */
};

struct seccomp_test
{
  enum seccomp_match match; /* 0: no test */
  unsigned int argument;
  uint32_t values[8];
  size_t n_values;
  uint32_t mask; /* of the bits that are compared; 0: all */
};

#define SECCOMP_VALUES(...)                                                                        \
  { __VA_ARGS__ }, sizeof ((const uint32_t[]){ __VA_ARGS__ }) / sizeof (uint32_t)
#define ONE_OF(argument, ...)                                                                      \
  {                                                                                                \
    SECCOMP_ONE_OF, argument, SECCOMP_VALUES (__VA_ARGS__)                                         \
  }
#define NONE_OF(argument, ...)                                                                     \
  {                                                                                                \
    SECCOMP_NONE_OF, argument, SECCOMP_VALUES (__VA_ARGS__)                                        \
  }
#define ANY_BIT_OF(argument, mask)                                                                 \
  {                                                                                                \
    SECCOMP_ANY_BIT_OF, argument, SECCOMP_VALUES (mask)                                            \
  }

#define NO_BIT_OF(argument, mask)                                                                  \
  {                                                                                                \
    SECCOMP_NO_BIT_OF, argument, SECCOMP_VALUES (mask)                                             \
  }
#define WITHIN(argument, first, last)                                                              \
  {                                                                                                \
    SECCOMP_WITHIN, argument, SECCOMP_VALUES (first, last)                                         \
  }
#define NOT_NULL(argument)                                                                         \
  {                                                                                                \
    SECCOMP_NOT_NULL, argument, SECCOMP_VALUES (0)                                                 \
  }
#define ONE_OF_MASKED(argument, mask, ...)                                                         \
  {                                                                                                \
    SECCOMP_ONE_OF, argument, SECCOMP_VALUES (__VA_ARGS__), mask                                   \
  }
#define NONE_OF_MASKED(argument, mask, ...)                                                        \
  {                                                                                                \
    SECCOMP_NONE_OF, argument, SECCOMP_VALUES (__VA_ARGS__), mask                                  \
  }

struct seccomp_program
{
  struct sock_filter code[BPF_MAXINSNS];
  size_t size;
  bool is_too_long;
};

void seccomp_program_add (struct seccomp_program *program,
                          unsigned int code,
                          uint32_t k,
                          unsigned int yes,
                          unsigned int no);
/* `offset` in struct seccomp_data. */
void seccomp_program_load (struct seccomp_program *program, size_t offset);
void seccomp_program_equal (struct seccomp_program *program,
                            uint32_t k,
                            unsigned int yes,
                            unsigned int no);
void seccomp_program_return (struct seccomp_program *program, uint32_t action);
/* Returns `action` if all of the tests hold, which end with a match of 0 or after `n`; otherwise
 * continues behind. */
void seccomp_program_rule (struct seccomp_program *program,
                           const struct seccomp_test *tests,
                           size_t n,
                           uint32_t action);

/* A call that fails with `error` if all tests hold. */
struct seccomp_refusal
{
  int call;
  int error;
  struct seccomp_test tests[3];
};

/* Loads a filter with these rules that allows everything else; calls of other architectures kill
 * the process. Returns 0 or a negative errno. Allocates no memory. */
int seccomp_refuse (const struct seccomp_refusal *refusals, size_t n);
/* Loads a filter that allows these calls only, except as refused; all others fail with ENOSYS. The
 * same otherwise. */
int seccomp_allow_only (const int *calls,
                        size_t n_calls,
                        const struct seccomp_refusal *refusals,
                        size_t n_refusals);
