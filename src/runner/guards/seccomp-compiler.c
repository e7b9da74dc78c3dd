/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seccomp-compiler: turns seccomp-rules.h into BPF programs, at build time. Doing it with
 * libseccomp in every run would cost more than all namespaces together.
 *
 *   seccomp-compiler program off|attempts|files own|shared|closed OUTPUT
 *   seccomp-compiler numbers OUTPUT
 *
 * There is a program for every level of watching, and for sandboxes with and without a pid
 * namespace of their own. The second form writes the numbers that calls have here, for who has to
 * find a rule again at run time.
 *
 * libseccomp makes a search tree of the calls that are denied. The tests of arguments come before
 * it and are written here: libseccomp compares 64 bits where the kernel looks at 32, and has no
 * rule for "anything but". The kernel tries a new program with every number, to find the calls that
 * never get to such a test and need not be asked about: so the tests hang on a search tree as well.
 */
#include "seccomp-rules.h"

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
/* x86-64 programs that use 32-bit pointers; not an architecture of its own. */
#define X32_BIT 0x40000000u

/* Stand for what is not known yet where a jump is written. */
#define TO_END      0xffu
#define TO_THE_REST 0xffffffffu

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the lower half of an argument is the first one");

struct program
{
  bool is_watching;
  bool is_shared;
  bool is_closed;
  struct sock_filter code[BPF_MAXINSNS];
  size_t size;
};

static void
check (int result, const char *what)
{
  if (result == 0)
    return;
  fprintf (stderr, "seccomp-compiler: %s: %s\n", what, strerror (-result));
  exit (1);
}

/* Negative for a call that this architecture does not have: libseccomp gives such calls numbers of
 * its own, and they need no rule. */
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

/* What the kernel does with a call that is refused: it answers itself, or it asks. */
static uint32_t
action_of (const struct program *program, int answer, enum seccomp_telling telling)
{
  if (program->is_watching && telling == TELL)
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
      int number = number_of (call->name, 0);

      if (number >= 0 && (!program->is_shared || SECCOMP_IS_WATCHED_WHEN_SHARED (call)))
        check (
            seccomp_rule_add_array (filter, SCMP_ACT_NOTIFY, number, call->has_exception, &other),
            call->name);
    }
}

/* libseccomp calls the kernel's values by other names, and they are the same. */
static void
add_calls (const struct program *program, scmp_filter_ctx filter)
{
  for (size_t i = 0; i < N_ITEMS (seccomp_rules); i++)
    {
      const struct seccomp_rule *rule = &seccomp_rules[i];
      int number = number_of (rule->name, rule->number);

      if (number >= 0)
        check (
            seccomp_rule_add (filter, action_of (program, rule->answer, rule->telling), number, 0),
            rule->name);
    }
  if (program->is_watching)
    add_watched (program, filter);
}

static void
emit (struct program *program, unsigned int code, uint32_t k, unsigned int yes, unsigned int no)
{
  if (program->size == BPF_MAXINSNS)
    check (-E2BIG, "program");
  program->code[program->size++] =
      (struct sock_filter) BPF_JUMP ((uint16_t) code, k, (uint8_t) yes, (uint8_t) no);
}

static void
emit_load (struct program *program, size_t offset)
{
  emit (program, BPF_LD | BPF_W | BPF_ABS, (uint32_t) offset, 0, 0);
}

static void
emit_equal (struct program *program, uint32_t value, unsigned int yes, unsigned int no)
{
  emit (program, BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}

static void
emit_return (struct program *program, uint32_t action)
{
  emit (program, BPF_RET | BPF_K, action, 0, 0);
}

/* Goes on behind the test when it holds. */
static void
emit_test (struct program *program, const struct seccomp_test *test)
{
  emit_load (program, offsetof (struct seccomp_data, args) + test->argument * sizeof (uint64_t));
  if (test->match == SECCOMP_ANY_BIT_OF)
    emit (program, BPF_JMP | BPF_JSET | BPF_K, test->values[0], 0, TO_END);
  for (size_t i = 0; test->match == SECCOMP_NONE_OF && i < test->n_values; i++)
    emit_equal (program, test->values[i], TO_END, 0);
  for (size_t i = 0; test->match == SECCOMP_ONE_OF && i < test->n_values; i++)
    {
      unsigned int others = (unsigned int) (test->n_values - 1 - i);

      emit_equal (program, test->values[i], others, others > 0 ? 0 : TO_END);
    }
}

/* How far the instruction at `from` has to jump to get to the next one. */
static uint8_t
distance (const struct program *program, size_t from)
{
  size_t distance = program->size - from - 1;

  if (distance >= TO_END)
    check (-E2BIG, "jump");
  return (uint8_t) distance;
}

static void
emit_rule (struct program *program, const struct seccomp_argument_rule *rule)
{
  const size_t start = program->size;

  for (size_t i = 0; i < N_ITEMS (rule->tests) && rule->tests[i].match != 0; i++)
    emit_test (program, &rule->tests[i]);
  emit_return (program, action_of (program, rule->answer, rule->telling));
  for (size_t i = start; i < program->size; i++)
    {
      struct sock_filter *jump = &program->code[i];

      if (jump->jt == TO_END)
        jump->jt = distance (program, i);
      if (jump->jf == TO_END)
        jump->jf = distance (program, i);
    }
}

/* All rules of one call; what none of them answers goes on to the rest of the program. */
static void
emit_call (struct program *program, int number)
{
  emit_equal (program, (uint32_t) number, 1, 0);
  emit (program, BPF_JMP | BPF_JA, TO_THE_REST, 0, 0);
  for (size_t i = 0; i < N_ITEMS (seccomp_argument_rules); i++)
    {
      const struct seccomp_argument_rule *rule = &seccomp_argument_rules[i];

      if (number_of (rule->name, 0) == number && (program->is_closed || !rule->without_sockets))
        emit_rule (program, rule);
    }
  emit (program, BPF_JMP | BPF_JA, TO_THE_REST, 0, 0);
}

/* A search tree. The numbers are in order, and there is at least one. */
static void
emit_calls (struct program *program, const int numbers[], size_t n)
{
  const size_t branch = program->size;

  if (n == 1)
    {
      emit_call (program, numbers[0]);
      return;
    }
  emit (program, BPF_JMP | BPF_JGE | BPF_K, (uint32_t) numbers[n / 2], 0, 0);
  emit_calls (program, numbers, n / 2);
  program->code[branch].jt = distance (program, branch);
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
  for (size_t i = 0; i < program->size; i++)
    {
      if (program->code[i].k == TO_THE_REST && program->code[i].code == (BPF_JMP | BPF_JA))
        program->code[i].k = (uint32_t) (program->size - i - 1);
    }
}

/* The architecture comes first: the numbers of another one mean other calls. Calls above the last
 * known one are answered here, but not those of x32, which libseccomp's own test kills. */
static void
emit_start (struct program *program)
{
  emit_load (program, offsetof (struct seccomp_data, arch));
  emit_equal (program, seccomp_arch_native (), 1, 0);
  emit_return (program, SECCOMP_RET_KILL_PROCESS);
  emit_load (program, offsetof (struct seccomp_data, nr));
  emit (program, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 2, 0);
  emit (program, BPF_JMP | BPF_JGT | BPF_K, SECCOMP_LAST_KNOWN_CALL, 0, 1);
  emit_return (program, SECCOMP_RET_ERRNO | ENOSYS);
}

static void
append_calls (struct program *program)
{
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);
  FILE *file = tmpfile ();

  if (filter == NULL || file == NULL)
    check (-ENOMEM, "start");
  /* What the kernel of the computer that builds can do is of no interest. */
  check (seccomp_api_set (6), "level");
  check (seccomp_attr_set (filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "bad arch");
  check (seccomp_attr_set (filter, SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimize");
  add_calls (program, filter);
  check (seccomp_export_bpf (filter, fileno (file)), "export");
  seccomp_release (filter);
  rewind (file);
  program->size += fread (program->code + program->size,
                          sizeof program->code[0],
                          BPF_MAXINSNS - program->size,
                          file);
  fclose (file);
}

static void
write_program (FILE *output, const struct program *program)
{
  for (size_t i = 0; i < program->size; i++)
    fprintf (output,
             "{ 0x%x, %u, %u, 0x%xu },\n",
             (unsigned int) program->code[i].code,
             (unsigned int) program->code[i].jt,
             (unsigned int) program->code[i].jf,
             (unsigned int) program->code[i].k);
}

static void
compile (FILE *output, const char *watch, const char *processes)
{
  static struct program program;

  program.is_watching = strcmp (watch, "off") != 0;
  program.is_closed = strcmp (processes, "closed") == 0;
  program.is_shared = program.is_closed || strcmp (processes, "shared") == 0;
  emit_start (&program);
  emit_argument_rules (&program);
  append_calls (&program);
  write_program (output, &program);
}

/* Each array in the order of its rules. */
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
    fprintf (output, "  %d,\n", number_of (seccomp_watched[i].name, 0));
  fprintf (output, "};\n");
}

int
main (int argc, char **argv)
{
  const bool is_program = argc == 5 && strcmp (argv[1], "program") == 0;
  const bool is_numbers = argc == 3 && strcmp (argv[1], "numbers") == 0;
  FILE *output = is_program || is_numbers ? fopen (argv[argc - 1], "w") : NULL;

  if (output == NULL)
    {
      fprintf (stderr, "usage: seccomp-compiler program WATCH PROCESSES OUTPUT | numbers OUTPUT\n");
      return 1;
    }
  fprintf (output, "/* Made by seccomp-compiler from seccomp-rules.h. */\n");
  if (is_program)
    compile (output, argv[2], argv[3]);
  else
    write_numbers (output);
  return fclose (output) == 0 ? 0 : 1;
}
