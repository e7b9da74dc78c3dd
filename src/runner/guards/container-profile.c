/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * container-profile: writes the seccomp profile of containers, which engines read as JSON, from
 * seccomp-rules.h, at build time.
 *
 *   container-profile off|watched OUTPUT
 *
 * It is a list of what is allowed: every call of this architecture that was looked at, without
 * those that the rules refuse, and what is newer is refused as well. The same rules are loaded once
 * more inside, for the guest alone, where it can be told what it tried. The kernel does the
 * strictest thing that any filter says, and an error is stricter than to ask: so where calls are
 * told, the outer profile has to let them through, and does so only for calls that the inner one
 * then refuses. Those that are refused without being told are refused twice.
 *
 * What an engine's profile can say of arguments is less than what the rules can: of a call that is
 * refused with some values (ioctl, fcntl, setsockopt) only the inner filter knows.
 */
#include "seccomp-rules.h"

#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_ITEMS(list) (sizeof list / sizeof list[0])

/* The engine answers these as if they did not exist, which is true of nearly every kernel: they
 * were reserved for others, or never came to be. */
static const char *const never_there[] = {
  "afs_syscall", "getpmsg", "putpmsg", "security", "tuxcall", "vserver",
};

/* What the libseccomp we build with may be too old to know. Engines pass over names that their own
 * does not know. */
static const char *const newer[] = {
  "cachestat",         "fchmodat2",        "futex_wake",   "futex_wait",   "futex_requeue",
  "lsm_get_self_attr", "lsm_list_modules", "mseal",        "setxattrat",   "getxattrat",
  "listxattrat",       "removexattrat",    "file_getattr", "file_setattr",
};

/* The runner itself keeps there what it was sent. The guest is refused it inside. */
static const char *const of_the_runner[] = { "memfd_create" };

static bool
is_in (const char *const list[], size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (list[i], name) == 0)
      return true;
  return false;
}

static const struct seccomp_rule *
rule_of (const char *name)
{
  for (size_t i = 0; i < N_ITEMS (seccomp_rules); i++)
    if (strcmp (seccomp_rules[i].name, name) == 0)
      return &seccomp_rules[i];
  return NULL;
}

/* Refused by this profile, whatever the arguments are. */
static bool
is_refused (const char *name, bool is_watched)
{
  const struct seccomp_rule *rule = rule_of (name);

  if (is_in (never_there, N_ITEMS (never_there), name))
    return true;
  if (rule == NULL || is_in (of_the_runner, N_ITEMS (of_the_runner), name))
    return false;
  return !(is_watched && rule->telling == TELL);
}

/* The rule for arguments that can be said with the values that are allowed; NULL when there is
 * none, or when it is left to the inner filter. */
static const struct seccomp_test *
test_of (const char *name, bool is_watched)
{
  for (size_t i = 0; !is_watched && i < N_ITEMS (seccomp_argument_rules); i++)
    {
      const struct seccomp_argument_rule *rule = &seccomp_argument_rules[i];

      if (strcmp (rule->name, name) == 0 && rule->tests[1].match == 0 &&
          rule->tests[0].match != SECCOMP_ONE_OF && !rule->without_sockets)
        return &rule->tests[0];
    }
  return NULL;
}

/* The beginnings of lines and what is between them. */
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

/* Every call that this architecture has, in the order of the numbers, and after them those that
 * libseccomp does not know, each once. Returns a name that stays, or NULL where there is none. */
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
      if (k >= N_ITEMS (newer) && seccomp_rules[k - N_ITEMS (newer)].number == 0)
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

/* Those that get another answer than all others, EPERM. */
static void
write_refused_calls (FILE *output, bool is_watched, int answer)
{
  bool is_first = true;

  fprintf (output, ",\n    { \"names\": [\n");
  for (size_t i = 0; i < N_CALLS; i++)
    {
      const char *name = call_at (i);

      if (name == NULL || !is_refused (name, is_watched) || answer_of (name) != answer)
        continue;
      separate (output, &is_first);
      fprintf (output, "        \"%s\"", name);
    }
  fprintf (output, "\n      ],\n      \"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": %d }", answer);
}

/* As the engines' own profiles call it. */
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

/* No second architecture: the numbers of another one mean other calls. */
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
  write_refused_calls (output, is_watched, ENOSYS);
  write_refused_calls (output, is_watched, 0);
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
