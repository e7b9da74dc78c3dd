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

  return seccomp_decide (&data, SECCOMP_OWN, true);
}

static struct seccomp_decision
decide_in (enum seccomp_sandbox sandbox, int number, uint64_t a)
{
  const struct seccomp_data data = { .nr = number, .args = { a } };

  return seccomp_decide (&data, sandbox, true);
}

static struct seccomp_decision
decide_on_socket (uint64_t family, enum seccomp_sandbox sandbox)
{
  const struct seccomp_data data = { .nr = SYS_socket, .args = { family, 1, 0 } };

  return seccomp_decide (&data, sandbox, true);
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
  assert_refused (decide (SYS_socket, 16, 1, 0, 0, 0), EAFNOSUPPORT, NULL);
  assert_refused (decide (SYS_socket, AF_INET, 1, 262, 0, 0), EPROTONOSUPPORT, NULL);
  assert_refused (decide (SYS_socketpair, AF_INET, 1, 0, 0, 0), EAFNOSUPPORT, "socketpair");
  assert_refused (decide (SYS_socket, AF_INET, 1, 132, 0, 0), EPROTONOSUPPORT, "socket");
  assert_refused (decide (SYS_socket, AF_INET, 3, 1, 0, 0), EPERM, "socket");
  assert_refused (decide (SYS_seccomp, 1, 8, 0, 0, 0), EPERM, "seccomp");
  assert_refused (decide (SYS_setsockopt, 0, SOL_SOCKET, SO_SNDBUF, 0, 0), 0, "setsockopt");
  assert_refused (decide (SYS_prlimit64, 1, 0, 0, 0, 0), EPERM, "prlimit64");
  assert_refused (decide (SYS_membarrier, 1, 0, 0, 0, 0), EINVAL, "membarrier");
  assert_refused (decide (SYS_prctl, upper | 78, 0, 0, 0, 0), EINVAL, "prctl");
  assert_refused (decide (SYS_setsockopt, 0, IPPROTO_IP, 64, 0, 0), ENOPROTOOPT, "setsockopt");
  assert_refused (decide (SYS_setsockopt, 0, IPPROTO_IP, 255, 0, 0), ENOPROTOOPT, "setsockopt");
  assert_refused (decide (SYS_setsockopt, 0, 279, 1, 0, 0), ENOPROTOOPT, "setsockopt");
}

/* In a network that is lent they are asked about. */
static void
test_sockets (void)
{
  static const struct seccomp_data calls[] = {
    { .nr = SYS_socket, .args = { AF_INET, SOCK_STREAM, 0 } },
    { .nr = SYS_socket, .args = { AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP } },
    { .nr = SYS_socket, .args = { AF_UNIX, SOCK_STREAM, 0 } },
    { .nr = SYS_socketpair, .args = { AF_UNIX, SOCK_STREAM, 0 } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      const struct seccomp_decision decision = seccomp_decide (&calls[i], SECCOMP_OWN, true);

      g_assert_false (decision.is_refused);
      g_assert_null (decision.watched);
    }
  for (size_t i = 0; i < 3; i++)
    assert_refused (seccomp_decide (&calls[i], SECCOMP_OWN, false), EAFNOSUPPORT, "socket");
}

/* What none of the rules above says is not asked about, and so refused without a name. */
static void
test_neighbours_of_values (void)
{
  static const uint64_t options[] = { 37 - 1, 42, 45, 63 };

  for (size_t i = 0; i < G_N_ELEMENTS (options); i++)
    assert_refused (decide (SYS_setsockopt, 0, IPPROTO_IP, options[i], 0, 0), EPERM, NULL);
  for (uint64_t command = 8; command <= 256; command *= 2)
    assert_refused (decide (SYS_membarrier, command, 0, 0, 0, 0), EPERM, NULL);
}

/* A byte that overtakes the others is refused; without it the same call is looked at. */
static void
test_out_of_band (void)
{
  assert_refused (decide (SYS_sendto, 3, 0, 0, MSG_OOB | MSG_NOSIGNAL, 0), EOPNOTSUPP, "sendto");
  assert_refused (decide (SYS_sendmsg, 3, 0, MSG_OOB, 0, 0), EOPNOTSUPP, "sendmsg");
  assert_refused (decide (SYS_sendmsg, SETUP_STATUS_FD, 0, MSG_OOB, 0, 0), EOPNOTSUPP, "sendmsg");
  assert_let_through (decide (SYS_sendmsg, 3, 0, MSG_NOSIGNAL, 0, 0), SECCOMP_ACT_SEND_MESSAGE);
}

static void
test_clocks_of_others (void)
{
  static const int calls[] = { SYS_clock_gettime,
                               SYS_clock_getres,
                               SYS_clock_nanosleep,
                               SYS_timer_create };

  for (size_t i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      /* Ordinary ones, the caller's own, and those of its threads; -5 is the clock of a device. */
      for (int clock = -8; clock < 16; clock++)
        if (clock != -5)
          assert_refused (decide_in (SECCOMP_CLOSED, calls[i], (uint32_t) clock), EPERM, NULL);
      for (int pid = 1; pid < 4194304; pid = pid * 5 + 1)
        {
          const uint32_t process = ~(uint32_t) pid << 3;

          for (uint32_t kind = 0; kind < 4; kind++)
            assert_refused (decide_in (SECCOMP_SHARED, calls[i], process | kind),
                            EINVAL,
                            decide_in (SECCOMP_CLOSED, calls[i], process | kind).name);
          assert_refused (decide_in (SECCOMP_CLOSED, calls[i], process | 6), EPERM, NULL);
          assert_refused (decide_in (SECCOMP_OWN, calls[i], process | 2), EPERM, NULL);
        }
    }
}

/* Each rule holds in its own sandboxes, and is not asked about in others. */
static void
test_sandboxes (void)
{
  struct seccomp_decision decision = decide_in (SECCOMP_CLOSED, SYS_getxattr, 0);

  g_assert_true (decision.is_refused);
  g_assert_cmpint (decision.answer, ==, ENOTSUP);
  g_assert_cmpint (decision.watched->act, ==, SECCOMP_ACT_ATTRIBUTES);
  assert_refused (decide_in (SECCOMP_BORROWED, SYS_getxattr, 0), EPERM, NULL);
  assert_refused (decide_in (SECCOMP_SHARED, 464, 0), ENOSYS, "getxattrat");
  assert_refused (decide_in (SECCOMP_SHARED, 468, 0), ENOSYS, "file_getattr");
  assert_refused (decide_in (SECCOMP_OWN, 464, 0), EPERM, NULL);
  for (enum seccomp_sandbox sandbox = 0; sandbox < N_SECCOMP_SANDBOXES; sandbox++)
    assert_refused (decide_in (sandbox, SYS_inotify_init1, 0), EMFILE, "inotify_init1");
  assert_let_through (decide_in (SECCOMP_BORROWED, SYS_kill, 2), SECCOMP_ACT_SIGNAL);
  assert_let_through (decide_in (SECCOMP_SHARED, SYS_kill, 2), SECCOMP_ACT_SIGNAL);
  assert_refused (decide_in (SECCOMP_CLOSED, SYS_kill, UINT64_MAX), EPERM, NULL);
  assert_refused (decide_in (SECCOMP_PEERS, SYS_kill, 2), EPERM, NULL);
  assert_let_through (decide_in (SECCOMP_CLOSED, SYS_tgkill, 2), SECCOMP_ACT_SIGNAL);
  assert_refused (decide_in (SECCOMP_OWN, SYS_tgkill, 2), EPERM, NULL);
}

/* In the host's tree and among its processes the filter refuses what elsewhere it only looks at. */
static void
test_refused_and_looked_at (void)
{
  static const struct
  {
    int call;
    enum seccomp_act act;
    bool is_let_through; /* in a sandbox of its own */
  } calls[] = {
    { SYS_utimensat, SECCOMP_ACT_CHANGE, true },
    { SYS_fchmod, SECCOMP_ACT_CHANGE, true },
    { SYS_fchown, SECCOMP_ACT_CHANGE, true },
    { 452, SECCOMP_ACT_CHANGE, true },
    { SYS_prlimit64, SECCOMP_ACT_CONTROL, false },
    { SYS_setpriority, SECCOMP_ACT_CONTROL, false },
    { SYS_sched_setattr, SECCOMP_ACT_CONTROL, false },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      const struct seccomp_data data = { .nr = calls[i].call, .args = { 7, 1000, 1000 } };
      const struct seccomp_decision decision = seccomp_decide (&data, SECCOMP_SHARED, true);

      g_assert_true (decision.is_refused);
      g_assert_cmpint (decision.answer, ==, EPERM);
      g_assert_cmpint (decision.watched->act, ==, calls[i].act);
      if (calls[i].is_let_through)
        assert_let_through (seccomp_decide (&data, SECCOMP_OWN, true), calls[i].act);
      else
        assert_refused (seccomp_decide (&data, SECCOMP_OWN, true), EPERM, NULL);
    }
  /* Itself. */
  assert_refused (decide_in (SECCOMP_CLOSED, SYS_prlimit64, 0), EPERM, NULL);
}

/* Where only one user is known, files cannot be given to others. */
static void
test_owners (void)
{
  static const uint64_t calls[][2] = { { 1000, 1000 }, { UINT32_MAX, 1000 }, { 0, 1000 },
                                       { 65534, -1 },  { -1, 100 },          { 0, 0 } };

  for (size_t i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      const uint64_t user = calls[i][0], group = calls[i][1];
      const struct seccomp_decision decisions[] = {
        decide (SYS_chown, 7, user, group, 0, 0),
        decide (SYS_lchown, 7, user, group, 0, 0),
        decide (SYS_fchown, 7, user, group, 0, 0),
        decide (SYS_fchownat, 7, 7, user, group, 0),
      };

      for (size_t j = 0; j < G_N_ELEMENTS (decisions); j++)
        {
          g_assert_cmpint (decisions[j].watched->act, ==, SECCOMP_ACT_CHANGE);
          g_assert_cmpint (decisions[j].is_refused, ==, i >= 2);
          g_assert_cmpint (decisions[j].answer, ==, i >= 2 ? EPERM : 0);
        }
    }
}

/* The kernel would not have asked: fail closed. */
static void
test_what_no_rule_explains (void)
{
  assert_refused (decide (SYS_read, 0, 0, 0, 0, 0), EPERM, NULL);
  assert_refused (decide_on_socket (AF_INET, SECCOMP_BORROWED), EPERM, NULL);
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

/* Whatever the arguments are: no call is both refused and let through, but for the flag of sending
 * and the owners above. */
static void
test_no_call_is_in_both_lists (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (seccomp_watched); i++)
    {
      for (size_t j = 0; j < G_N_ELEMENTS (seccomp_rules); j++)
        g_assert_cmpstr (seccomp_watched[i].name, !=, seccomp_rules[j].name);
      for (size_t j = 0; j < G_N_ELEMENTS (seccomp_argument_rules); j++)
        if (seccomp_argument_rules[j].answer != EOPNOTSUPP && seccomp_watched[i].answer == 0 &&
            seccomp_argument_rules[j].reporting != BY_NAME)
          g_assert_cmpstr (seccomp_watched[i].name, !=, seccomp_argument_rules[j].name);
    }
}

static void
test_without_sockets (void)
{
  for (uint64_t family = 1; family < 50; family++)
    assert_refused (decide_on_socket (family, SECCOMP_CLOSED), EAFNOSUPPORT, "socket");
  /* With sockets allowed there is no question about this one; what no rule explains is refused. */
  assert_refused (decide_on_socket (2, SECCOMP_SHARED), EPERM, NULL);
}

/* Where the policy wants none; the C library's own attempt is not reported. */
static void
test_no_sockets_wanted (void)
{
  for (uint64_t family = 0; family < 50; family++)
    {
      const struct seccomp_data data = {
        .nr = SYS_socket,
        .args = { family | UINT64_C (1) << 32, SOCK_STREAM, 0 },
      };

      for (enum seccomp_sandbox sandbox = 0; sandbox < N_SECCOMP_SANDBOXES; sandbox++)
        assert_refused (seccomp_decide (&data, sandbox, false),
                        EAFNOSUPPORT,
                        family == AF_NETLINK ? NULL : "socket");
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/seccomp-decision/whole-calls", test_whole_calls);
  g_test_add_func ("/seccomp-decision/arguments", test_arguments);
  g_test_add_func ("/seccomp-decision/sockets", test_sockets);
  g_test_add_func ("/seccomp-decision/neighbours-of-values", test_neighbours_of_values);
  g_test_add_func ("/seccomp-decision/out-of-band", test_out_of_band);
  g_test_add_func ("/seccomp-decision/clocks-of-others", test_clocks_of_others);
  g_test_add_func ("/seccomp-decision/sandboxes", test_sandboxes);
  g_test_add_func ("/seccomp-decision/refused-and-looked-at", test_refused_and_looked_at);
  g_test_add_func ("/seccomp-decision/owners", test_owners);
  g_test_add_func ("/seccomp-decision/what-no-rule-explains", test_what_no_rule_explains);
  g_test_add_func ("/seccomp-decision/watched", test_watched);
  g_test_add_func ("/seccomp-decision/no-call-is-in-both-lists", test_no_call_is_in_both_lists);
  g_test_add_func ("/seccomp-decision/without-sockets", test_without_sockets);
  g_test_add_func ("/seccomp-decision/no-sockets-wanted", test_no_sockets_wanted);
  return g_test_run ();
}
