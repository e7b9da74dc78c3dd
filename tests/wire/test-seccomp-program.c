/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters that are built at run time, tried on a call that no kernel has: allowed, it is ENOSYS. */
#include "seccomp-program.h"

#include <errno.h>
#include <glib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL 1000

/* The errno of a call under a filter, in a process of its own. */
static int
answer (const struct seccomp_refusal *refusals, size_t n, uint64_t a, uint64_t b)
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || seccomp_refuse (refusals, n) != 0)
        _exit (0);
      errno = 0;
      syscall (CALL, a, b);
      _exit (errno);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static gboolean
is_refused (struct seccomp_test one, struct seccomp_test two, uint64_t a, uint64_t b)
{
  const struct seccomp_refusal refusals[] = {
    { CALL - 1, EMFILE },
    { CALL, EPERM, { one, two } },
    { CALL + 1, EMFILE },
  };
  const int error = answer (refusals, G_N_ELEMENTS (refusals), a, b);

  g_assert_true (error == EPERM || error == ENOSYS);
  return error == EPERM;
}

static void
test_matches (void)
{
  static const struct
  {
    struct seccomp_test test;
    uint64_t value;
    gboolean is_refused;
  } cases[] = {
    { { 0 }, 7, TRUE },
    { ONE_OF (0, 1, 2, 3), 1, TRUE },
    { ONE_OF (0, 1, 2, 3), 3, TRUE },
    { ONE_OF (0, 1, 2, 3), 4, FALSE },
    { ONE_OF (0, 1), UINT64_C (1) << 32 | 1, TRUE },
    { NONE_OF (0, 1, 2), 2, FALSE },
    { NONE_OF (0, 1, 2), 3, TRUE },
    { ANY_BIT_OF (0, 6), 4, TRUE },
    { ANY_BIT_OF (0, 6), 9, FALSE },
    { NO_BIT_OF (0, 6), 4, FALSE },
    { NO_BIT_OF (0, 6), 9, TRUE },
    { WITHIN (0, 5, 7), 4, FALSE },
    { WITHIN (0, 5, 7), 5, TRUE },
    { WITHIN (0, 5, 7), 7, TRUE },
    { WITHIN (0, 5, 7), 8, FALSE },
    { NOT_NULL (0), 0, FALSE },
    { NOT_NULL (0), 1, TRUE },
    { NOT_NULL (0), UINT64_C (1) << 32, TRUE },
    { ONE_OF_MASKED (0, 0xff00, 0x4200, 0x4300), 0x14355, TRUE },
    { ONE_OF_MASKED (0, 0xff00, 0x4200, 0x4300), 0x14455, FALSE },
    { NONE_OF_MASKED (0, 0xff00, 0x4200, 0x4300), 0x14355, FALSE },
    { NONE_OF_MASKED (0, 0xff00, 0x4200, 0x4300), 0x14455, TRUE },
  };
  const struct seccomp_test none = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (is_refused (cases[i].test, none, cases[i].value, 0), ==, cases[i].is_refused);
}

/* All tests of a rule have to hold; a rule that does not apply leaves the next ones alone. */
static void
test_several (void)
{
  const struct seccomp_test one = ONE_OF (0, 1, 2);
  const struct seccomp_test two = NONE_OF (1, 5);
  const struct seccomp_refusal refusals[] = {
    { CALL, EPERM, { one } },
    { CALL, EMFILE, { two } },
  };

  g_assert_true (is_refused (one, two, 2, 6));
  g_assert_false (is_refused (one, two, 2, 5));
  g_assert_false (is_refused (one, two, 3, 6));
  g_assert_cmpint (answer (refusals, 2, 1, 6), ==, EPERM);
  g_assert_cmpint (answer (refusals, 2, 3, 6), ==, EMFILE);
  g_assert_cmpint (answer (refusals, 2, 3, 5), ==, ENOSYS);
}

static void
test_too_long (void)
{
  static struct seccomp_refusal refusals[BPF_MAXINSNS];

  g_assert_cmpint (seccomp_refuse (refusals, G_N_ELEMENTS (refusals)), ==, -E2BIG);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/seccomp-program/matches", test_matches);
  g_test_add_func ("/seccomp-program/several", test_several);
  g_test_add_func ("/seccomp-program/too-long", test_too_long);
  return g_test_run ();
}
