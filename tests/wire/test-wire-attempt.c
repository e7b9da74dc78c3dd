/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "payload.h"
#include "wire-attempt.h"

static const struct fh_attempt example = {
  .id = FH_ATTEMPTS_MAX - 1,
  .count = G_MAXUINT32,
  .guard = FH_WIRE_GUARD_NETWORK,
  .verdict = FH_WIRE_OBSERVED,
  .flags = FH_ATTEMPT_EXISTS_OUTSIDE,
  .error = -13,
  .time_us = (guint64) 1 << 40,
  .process = 7,
  .layer = "seccomp",
  .operation = "connect",
  .object = "\x01\xff %s\n",
  .command = "python3",
};

static gboolean
try_attempt (const void *payload, gsize size)
{
  struct fh_attempt attempt;

  if (!fh_attempt_decode (&attempt, payload, size))
    {
      g_assert_null (attempt.layer);
      g_assert_null (attempt.operation);
      g_assert_null (attempt.object);
      g_assert_null (attempt.command);
      return FALSE;
    }
  g_assert_cmpuint (attempt.id, <, FH_ATTEMPTS_MAX);
  g_assert_cmpuint (attempt.count, >, 0);
  g_assert_cmpuint (attempt.guard, <, FH_WIRE_N_GUARDS);
  g_assert_cmpuint (attempt.verdict, <=, FH_WIRE_OBSERVED);
  g_assert_cmpuint (attempt.flags & ~(guint32) FH_ATTEMPT_ALL_FLAGS, ==, 0);
  g_assert_cmpuint (strlen (attempt.layer), <=, FH_ATTEMPT_OPERATION_MAX);
  g_assert_cmpuint (strlen (attempt.operation), <=, FH_ATTEMPT_OPERATION_MAX);
  g_assert_cmpuint (strlen (attempt.object), <=, FH_ATTEMPT_OBJECT_MAX);
  g_assert_cmpuint (strlen (attempt.command), <=, FH_ATTEMPT_COMMAND_MAX);
  fh_attempt_clear (&attempt);
  return TRUE;
}

static GBytes *
payload_of (const struct fh_attempt *attempt)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 1u << 16);
  fh_attempt_encode (attempt, &buffer);
  return payload_take (&buffer, FH_FRAME_ATTEMPT);
}

static gboolean
is_taken (const struct fh_attempt *attempt)
{
  g_autoptr (GBytes) payload = payload_of (attempt);

  return try_attempt (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
}

static void
test_round_trip (void)
{
  g_autoptr (GBytes) payload = payload_of (&example);
  struct fh_attempt copy;

  g_assert_true (
      fh_attempt_decode (&copy, g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
  g_assert_cmpuint (copy.id, ==, example.id);
  g_assert_cmpuint (copy.count, ==, example.count);
  g_assert_cmpuint (copy.guard, ==, example.guard);
  g_assert_cmpuint (copy.verdict, ==, example.verdict);
  g_assert_cmpuint (copy.flags, ==, example.flags);
  g_assert_cmpint (copy.error, ==, example.error);
  g_assert_cmpuint (copy.time_us, ==, example.time_us);
  g_assert_cmpuint (copy.process, ==, example.process);
  g_assert_cmpstr (copy.layer, ==, example.layer);
  g_assert_cmpstr (copy.operation, ==, example.operation);
  g_assert_cmpstr (copy.object, ==, example.object);
  g_assert_cmpstr (copy.command, ==, example.command);
  fh_attempt_clear (&copy);
  g_assert_null (copy.object);
  assert_exact (payload, try_attempt);
  g_assert_cmpuint (try_mutations (payload, try_attempt), <, 5000);
}

static void
test_nothing_to_say (void)
{
  const struct fh_attempt empty = { .count = 1 };

  g_assert_true (is_taken (&empty));
}

static void
test_attempts_that_do_not_exist (void)
{
  struct fh_attempt bad[5];

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    bad[i] = example;
  g_assert_true (is_taken (&bad[0]));
  bad[0].id = FH_ATTEMPTS_MAX;
  bad[1].count = 0;
  bad[2].guard = FH_WIRE_N_GUARDS;
  bad[3].verdict = FH_WIRE_OBSERVED + 1;
  bad[4].flags = FH_ATTEMPT_ALL_FLAGS + 1;
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (is_taken (&bad[i]));
}

static void
test_lengths (void)
{
  static const gsize longest[] = {
    FH_ATTEMPT_OPERATION_MAX,
    FH_ATTEMPT_OPERATION_MAX,
    FH_ATTEMPT_OBJECT_MAX,
    FH_ATTEMPT_COMMAND_MAX,
  };

  for (guint i = 0; i < G_N_ELEMENTS (longest); i++)
    for (gsize more = 0; more <= 1; more++)
      {
        g_autofree char *text = g_strnfill (longest[i] + more, 'x');
        struct fh_attempt attempt = example;
        const char **strings[] = {
          &attempt.layer,
          &attempt.operation,
          &attempt.object,
          &attempt.command,
        };

        *strings[i] = text;
        g_assert_cmpint (is_taken (&attempt), ==, more == 0);
      }
}

/* Two readers could take it for two different ones. */
static void
test_string_with_a_nul (void)
{
  g_autoptr (GBytes) payload = payload_of (&example);
  gsize size;
  g_autofree guint8 *copy =
      g_memdup2 (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
  guint8 *place;

  size = g_bytes_get_size (payload);
  place = memmem (copy, size, "connect", 7);
  g_assert_nonnull (place);
  place[3] = 0;
  g_assert_false (try_attempt (copy, size));
}

static gboolean
try_dropped (const void *payload, gsize size)
{
  guint64 count;

  return fh_attempts_dropped_decode (&count, payload, size);
}

static void
test_dropped (void)
{
  struct fh_buffer buffer;
  g_autoptr (GBytes) payload = NULL;
  guint64 count;

  fh_buffer_init (&buffer, 64);
  fh_attempts_dropped_encode (G_MAXUINT64, &buffer);
  payload = payload_take (&buffer, FH_FRAME_ATTEMPTS_DROPPED);
  g_assert_true (fh_attempts_dropped_decode (&count,
                                             g_bytes_get_data (payload, NULL),
                                             g_bytes_get_size (payload)));
  g_assert_cmpuint (count, ==, G_MAXUINT64);
  assert_exact (payload, try_dropped);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-attempt/round-trip", test_round_trip);
  g_test_add_func ("/wire-attempt/nothing-to-say", test_nothing_to_say);
  g_test_add_func ("/wire-attempt/attempts-that-do-not-exist", test_attempts_that_do_not_exist);
  g_test_add_func ("/wire-attempt/lengths", test_lengths);
  g_test_add_func ("/wire-attempt/string-with-a-nul", test_string_with_a_nul);
  g_test_add_func ("/wire-attempt/dropped", test_dropped);
  return g_test_run ();
}
