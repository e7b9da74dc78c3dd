/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seccomp-compiler: turns seccomp-rules.h into a BPF program, at build time. Doing it with
 * libseccomp in every run would cost more than all namespaces together.
 *
 * Writes a C array of instructions to the file named on the command line.
 */
#include "seccomp-rules.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOW_HALF      0xffffffffu
#define N_ITEMS(list) (sizeof list / sizeof list[0])
#define PROLOGUE      4
/* x86-64 programs that use 32-bit pointers; not an architecture of its own. */
#define X32_BIT 0x40000000u

static void
check (int result, const char *what)
{
  if (result == 0)
    return;
  fprintf (stderr, "seccomp-compiler: %s: %s\n", what, strerror (-result));
  exit (1);
}

/* A call that this architecture does not have needs no rule; libseccomp gives such calls negative
 * numbers of its own. */
static void
add_calls (scmp_filter_ctx filter)
{
  for (size_t i = 0; i < N_ITEMS (seccomp_rules); i++)
    {
      const struct seccomp_rule *rule = &seccomp_rules[i];
      int number = seccomp_syscall_resolve_name (rule->name);

      if (number == __NR_SCMP_ERROR && rule->number != 0)
        number = rule->number;
      if (number == __NR_SCMP_ERROR)
        {
          fprintf (stderr, "seccomp-compiler: %s is unknown and has no number\n", rule->name);
          exit (1);
        }
      if (number >= 0)
        check (seccomp_rule_add (filter, SCMP_ACT_ERRNO ((uint32_t) rule->answer), number, 0),
               rule->name);
    }
}

static int
is_allowed_family (int family)
{
  for (size_t i = 0; i < N_ITEMS (seccomp_families); i++)
    {
      if (seccomp_families[i] == family)
        return 1;
    }
  return 0;
}

/* Conditions on one argument of one rule are combined with "and" and cannot be repeated, so the
 * families between the allowed ones are listed. A value whose upper half is not zero is greater
 * than all of them and denied as well. */
static void
add_families (scmp_filter_ctx filter, int call)
{
  const uint32_t answer = SCMP_ACT_ERRNO (EAFNOSUPPORT);
  const int highest = seccomp_families[N_ITEMS (seccomp_families) - 1];

  for (int family = 0; family < highest; family++)
    {
      if (!is_allowed_family (family))
        check (seccomp_rule_add (filter, answer, call, 1, SCMP_A0 (SCMP_CMP_EQ, (uint64_t) family)),
               "family");
    }
  check (seccomp_rule_add (filter, answer, call, 1, SCMP_A0 (SCMP_CMP_GT, (uint64_t) highest)),
         "families above");
}

static void
add_arguments (scmp_filter_ctx filter)
{
  const uint32_t denied = SCMP_ACT_ERRNO (EPERM);

  add_families (filter, SCMP_SYS (socket));
  add_families (filter, SCMP_SYS (socketpair));
  for (size_t i = 0; i < N_ITEMS (seccomp_denied_protocols); i++)
    check (seccomp_rule_add (filter,
                             SCMP_ACT_ERRNO (EPROTONOSUPPORT),
                             SCMP_SYS (socket),
                             1,
                             SCMP_A2 (SCMP_CMP_MASKED_EQ, LOW_HALF, seccomp_denied_protocols[i])),
           "protocol");
  for (size_t i = 0; i < N_ITEMS (seccomp_denied_ioctls); i++)
    check (seccomp_rule_add (filter,
                             denied,
                             SCMP_SYS (ioctl),
                             1,
                             SCMP_A1 (SCMP_CMP_MASKED_EQ, LOW_HALF, seccomp_denied_ioctls[i])),
           "ioctl");
  for (size_t i = 0; i < N_ITEMS (seccomp_denied_clone_flags); i++)
    check (seccomp_rule_add (filter,
                             denied,
                             SCMP_SYS (clone),
                             1,
                             SCMP_A0 (SCMP_CMP_MASKED_EQ,
                                      seccomp_denied_clone_flags[i],
                                      seccomp_denied_clone_flags[i])),
           "clone");
  /* Asking for the personality means all bits set and is allowed: the topmost one tells. */
  for (size_t i = 0; i < N_ITEMS (seccomp_denied_personality); i++)
    check (seccomp_rule_add (filter,
                             denied,
                             SCMP_SYS (personality),
                             1,
                             SCMP_A0 (SCMP_CMP_MASKED_EQ,
                                      0x80000000u | seccomp_denied_personality[i],
                                      seccomp_denied_personality[i])),
           "personality");
  check (seccomp_rule_add (filter,
                           denied,
                           SCMP_SYS (seccomp),
                           2,
                           SCMP_A0 (SCMP_CMP_EQ, SECCOMP_SET_MODE_FILTER),
                           SCMP_A1 (SCMP_CMP_MASKED_EQ,
                                    SECCOMP_FILTER_FLAG_NEW_LISTENER,
                                    SECCOMP_FILTER_FLAG_NEW_LISTENER)),
         "seccomp listener");
}

static size_t
compile (struct sock_filter *program, size_t capacity)
{
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);
  FILE *file = tmpfile ();
  size_t count;

  if (filter == NULL || file == NULL)
    check (-ENOMEM, "start");
  check (seccomp_attr_set (filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "bad arch");
  check (seccomp_attr_set (filter, SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimize");
  add_calls (filter);
  add_arguments (filter);
  check (seccomp_export_bpf (filter, fileno (file)), "export");
  seccomp_release (filter);
  rewind (file);
  count = fread (program, sizeof *program, capacity, file);
  fclose (file);
  return count;
}

int
main (int argc, char **argv)
{
  /* Calls above the last known one, but not those of x32, which libseccomp's own test for the
   * architecture kills. */
  struct sock_filter program[BPF_MAXINSNS] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 2, 0),
    BPF_JUMP (BPF_JMP | BPF_JGT | BPF_K, SECCOMP_LAST_KNOWN_CALL, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
  };
  size_t count = PROLOGUE + compile (program + PROLOGUE, BPF_MAXINSNS - PROLOGUE);
  FILE *output = argc == 2 ? fopen (argv[1], "w") : NULL;

  if (output == NULL)
    {
      fprintf (stderr, "usage: seccomp-compiler OUTPUT\n");
      return 1;
    }
  fprintf (output, "/* Made by seccomp-compiler from seccomp-rules.h. */\n");
  for (size_t i = 0; i < count; i++)
    fprintf (output,
             "{ 0x%x, %u, %u, 0x%xu },\n",
             (unsigned int) program[i].code,
             (unsigned int) program[i].jt,
             (unsigned int) program[i].jf,
             (unsigned int) program[i].k);
  return fclose (output) == 0 ? 0 : 1;
}
