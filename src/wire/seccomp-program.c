/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-program.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Placeholder for the distance to the end of a rule. */
#define TO_END 0xffu

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the lower half of an argument is the first one");

void
seccomp_program_add (struct seccomp_program *program,
                     unsigned int code,
                     uint32_t k,
                     unsigned int yes,
                     unsigned int no)
{
  program->is_too_long = program->is_too_long || program->size == BPF_MAXINSNS;
  if (!program->is_too_long)
    program->code[program->size++] =
        (struct sock_filter) BPF_JUMP ((uint16_t) code, k, (uint8_t) yes, (uint8_t) no);
}

void
seccomp_program_load (struct seccomp_program *program, size_t offset)
{
  seccomp_program_add (program, BPF_LD | BPF_W | BPF_ABS, (uint32_t) offset, 0, 0);
}

void
seccomp_program_equal (struct seccomp_program *program,
                       uint32_t k,
                       unsigned int yes,
                       unsigned int no)
{
  seccomp_program_add (program, BPF_JMP | BPF_JEQ | BPF_K, k, yes, no);
}

void
seccomp_program_return (struct seccomp_program *program, uint32_t action)
{
  seccomp_program_add (program, BPF_RET | BPF_K, action, 0, 0);
}

/* Continues behind the test if it holds. */
static void
add_test (struct seccomp_program *program, const struct seccomp_test *test)
{
  const size_t lower = offsetof (struct seccomp_data, args) + test->argument * sizeof (uint64_t);

  seccomp_program_load (program, lower);
  if (test->mask != 0)
    seccomp_program_add (program, BPF_ALU | BPF_AND | BPF_K, test->mask, 0, 0);
  if (test->match == SECCOMP_NOT_NULL)
    {
      seccomp_program_equal (program, 0, 0, 2);
      seccomp_program_load (program, lower + sizeof (uint32_t));
      seccomp_program_equal (program, 0, TO_END, 0);
    }
  if (test->match == SECCOMP_ANY_BIT_OF)
    seccomp_program_add (program, BPF_JMP | BPF_JSET | BPF_K, test->values[0], 0, TO_END);
  if (test->match == SECCOMP_NO_BIT_OF)
    seccomp_program_add (program, BPF_JMP | BPF_JSET | BPF_K, test->values[0], TO_END, 0);
  if (test->match == SECCOMP_WITHIN)
    {
      seccomp_program_add (program, BPF_JMP | BPF_JGE | BPF_K, test->values[0], 0, TO_END);
      seccomp_program_add (program, BPF_JMP | BPF_JGT | BPF_K, test->values[1], TO_END, 0);
    }
  for (size_t i = 0; test->match == SECCOMP_NONE_OF && i < test->n_values; i++)
    seccomp_program_equal (program, test->values[i], TO_END, 0);
  for (size_t i = 0; test->match == SECCOMP_ONE_OF && i < test->n_values; i++)
    {
      unsigned int others = (unsigned int) (test->n_values - 1 - i);

      seccomp_program_equal (program, test->values[i], others, others > 0 ? 0 : TO_END);
    }
}

/* Makes the jumps to the end of the rule that began at `start` lead here. */
static void
end_rule (struct seccomp_program *program, size_t start)
{
  for (size_t i = start; i < program->size; i++)
    {
      const size_t distance = program->size - i - 1;
      struct sock_filter *jump = &program->code[i];

      if (jump->jt != TO_END && jump->jf != TO_END)
        continue;
      program->is_too_long = program->is_too_long || distance >= TO_END;
      jump->jt = jump->jt == TO_END ? (uint8_t) distance : jump->jt;
      jump->jf = jump->jf == TO_END ? (uint8_t) distance : jump->jf;
    }
}

void
seccomp_program_rule (struct seccomp_program *program,
                      const struct seccomp_test *tests,
                      size_t n,
                      uint32_t action)
{
  const size_t start = program->size;

  for (size_t i = 0; i < n && tests[i].match != 0; i++)
    add_test (program, &tests[i]);
  seccomp_program_return (program, action);
  end_rule (program, start);
}

static void
load_call (struct seccomp_program *program)
{
  seccomp_program_load (program, offsetof (struct seccomp_data, nr));
}

/* Expects the number of the call to be loaded, and loads it again. */
static void
add_refusal (struct seccomp_program *program, const struct seccomp_refusal *refusal)
{
  const size_t n = sizeof refusal->tests / sizeof refusal->tests[0];
  const size_t start = program->size;

  seccomp_program_equal (program, (uint32_t) refusal->call, 0, TO_END);
  seccomp_program_rule (program, refusal->tests, n, SECCOMP_RET_ERRNO | (uint32_t) refusal->error);
  end_rule (program, start);
  if (refusal->tests[0].match != 0)
    load_call (program);
}

/* Architecture first: numbers of another one mean other calls. */
static void
start (struct seccomp_program *program)
{
  program->size = 0;
  program->is_too_long = false;
  seccomp_program_load (program, offsetof (struct seccomp_data, arch));
  seccomp_program_equal (program, SECCOMP_ARCHITECTURE, 1, 0);
  seccomp_program_return (program, SECCOMP_RET_KILL_PROCESS);
  load_call (program);
}

/* Ends the program with an action for all other calls. */
static int
load (struct seccomp_program *program, uint32_t action)
{
  struct sock_fprog loaded = { .filter = program->code };

  seccomp_program_return (program, action);
  loaded.len = (unsigned short) program->size;
  if (program->is_too_long)
    return -E2BIG;
  return syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &loaded) < 0 ? -errno : 0;
}

int
seccomp_refuse (const struct seccomp_refusal *refusals, size_t n)
{
  static struct seccomp_program program;

  start (&program);
  seccomp_program_add (&program, BPF_JMP | BPF_JGE | BPF_K, SECCOMP_X32_BIT, 0, 1);
  seccomp_program_return (&program, SECCOMP_RET_KILL_PROCESS);
  for (size_t i = 0; i < n; i++)
    add_refusal (&program, &refusals[i]);
  return load (&program, SECCOMP_RET_ALLOW);
}

int
seccomp_allow_only (const int *calls,
                    size_t n_calls,
                    const struct seccomp_refusal *refusals,
                    size_t n_refusals)
{
  static struct seccomp_program program;

  start (&program);
  for (size_t i = 0; i < n_refusals; i++)
    add_refusal (&program, &refusals[i]);
  for (size_t i = 0; i < n_calls; i++)
    {
      seccomp_program_equal (&program, (uint32_t) calls[i], 0, 1);
      seccomp_program_return (&program, SECCOMP_RET_ALLOW);
    }
  return load (&program, SECCOMP_RET_ERRNO | ENOSYS);
}
