/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * container-profile: writes the seccomp profile of containers, which engines read as JSON, from
 * seccomp-rules.h, at build time.
 *
 *   container-profile off|watched OUTPUT
 *
 * It is an allow-list: every reviewed call of this architecture except those that the rules refuse;
 * newer calls are refused as well. The same rules are loaded again inside, for the guest only,
 * where attempts can be reported. The kernel applies the strictest result of all filters, and an
 * error is stricter than a notification: so the outer profile allows the calls that are to be
 * reported, and the inner filter refuses them. Calls that are not reported are refused by both.
 *
 * A profile can test arguments less precisely than the rules: calls that are refused for some
 * values (ioctl, fcntl, setsockopt) are left to the inner filter.
 */
#include "seccomp-rules.h"

#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_ITEMS(list) (sizeof list / sizeof list[0])
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
is_known (const char *name)
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
      return is_known (later) ? NULL : later;
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
static bool
write_profile (FILE *output, bool is_watched)
{
  if (architecture () == NULL)
    return false;
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
  return true;
}

int
main (int argc, char **argv)
{
  const bool is_watched = argc == 3 && strcmp (argv[1], "watched") == 0;
  const bool is_off = argc == 3 && strcmp (argv[1], "off") == 0;
  FILE *output = is_watched || is_off ? fopen (argv[2], "w") : NULL;

  if (output == NULL)
    {
      fprintf (stderr, "usage: container-profile off|watched OUTPUT\n");
      return 1;
    }
  if (!write_profile (output, is_watched))
    {
      fprintf (stderr, "container-profile: not for this architecture\n");
      return 1;
    }
  return fclose (output) == 0 ? 0 : 1;
}
