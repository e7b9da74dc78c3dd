/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seccomp-compiler: turns seccomp-rules.h and seccomp-watched.h into BPF programs, at build time.
 * Doing it with libseccomp in every run would cost more than all namespaces together.
 *
 *   seccomp-compiler programs|numbers|profile|watched-profile OUTPUT
 *
 * There is a program for each kind of sandbox, watched or not. The numbers are those of the calls
 * on this architecture, to find a rule at run time. The profiles are for the engines of containers,
 * which read them as JSON.
 *
 * libseccomp makes a search tree of the denied calls. Tests of arguments come before it and are
 * written here: libseccomp compares 64 bits where the kernel uses 32, and has no rule for "anything
 * but". The kernel runs a new program once for each number, to cache the calls that are always
 * allowed without testing an argument: so the tests are in a search tree as well.
 */
#include "seccomp-rules.h"
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

/* The seccomp profile of containers is an allow-list: every reviewed call of this architecture
 * except those that the rules refuse; newer calls are refused as well. The same rules are loaded
 * again inside, for the guest only, where attempts can be reported. The kernel applies the
 * strictest result of all filters, and an error is stricter than a notification: so the outer
 * profile allows the calls that are to be reported, and the inner filter refuses them. Calls that
 * are not reported are refused by both.
 *
 * A profile can test arguments less precisely than the rules: calls that are refused for some
 * values (ioctl, fcntl, setsockopt) are left to the inner filter. */

/* The largest number of errno (3), on all architectures of Linux. */
#define MAX_ANSWER 133

/* The engine answers these with ENOSYS, as nearly every kernel does: numbers that were reserved or
 * never implemented. */
static const char *const never_there[] = {
  "afs_syscall", "getpmsg", "putpmsg", "security", "tuxcall", "vserver",
};

/* Calls that the libseccomp of the build may not know. Engines skip names that theirs does not
 * know. */
static const char *const newer[] = {
  "fchmodat2",   "lsm_get_self_attr", "lsm_list_modules", "mseal",        "getxattrat",
  "listxattrat", "removexattrat",     "file_getattr",     "file_setattr",
};

/* Used by the runner itself, for the request's files and the guest's Landlock rules; refused to the
 * guest by the inner filter. */
static const char *const of_the_runner[] = {
  "memfd_create",
  "landlock_create_ruleset",
  "landlock_add_rule",
};

static bool
is_in (const char *const list[], size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (list[i], name) == 0)
      return true;
  return false;
}

/* The rule that holds in a container. */
static const struct seccomp_rule *
rule_of (const char *name)
{
  for (size_t i = 0; i < N_ITEMS (seccomp_rules); i++)
    if (strcmp (seccomp_rules[i].name, name) == 0 &&
        SECCOMP_HOLDS_IN (&seccomp_rules[i], SECCOMP_PEERS))
      return &seccomp_rules[i];
  return NULL;
}

/* Refused by this profile for all arguments. */
static bool
is_refused (const char *name, bool is_watched)
{
  const struct seccomp_rule *rule = rule_of (name);

  if (is_in (never_there, N_ITEMS (never_there), name))
    return true;
  if (rule == NULL || is_in (of_the_runner, N_ITEMS (of_the_runner), name))
    return false;
  return !(is_watched && rule->reporting == REPORTED);
}

/* The rule for arguments if it can be written as a list of allowed values; NULL if there is none or
 * the inner filter has to do it. */
static const struct seccomp_test *
test_of (const char *name, bool is_watched)
{
  for (size_t i = 0; !is_watched && i < N_ITEMS (seccomp_argument_rules); i++)
    {
      const struct seccomp_argument_rule *rule = &seccomp_argument_rules[i];

      if (strcmp (rule->name, name) == 0 && rule->tests[1].match == 0 &&
          (rule->tests[0].match == SECCOMP_NONE_OF || rule->tests[0].match == SECCOMP_ANY_BIT_OF) &&
          SECCOMP_HOLDS_IN (rule, SECCOMP_PEERS))
        return &rule->tests[0];
    }
  return NULL;
}

/* Indentation and separators. */
static void
separate (FILE *output, bool *is_first)
{
  fprintf (output, *is_first ? "" : ",\n");
  *is_first = false;
}

/* The kernel looks at 32 bits of an argument, so does this. */
static void
write_allowed_value (FILE *output,
                     const char *name,
                     unsigned int argument,
                     uint32_t mask,
                     uint32_t value)
{
  fprintf (output,
           ",\n    { \"names\": [ \"%s\" ], \"action\": \"SCMP_ACT_ALLOW\",\n"
           "      \"args\": [ { \"index\": %u, \"op\": \"SCMP_CMP_MASKED_EQ\", \"value\": %u, "
           "\"valueTwo\": %u } ] }",
           name,
           argument,
           mask,
           value);
}

static void
write_allowed_values (FILE *output, const char *name, const struct seccomp_test *test)
{
  if (test->match == SECCOMP_ANY_BIT_OF)
    write_allowed_value (output, name, test->argument, test->values[0], 0);
  for (size_t i = 0; test->match == SECCOMP_NONE_OF && i < test->n_values; i++)
    write_allowed_value (output, name, test->argument, UINT32_MAX, test->values[i]);
}

static bool
is_known_call (const char *name)
{
  int number = seccomp_syscall_resolve_name (name);

  return number >= 0 && number <= SECCOMP_LAST_KNOWN_CALL;
}

#define N_NUMBERS ((size_t) SECCOMP_LAST_KNOWN_CALL + 1)
#define N_CALLS   (N_NUMBERS + N_ITEMS (newer) + N_ITEMS (seccomp_rules))

/* Each call of this architecture once: first by number, then those that libseccomp does not know.
 * Returns a static name, or NULL at the end. */
static const char *
call_at (size_t i)
{
  static char names[N_NUMBERS][64];
  const char *later;
  char *name;

  if (i >= N_NUMBERS)
    {
      const size_t k = i - N_NUMBERS;

      later = k < N_ITEMS (newer) ? newer[k] : seccomp_rules[k - N_ITEMS (newer)].name;
      if (k >= N_ITEMS (newer) &&
          (seccomp_rules[k - N_ITEMS (newer)].number == 0 || is_in (newer, N_ITEMS (newer), later)))
        return NULL;
      return is_known_call (later) ? NULL : later;
    }
  name = seccomp_syscall_resolve_num_arch (SCMP_ARCH_NATIVE, (int) i);
  if (name == NULL)
    return NULL;
  snprintf (names[i], sizeof names[i], "%s", name);
  free (name);
  return names[i];
}

static void
write_allowed_calls (FILE *output, bool is_watched)
{
  bool is_first = true;

  fprintf (output, "    { \"names\": [\n");
  for (size_t i = 0; i < N_CALLS; i++)
    {
      const char *name = call_at (i);

      if (name == NULL || is_refused (name, is_watched) || test_of (name, is_watched) != NULL)
        continue;
      separate (output, &is_first);
      fprintf (output, "        \"%s\"", name);
    }
  fprintf (output, "\n      ],\n      \"action\": \"SCMP_ACT_ALLOW\" }");
  for (size_t i = 0; i < N_CALLS; i++)
    {
      const char *name = call_at (i);

      if (name != NULL && test_of (name, is_watched) != NULL)
        write_allowed_values (output, name, test_of (name, is_watched));
    }
}

static int
answer_of (const char *name)
{
  return rule_of (name) != NULL ? rule_of (name)->answer : ENOSYS;
}

/* Calls with another answer than the default, EPERM. An entry without names may be an error. */
static void
write_refused_calls (FILE *output, bool is_watched, int answer)
{
  bool is_first = true;

  for (size_t i = 0; i < N_CALLS; i++)
    {
      const char *name = call_at (i);

      if (name == NULL || !is_refused (name, is_watched) || answer_of (name) != answer)
        continue;
      fprintf (output, is_first ? ",\n    { \"names\": [\n" : ",\n");
      is_first = false;
      fprintf (output, "        \"%s\"", name);
    }
  if (!is_first)
    fprintf (output,
             "\n      ],\n      \"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": %d }",
             answer);
}

/* The name in the engines' own profiles. */
static const char *
architecture (void)
{
  switch (seccomp_arch_native ())
    {
    case SCMP_ARCH_X86_64:
      return "SCMP_ARCH_X86_64";
    case SCMP_ARCH_AARCH64:
      return "SCMP_ARCH_AARCH64";
    case SCMP_ARCH_RISCV64:
      return "SCMP_ARCH_RISCV64";
    case SCMP_ARCH_PPC64LE:
      return "SCMP_ARCH_PPC64LE";
    case SCMP_ARCH_S390X:
      return "SCMP_ARCH_S390X";
    default:
      return NULL;
    }
}

/* No second architecture: its numbers mean other calls. */
static void
write_profile (FILE *output, bool is_watched)
{
  if (architecture () == NULL)
    check (-ENOTSUP, "architecture");
  fprintf (output,
           "{\n  \"defaultAction\": \"SCMP_ACT_ERRNO\",\n  \"defaultErrnoRet\": %d,\n"
           "  \"architectures\": [ \"%s\" ],\n  \"syscalls\": [\n",
           EPERM,
           architecture ());
  write_allowed_calls (output, is_watched);
  for (int answer = 0; answer <= MAX_ANSWER; answer++)
    {
      if (answer != EPERM)
        write_refused_calls (output, is_watched, answer);
    }
  fprintf (output, "\n  ]\n}\n");
}

int
main (int argc, char **argv)
{
  const bool is_watched = argc == 3 && strcmp (argv[1], "watched-profile") == 0;
  const bool is_profile = is_watched || (argc == 3 && strcmp (argv[1], "profile") == 0);
  const bool is_programs = argc == 3 && strcmp (argv[1], "programs") == 0;
  const bool is_numbers = argc == 3 && strcmp (argv[1], "numbers") == 0;
  FILE *output = is_profile || is_programs || is_numbers ? fopen (argv[2], "w") : NULL;

  if (output == NULL)
    {
      fprintf (stderr, "usage: seccomp-compiler programs|numbers|profile|watched-profile OUTPUT\n");
      return 1;
    }
  if (!is_profile)
    fprintf (output, "/* Made by seccomp-compiler from seccomp-rules.h. */\n");
  if (is_profile)
    write_profile (output, is_watched);
  else if (is_programs)
    write_programs (output);
  else
    write_numbers (output);
  return fclose (output) == 0 ? 0 : 1;
}
