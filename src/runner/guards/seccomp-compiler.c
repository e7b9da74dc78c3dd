/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seccomp-compiler: turns seccomp-rules.h and seccomp-watched.h into BPF programs, at build time.
 * Doing it with libseccomp in every run would cost more than all namespaces together.
 *
 *   seccomp-compiler programs OUTPUT
 *   seccomp-compiler numbers OUTPUT
 *
 * There is a program for each kind of sandbox, watched or not. The second form writes the numbers
 * of the calls on this architecture, to find a rule at run time.
 *
 * libseccomp makes a search tree of the denied calls. Tests of arguments come before it and are
 * written here: libseccomp compares 64 bits where the kernel uses 32, and has no rule for "anything
 * but". The kernel runs a new program once for each number, to cache the calls that are always
 * allowed without testing an argument: so the tests are in a search tree as well.
 */
#include "seccomp-watched.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_ITEMS(list) (sizeof list / sizeof list[0])

/* Placeholder for the length of a jump. */
#define TO_THE_REST 0xffffffffu

struct program
{
  bool is_watching;
  enum seccomp_sandbox sandbox;
  struct seccomp_program filter;
};

static void
check (int result, const char *what)
{
  if (result == 0)
    return;
  fprintf (stderr, "seccomp-compiler: %s: %s\n", what, strerror (-result));
  exit (1);
}

/* Negative for a call that this architecture does not have; such a call needs no rule. */
static int
number_of (const char *name, int number_of_new_call)
{
  int number = seccomp_syscall_resolve_name (name);

  if (number != __NR_SCMP_ERROR)
    return number;
  if (number_of_new_call == 0)
    {
      fprintf (stderr, "seccomp-compiler: %s is unknown and has no number\n", name);
      exit (1);
    }
  return number_of_new_call;
}

/* A refused call: answered by the kernel, or by the listener; ENOSYS if a warm interpreter makes
 * it. */
static uint32_t
action_of (const struct program *program, int answer, enum seccomp_reporting reporting)
{
  if (program->sandbox == SECCOMP_WARM)
    return SECCOMP_RET_TRACE;
  if (program->is_watching && reporting != QUIETLY)
    return SECCOMP_RET_USER_NOTIF;
  return SECCOMP_RET_ERRNO | (uint32_t) answer;
}

static void
add_watched (const struct program *program, scmp_filter_ctx filter)
{
  for (size_t i = 0; i < N_ITEMS (seccomp_watched); i++)
    {
      const struct seccomp_watched *call = &seccomp_watched[i];
      const struct scmp_arg_cmp other = SCMP_CMP64 (call->argument, SCMP_CMP_NE, call->value);
      const uint32_t action =
          program->is_watching ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO ((uint32_t) call->answer);
      int number = number_of (call->name, call->number);

      if (number >= 0 && SECCOMP_IS_WATCHED_IN (call, program->sandbox) &&
          (program->is_watching || call->answer != 0))
        check (seccomp_rule_add_array (filter, action, number, call->has_exception, &other),
               call->name);
    }
}

/* libseccomp has its own names for the kernel's values. */
static void
add_calls (const struct program *program, scmp_filter_ctx filter)
{
  for (size_t i = 0; i < N_ITEMS (seccomp_rules); i++)
    {
      const struct seccomp_rule *rule = &seccomp_rules[i];
      int number = number_of (rule->name, rule->number);

      if (number >= 0 && SECCOMP_HOLDS_IN (rule, program->sandbox))
        check (seccomp_rule_add (filter,
                                 action_of (program, rule->answer, rule->reporting),
                                 number,
                                 0),
               rule->name);
    }
  add_watched (program, filter);
}

/* All rules of one call; if none applies, continues with the rest of the program. */
static void
emit_call (struct program *program, int number)
{
  seccomp_program_equal (&program->filter, (uint32_t) number, 1, 0);
  seccomp_program_add (&program->filter, BPF_JMP | BPF_JA, TO_THE_REST, 0, 0);
  for (size_t i = 0; i < N_ITEMS (seccomp_argument_rules); i++)
    {
      const struct seccomp_argument_rule *rule = &seccomp_argument_rules[i];

      if (number_of (rule->name, 0) == number && SECCOMP_HOLDS_IN (rule, program->sandbox))
        seccomp_program_rule (&program->filter,
                              rule->tests,
                              N_ITEMS (rule->tests),
                              action_of (program, rule->answer, rule->reporting));
    }
  seccomp_program_add (&program->filter, BPF_JMP | BPF_JA, TO_THE_REST, 0, 0);
}

/* A search tree of at least one number, in order. Only unconditional jumps can be long. */
static void
emit_calls (struct program *program, const int numbers[], size_t n)
{
  const size_t branch = program->filter.size;

  if (n == 1)
    {
      emit_call (program, numbers[0]);
      return;
    }
  seccomp_program_add (&program->filter,
                       BPF_JMP | BPF_JGE | BPF_K,
                       (uint32_t) numbers[n / 2],
                       0,
                       1);
  seccomp_program_add (&program->filter, BPF_JMP | BPF_JA, 0, 0, 0);
  emit_calls (program, numbers, n / 2);
  program->filter.code[branch + 1].k = (uint32_t) (program->filter.size - branch - 2);
  emit_calls (program, numbers + n / 2, n - n / 2);
}

static int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

static void
emit_argument_rules (struct program *program)
{
  int numbers[N_ITEMS (seccomp_argument_rules)];
  size_t n = 0;

  for (size_t i = 0; i < N_ITEMS (seccomp_argument_rules); i++)
    {
      int number = number_of (seccomp_argument_rules[i].name, 0);
      bool is_known = number < 0;

      for (size_t j = 0; j < n; j++)
        is_known = is_known || numbers[j] == number;
      if (!is_known)
        numbers[n++] = number;
    }
  qsort (numbers, n, sizeof numbers[0], compare);
  emit_calls (program, numbers, n);
  for (size_t i = 0; i < program->filter.size; i++)
    {
      if (program->filter.code[i].k == TO_THE_REST &&
          program->filter.code[i].code == (BPF_JMP | BPF_JA))
        program->filter.code[i].k = (uint32_t) (program->filter.size - i - 1);
    }
}

/* Architecture first: numbers of another one mean other calls. Calls above the last known one are
 * answered here, except those of x32, which libseccomp's own test kills. */
static void
emit_start (struct program *program)
{
  seccomp_program_load (&program->filter, offsetof (struct seccomp_data, arch));
  seccomp_program_equal (&program->filter, seccomp_arch_native (), 1, 0);
  seccomp_program_return (&program->filter, SECCOMP_RET_KILL_PROCESS);
  seccomp_program_load (&program->filter, offsetof (struct seccomp_data, nr));
  seccomp_program_add (&program->filter, BPF_JMP | BPF_JGE | BPF_K, SECCOMP_X32_BIT, 2, 0);
  seccomp_program_add (&program->filter, BPF_JMP | BPF_JGT | BPF_K, SECCOMP_LAST_KNOWN_CALL, 0, 1);
  seccomp_program_return (&program->filter, SECCOMP_RET_ERRNO | ENOSYS);
}

static void
append_calls (struct program *program)
{
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);
  FILE *file = tmpfile ();

  if (filter == NULL || file == NULL)
    check (-ENOMEM, "start");
  /* Do not depend on the kernel of the computer that builds. */
  check (seccomp_api_set (6), "level");
  check (seccomp_attr_set (filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "bad arch");
  check (seccomp_attr_set (filter, SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimize");
  add_calls (program, filter);
  check (seccomp_export_bpf (filter, fileno (file)), "export");
  seccomp_release (filter);
  rewind (file);
  program->filter.size += fread (program->filter.code + program->filter.size,
                                 sizeof program->filter.code[0],
                                 BPF_MAXINSNS - program->filter.size,
                                 file);
  fclose (file);
}

static void
write_program (FILE *output, const struct program *program)
{
  for (size_t i = 0; i < program->filter.size; i++)
    fprintf (output,
             "{ 0x%x, %u, %u, 0x%xu },\n",
             (unsigned int) program->filter.code[i].code,
             (unsigned int) program->filter.code[i].jt,
             (unsigned int) program->filter.code[i].jf,
             (unsigned int) program->filter.code[i].k);
}

static void
compile (FILE *output, bool is_watching, enum seccomp_sandbox sandbox)
{
  static struct program program;

  program.is_watching = is_watching;
  program.sandbox = sandbox;
  program.filter.size = 0;
  emit_start (&program);
  emit_argument_rules (&program);
  append_calls (&program);
  if (program.filter.is_too_long)
    check (-E2BIG, "program");
  fprintf (output, "static const struct sock_filter program_%d_%d[] = {\n", is_watching, sandbox);
  write_program (output, &program);
  fprintf (output, "};\n");
}

/* The first row of the table reports nothing, the second one does. No guest has the filter of a
 * warm interpreter, so that one is not watched. */
static void
write_programs (FILE *output)
{
  for (unsigned int sandbox = 0; sandbox <= SECCOMP_WARM; sandbox++)
    {
      compile (output, false, sandbox);
      if (sandbox != SECCOMP_WARM)
        compile (output, true, sandbox);
    }
  fprintf (output, "static const struct sock_fprog programs[2][SECCOMP_WARM + 1] = {\n");
  for (unsigned int row = 0; row < 2; row++)
    for (unsigned int sandbox = 0; sandbox + row <= SECCOMP_WARM; sandbox++)
      fprintf (output,
               "  [%u][%u] = { sizeof program_%u_%u / sizeof program_%u_%u[0],\n"
               "    (struct sock_filter *) program_%u_%u },\n",
               row,
               sandbox,
               row,
               sandbox,
               row,
               sandbox,
               row,
               sandbox);
  fprintf (output, "};\n");
}

/* The arrays have the order of the rules. */
static void
write_numbers (FILE *output)
{
  fprintf (output, "static const int seccomp_rule_numbers[] = {\n");
  for (size_t i = 0; i < N_ITEMS (seccomp_rules); i++)
    fprintf (output, "  %d,\n", number_of (seccomp_rules[i].name, seccomp_rules[i].number));
  fprintf (output, "};\n\nstatic const int seccomp_argument_rule_numbers[] = {\n");
  for (size_t i = 0; i < N_ITEMS (seccomp_argument_rules); i++)
    fprintf (output, "  %d,\n", number_of (seccomp_argument_rules[i].name, 0));
  fprintf (output, "};\n\nstatic const int seccomp_watched_numbers[] = {\n");
  for (size_t i = 0; i < N_ITEMS (seccomp_watched); i++)
    fprintf (output, "  %d,\n", number_of (seccomp_watched[i].name, seccomp_watched[i].number));
  fprintf (output, "};\n");
}

int
main (int argc, char **argv)
{
  const bool is_programs = argc == 3 && strcmp (argv[1], "programs") == 0;
  const bool is_numbers = argc == 3 && strcmp (argv[1], "numbers") == 0;
  FILE *output = is_programs || is_numbers ? fopen (argv[2], "w") : NULL;

  if (output == NULL)
    {
      fprintf (stderr, "usage: seccomp-compiler programs|numbers OUTPUT\n");
      return 1;
    }
  fprintf (output, "/* Made by seccomp-compiler from seccomp-rules.h. */\n");
  if (is_programs)
    write_programs (output);
  else
    write_numbers (output);
  return fclose (output) == 0 ? 0 : 1;
}
