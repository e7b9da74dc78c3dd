/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-decision.h"

#include "seccomp-numbers.inc"

#define N_ITEMS(list) (sizeof list / sizeof list[0])
_Static_assert(N_ITEMS (seccomp_rules) == N_ITEMS (seccomp_rule_numbers), "one number each");
_Static_assert(N_ITEMS (seccomp_argument_rules) == N_ITEMS (seccomp_argument_rule_numbers), "");
_Static_assert(N_ITEMS (seccomp_watched) == N_ITEMS (seccomp_watched_numbers), "");

static bool
holds (const struct seccomp_test *test, const struct seccomp_data *data)
{
  const uint32_t value = (uint32_t) data->args[test->argument];
  bool is_one = false;

  if (test->match == SECCOMP_ANY_BIT_OF)
    return value & test->values[0];
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
seccomp_decide (const struct seccomp_data *data, bool without_sockets)
{
  const struct seccomp_decision unexplained = { true, EPERM, NULL, NULL };

  /* Numbers below 0 stand for calls that this architecture does not have. */
  if (data->nr < 0)
    return unexplained;
  for (size_t i = 0; i < N_ITEMS (seccomp_argument_rules); i++)
    {
      const struct seccomp_argument_rule *rule = &seccomp_argument_rules[i];

      if (data->nr == seccomp_argument_rule_numbers[i] && applies (rule, data) &&
          (without_sockets || !rule->without_sockets))
        return (struct seccomp_decision){ true, rule->answer, rule->name, NULL };
    }
  for (size_t i = 0; i < N_ITEMS (seccomp_rules); i++)
    {
      if (data->nr == seccomp_rule_numbers[i])
        return (
            struct seccomp_decision){ true, seccomp_rules[i].answer, seccomp_rules[i].name, NULL };
    }
  for (size_t i = 0; i < N_ITEMS (seccomp_watched); i++)
    {
      const struct seccomp_watched *call = &seccomp_watched[i];

      if (data->nr == seccomp_watched_numbers[i] && is_looked_at (call, data))
        return (struct seccomp_decision){ false, 0, call->name, call };
    }
  return unexplained;
}
