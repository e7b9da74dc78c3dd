/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-decision.h"

#include <glib.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

static struct seccomp_decision
decide (int number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
  const struct seccomp_data data = { .nr = number, .args = { a, b, c, d, e } };

  return seccomp_decide (&data, false);
}

static struct seccomp_decision
decide_on_socket (uint64_t family, bool without_sockets)
{
  const struct seccomp_data data = { .nr = SYS_socket, .args = { family, 1, 0 } };

  return seccomp_decide (&data, without_sockets);
}

static void
assert_refused (struct seccomp_decision decision, int answer, const char *name)
{
  g_assert_true (decision.is_refused);
  g_assert_cmpint (decision.answer, ==, answer);
  g_assert_cmpstr (decision.name, ==, name);
  g_assert_null (decision.watched);
}

static void
assert_let_through (struct seccomp_decision decision, enum seccomp_act act)
{
  g_assert_false (decision.is_refused);
  g_assert_nonnull (decision.watched);
  g_assert_cmpint (decision.watched->act, ==, act);
}

static void
test_whole_calls (void)
{
  assert_refused (decide (SYS_ptrace, 0, 0, 0, 0, 0), EPERM, "ptrace");
  assert_refused (decide (SYS_clone3, 0, 0, 0, 0, 0), ENOSYS, "clone3");
  assert_refused (decide (SYS_sync, 0, 0, 0, 0, 0), 0, "sync");
  assert_refused (decide (467, 0, 0, 0, 0, 0), ENOSYS, "open_tree_attr");
}

static void
test_arguments (void)
{
  const uint64_t upper = UINT64_C (1) << 32;

  assert_refused (decide (SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0), EPERM, "clone");
  assert_refused (decide (SYS_socket, 38, 1, 0, 0, 0), EAFNOSUPPORT, "socket");
  assert_refused (decide (SYS_socket, upper | 38, 1, 0, 0, 0), EAFNOSUPPORT, "socket");
  assert_refused (decide (SYS_socket, 16, 1, 0, 0, 0), EAFNOSUPPORT, "socket");
  assert_refused (decide (SYS_socket, AF_INET, 1, 132, 0, 0), EPROTONOSUPPORT, "socket");
  assert_refused (decide (SYS_socket, AF_INET, 3, 1, 0, 0), EPERM, "socket");
  assert_refused (decide (SYS_seccomp, 1, 8, 0, 0, 0), EPERM, "seccomp");
  assert_refused (decide (SYS_setsockopt, 0, SOL_SOCKET, SO_SNDBUF, 0, 0), 0, "setsockopt");
  assert_refused (decide (SYS_prlimit64, 1, 0, 0, 0, 0), EPERM, "prlimit64");
}

/* The kernel would not have asked: fail closed. */
static void
test_what_no_rule_explains (void)
{
  assert_refused (decide (SYS_read, 0, 0, 0, 0, 0), EPERM, NULL);
  assert_refused (decide (SYS_socket, AF_INET, 1, 6, 0, 0), EPERM, NULL);
  assert_refused (decide (SYS_clone, SIGCHLD, 0, 0, 0, 0), EPERM, NULL);
  assert_refused (decide (100000, 0, 0, 0, 0, 0), EPERM, NULL);
  assert_refused (decide (-1, 0, 0, 0, 0, 0), EPERM, NULL);
  /* Calls that this architecture does not have are negative in the table. */
  for (int number = -20000; number < 0; number++)
    assert_refused (decide (number, 0, 0, 0, 0, 0), EPERM, NULL);
  assert_refused (decide (SYS_sendto, 0, 0, 0, 0, 0), EPERM, NULL);
  assert_refused (decide (SYS_sendmsg, SETUP_STATUS_FD, 0, 0, 0, 0), EPERM, NULL);
}

static void
test_watched (void)
{
  assert_let_through (decide (SYS_openat, 0, 0, 0, 0, 0), SECCOMP_ACT_OPEN);
  assert_let_through (decide (SYS_execve, 0, 0, 0, 0, 0), SECCOMP_ACT_EXECUTE);
  assert_let_through (decide (SYS_connect, 0, 0, 0, 0, 0), SECCOMP_ACT_CONNECT);
  assert_let_through (decide (SYS_sendto, 0, 0, 0, 0, UINT64_C (1) << 40), SECCOMP_ACT_SEND);
  assert_let_through (decide (SYS_sendmsg, 3, 0, 0, 0, 0), SECCOMP_ACT_SEND_MESSAGE);
  assert_let_through (decide (SYS_kill, 2, 9, 0, 0, 0), SECCOMP_ACT_SIGNAL);
}

/* Whatever the arguments are: no call is both refused and let through. */
static void
test_no_call_is_in_both_lists (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (seccomp_watched); i++)
    {
      for (size_t j = 0; j < G_N_ELEMENTS (seccomp_rules); j++)
        g_assert_cmpstr (seccomp_watched[i].name, !=, seccomp_rules[j].name);
      for (size_t j = 0; j < G_N_ELEMENTS (seccomp_argument_rules); j++)
        g_assert_cmpstr (seccomp_watched[i].name, !=, seccomp_argument_rules[j].name);
    }
}

static void
test_without_sockets (void)
{
  for (uint64_t family = 1; family < 50; family++)
    assert_refused (decide_on_socket (family, true), EAFNOSUPPORT, "socket");
  /* Where there are sockets nobody asks about this one; what no rule explains is refused. */
  assert_refused (decide_on_socket (2, false), EPERM, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/seccomp-decision/whole-calls", test_whole_calls);
  g_test_add_func ("/seccomp-decision/arguments", test_arguments);
  g_test_add_func ("/seccomp-decision/what-no-rule-explains", test_what_no_rule_explains);
  g_test_add_func ("/seccomp-decision/watched", test_watched);
  g_test_add_func ("/seccomp-decision/no-call-is-in-both-lists", test_no_call_is_in_both_lists);
  g_test_add_func ("/seccomp-decision/without-sockets", test_without_sockets);
  return g_test_run ();
}
