/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-decision.h"

#include "seccomp-numbers.inc"

#include <sys/syscall.h>

#define N_ITEMS(list) (sizeof list / sizeof list[0])
_Static_assert(N_ITEMS (seccomp_rules) == N_ITEMS (seccomp_rule_numbers), "one number each");
_Static_assert(N_ITEMS (seccomp_argument_rules) == N_ITEMS (seccomp_argument_rule_numbers), "");
_Static_assert(N_ITEMS (seccomp_watched) == N_ITEMS (seccomp_watched_numbers), "");

static bool
holds (const struct seccomp_test *test, const struct seccomp_data *data)
{
  const uint32_t mask = test->mask == 0 ? UINT32_MAX : test->mask;
  const uint32_t value = (uint32_t) data->args[test->argument] & mask;
  bool is_one = false;

  if (test->match == SECCOMP_ANY_BIT_OF)
    return value & test->values[0];
  if (test->match == SECCOMP_NO_BIT_OF)
    return !(value & test->values[0]);
  if (test->match == SECCOMP_WITHIN)
    return value >= test->values[0] && value <= test->values[1];
  if (test->match == SECCOMP_NOT_NULL)
    return data->args[test->argument] != 0;
  for (size_t i = 0; i < test->n_values; i++)
    is_one = is_one || value == test->values[i];
  return is_one == (test->match == SECCOMP_ONE_OF);
}

static bool
applies (const struct seccomp_argument_rule *rule, const struct seccomp_data *data)
{
  for (size_t i = 0; i < N_ITEMS (rule->tests) && rule->tests[i].match != 0; i++)
    {
      if (!holds (&rule->tests[i], data))
        return false;
    }
  return true;
}

static bool
is_looked_at (const struct seccomp_watched *call, const struct seccomp_data *data)
{
  return !call->has_exception || data->args[call->argument] != call->value;
}

struct seccomp_decision
seccomp_decide (const struct seccomp_data *data, enum seccomp_sandbox sandbox, bool has_sockets)
{
  const struct seccomp_decision unexplained = { true, EPERM, NULL, NULL };
  /* The filter of a run in the network of its interpreter asks about all of these. */
  const bool makes_socket =
      sandbox == SECCOMP_OWN && (data->nr == SYS_socket || data->nr == SYS_socketpair);
  int answer = 0;

  /* Negative numbers are calls that this architecture does not have. */
  if (data->nr < 0)
    return unexplained;
  if (data->nr == SYS_socket && !has_sockets)
    return (struct seccomp_decision){ true,
                                      EAFNOSUPPORT,
                                      (int) data->args[0] == AF_NETLINK ? NULL : "socket",
                                      NULL };
  for (size_t i = 0; i < N_ITEMS (seccomp_argument_rules); i++)
    {
      const struct seccomp_argument_rule *rule = &seccomp_argument_rules[i];
      const bool is_quiet = makes_socket && rule->reporting == QUIETLY;

      if (data->nr != seccomp_argument_rule_numbers[i] || !applies (rule, data) ||
          !SECCOMP_HOLDS_IN (rule, sandbox))
        continue;
      if (rule->reporting == BY_NAME)
        answer = rule->answer;
      else
        return (struct seccomp_decision){ true, rule->answer, is_quiet ? NULL : rule->name, NULL };
    }
  for (size_t i = 0; i < N_ITEMS (seccomp_rules); i++)
    {
      if (data->nr == seccomp_rule_numbers[i] && SECCOMP_HOLDS_IN (&seccomp_rules[i], sandbox))
        return (
            struct seccomp_decision){ true, seccomp_rules[i].answer, seccomp_rules[i].name, NULL };
    }
  for (size_t i = 0; i < N_ITEMS (seccomp_watched); i++)
    {
      const struct seccomp_watched *call = &seccomp_watched[i];

      if (data->nr == seccomp_watched_numbers[i] && is_looked_at (call, data) &&
          SECCOMP_IS_WATCHED_IN (call, sandbox))
        {
          if (call->answer != 0)
            answer = call->answer;
          return (struct seccomp_decision){ answer != 0, answer, call->name, call };
        }
    }
  if (makes_socket)
    return (struct seccomp_decision){ false, 0, NULL, NULL };
  return unexplained;
}
