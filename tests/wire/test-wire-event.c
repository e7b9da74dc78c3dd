/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "payload.h"
#include "wire-event.h"

#define LIMIT (1u << 20)

static struct fh_buffer
new_buffer (void)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, LIMIT);
  return buffer;
}

static gboolean
try_guards (const void *payload, gsize size)
{
  struct fh_guard_report reports[FH_WIRE_N_GUARDS];
  int count = fh_guards_decode (reports, payload, size);

  g_assert_cmpint (count, <=, FH_WIRE_N_GUARDS);
  for (int i = 0; i < count; i++)
    {
      g_assert_cmpuint (reports[i].guard, <, FH_WIRE_N_GUARDS);
      g_assert_cmpuint (reports[i].level, <=, FH_WIRE_LEVEL_OFF);
      g_assert_nonnull (reports[i].layers);
      g_assert_nonnull (reports[i].reason);
    }
  if (count >= 0)
    fh_guards_clear (reports, count);
  return count >= 0;
}

static GBytes *
guards_payload (guint count)
{
  struct fh_guard_report reports[FH_WIRE_N_GUARDS + 1];
  struct fh_buffer buffer = new_buffer ();

  for (guint i = 0; i < count; i++)
    reports[i] = (struct fh_guard_report){
      .guard = (guint8) (i % FH_WIRE_N_GUARDS),
      .level = (guint8) (i % (FH_WIRE_LEVEL_OFF + 1)),
      .layers = "network namespace, loopback only",
      .reason = i % 2 ? "no-cgroup" : NULL,
    };
  fh_guards_encode (reports, count, &buffer);
  return payload_take (&buffer, FH_FRAME_GUARDS);
}

static void
test_guards (void)
{
  g_autoptr (GBytes) payload = guards_payload (FH_WIRE_N_GUARDS);
  g_autoptr (GBytes) none = guards_payload (0);
  g_autoptr (GBytes) many = guards_payload (FH_WIRE_N_GUARDS + 1);
  struct fh_guard_report reports[FH_WIRE_N_GUARDS];
  gsize size;
  gconstpointer data = g_bytes_get_data (payload, &size);

  g_assert_cmpint (fh_guards_decode (reports, data, size), ==, FH_WIRE_N_GUARDS);
  g_assert_cmpuint (reports[5].guard, ==, 5);
  g_assert_cmpuint (reports[5].level, ==, FH_WIRE_LEVEL_DEGRADED);
  g_assert_cmpstr (reports[5].layers, ==, "network namespace, loopback only");
  g_assert_cmpstr (reports[5].reason, ==, "no-cgroup");
  g_assert_cmpstr (reports[4].reason, ==, "");
  fh_guards_clear (reports, FH_WIRE_N_GUARDS);
  assert_exact (payload, try_guards);
  g_assert_true (try_guards (g_bytes_get_data (none, NULL), g_bytes_get_size (none)));
  g_assert_false (try_guards (g_bytes_get_data (many, NULL), g_bytes_get_size (many)));
  g_assert_cmpuint (try_mutations (payload, try_guards), <, 5000);
}

static void
test_guards_that_do_not_exist (void)
{
  const struct fh_guard_report bad[] = {
    { .guard = FH_WIRE_N_GUARDS, .level = 0 },
    { .guard = 255, .level = 0 },
    { .guard = 0, .level = FH_WIRE_LEVEL_OFF + 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      struct fh_buffer buffer = new_buffer ();
      g_autoptr (GBytes) payload = NULL;

      fh_guards_encode (&bad[i], 1, &buffer);
      payload = payload_take (&buffer, FH_FRAME_GUARDS);
      g_assert_false (try_guards (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
    }
}

static void
test_started (void)
{
  struct fh_buffer buffer = new_buffer ();
  g_autoptr (GBytes) payload = NULL;

  fh_frame_put (&buffer, FH_FRAME_STARTED, NULL, 0);
  payload = payload_take (&buffer, FH_FRAME_STARTED);
  g_assert_cmpuint (g_bytes_get_size (payload), ==, 0);
}

static gboolean
try_output (const void *payload, gsize size)
{
  struct fh_output output;

  if (!fh_output_decode (&output, payload, size))
    return FALSE;
  g_assert_cmpuint (output.size, <=, FH_OUTPUT_MAX);
  g_assert_true ((const guint8 *) payload + size == output.data + output.size);
  return TRUE;
}

static GBytes *
output_payload (guint8 stream, gsize size)
{
  g_autofree guint8 *data = g_malloc0 (size + 1);
  const struct fh_output output = {
    .stream = stream,
    .time_us = G_MAXUINT64 - 1,
    .data = data,
    .size = size,
  };
  struct fh_buffer buffer = new_buffer ();

  memset (data, 'x', size);
  fh_output_encode (&output, &buffer);
  return payload_take (&buffer, FH_FRAME_OUTPUT);
}

static void
test_output (void)
{
  g_autoptr (GBytes) payload = output_payload (FH_WIRE_STDERR, 5);
  g_autoptr (GBytes) empty = output_payload (FH_WIRE_STDOUT, 0);
  struct fh_output output;
  gsize size;
  gconstpointer data = g_bytes_get_data (payload, &size);

  g_assert_true (fh_output_decode (&output, data, size));
  g_assert_cmpuint (output.stream, ==, FH_WIRE_STDERR);
  g_assert_cmpuint (output.time_us, ==, G_MAXUINT64 - 1);
  g_assert_cmpmem (output.data, output.size, "xxxxx", 5);
  data = g_bytes_get_data (empty, &size);
  g_assert_true (fh_output_decode (&output, data, size));
  g_assert_cmpuint (output.size, ==, 0);
  for (gsize i = 0; i < size; i++)
    g_assert_false (fh_output_decode (&output, data, i));
  try_mutations (payload, try_output);
}

static void
test_output_that_is_none (void)
{
  static const guint8 streams[] = { 0, 3, 255 };
  g_autoptr (GBytes) largest = output_payload (FH_WIRE_STDOUT, FH_OUTPUT_MAX);
  g_autoptr (GBytes) too_large = output_payload (FH_WIRE_STDOUT, FH_OUTPUT_MAX + 1);

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      g_autoptr (GBytes) payload = output_payload (streams[i], 5);

      g_assert_false (try_output (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
    }
  g_assert_true (try_output (g_bytes_get_data (largest, NULL), g_bytes_get_size (largest)));
  g_assert_false (try_output (g_bytes_get_data (too_large, NULL), g_bytes_get_size (too_large)));
}

static gboolean
try_usage (const void *payload, gsize size)
{
  struct fh_usage usage;

  return fh_usage_decode (&usage, payload, size);
}

static void
test_usage (void)
{
  const struct fh_usage usage = {
    .wall_us = 1,
    .cpu_us = G_MAXUINT64,
    .memory_bytes = (guint64) 5 << 40,
    .processes = G_MAXUINT32,
  };
  struct fh_buffer buffer = new_buffer ();
  g_autoptr (GBytes) payload = NULL;
  struct fh_usage copy;

  fh_usage_encode (&usage, &buffer);
  payload = payload_take (&buffer, FH_FRAME_USAGE);
  g_assert_true (
      fh_usage_decode (&copy, g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
  g_assert_cmpuint (copy.wall_us, ==, usage.wall_us);
  g_assert_cmpuint (copy.cpu_us, ==, usage.cpu_us);
  g_assert_cmpuint (copy.memory_bytes, ==, usage.memory_bytes);
  g_assert_cmpuint (copy.processes, ==, usage.processes);
  assert_exact (payload, try_usage);
  try_mutations (payload, try_usage);
}

static gboolean
try_waiting (const void *payload, gsize size)
{
  bool is_waiting;

  return fh_waiting_decode (&is_waiting, payload, size);
}

static void
test_waiting (void)
{
  for (int i = 0; i < 2; i++)
    {
      struct fh_buffer buffer = new_buffer ();
      g_autoptr (GBytes) payload = NULL;
      bool copy;

      fh_waiting_encode (i == 1, &buffer);
      payload = payload_take (&buffer, FH_FRAME_WAITING);
      g_assert_true (
          fh_waiting_decode (&copy, g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
      g_assert_cmpint (copy, ==, i == 1);
      assert_exact (payload, try_waiting);
    }
  g_assert_false (try_waiting ("\2", 1));
}

static void
test_guest (void)
{
  struct fh_buffer buffer = new_buffer ();
  g_autoptr (GBytes) payload = NULL;

  fh_frame_put (&buffer, FH_FRAME_GUEST, "a\0\xff", 3);
  payload = payload_take (&buffer, FH_FRAME_GUEST);
  g_assert_cmpmem (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload), "a\0\xff", 3);
}

static gboolean
try_finished (const void *payload, gsize size)
{
  struct fh_finished finished;

  if (!fh_finished_decode (&finished, payload, size))
    {
      g_assert_null (finished.step);
      return FALSE;
    }
  g_assert_cmpuint (finished.status, <=, FH_WIRE_INTERNAL);
  g_assert_cmpuint (finished.cause, <=, FH_WIRE_CAUSE_PROCESSES);
  g_assert_nonnull (finished.step);
  free ((char *) finished.step);
  return TRUE;
}

static GBytes *
finished_payload (guint8 status, guint8 cause)
{
  const struct fh_finished finished = {
    .status = status,
    .cause = cause,
    .exit_code = -1,
    .signal = 9,
    .wall_us = 1,
    .cpu_user_us = 2,
    .cpu_system_us = 3,
    .memory_peak = (guint64) 1 << 40,
    .processes_peak = 5,
    .n_left = 2,
    .n_quiet = 3,
    .stays = true,
    .stdout_bytes = (guint64) 1 << 50,
    .stderr_bytes = 7,
    .error = 13,
    .step = "user-namespace",
  };
  struct fh_buffer buffer = new_buffer ();

  fh_finished_encode (&finished, &buffer);
  return payload_take (&buffer, FH_FRAME_FINISHED);
}

static void
test_finished (void)
{
  g_autoptr (GBytes) payload = finished_payload (FH_WIRE_SETUP_FAILED, FH_WIRE_CAUSE_LIKELY);
  struct fh_finished copy;

  g_assert_true (
      fh_finished_decode (&copy, g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
  g_assert_cmpuint (copy.status, ==, FH_WIRE_SETUP_FAILED);
  g_assert_cmpuint (copy.cause, ==, FH_WIRE_CAUSE_LIKELY);
  g_assert_cmpint (copy.exit_code, ==, -1);
  g_assert_cmpint (copy.signal, ==, 9);
  g_assert_cmpuint (copy.wall_us, ==, 1);
  g_assert_cmpuint (copy.cpu_user_us, ==, 2);
  g_assert_cmpuint (copy.cpu_system_us, ==, 3);
  g_assert_cmpuint (copy.memory_peak, ==, (guint64) 1 << 40);
  g_assert_cmpuint (copy.processes_peak, ==, 5);
  g_assert_cmpuint (copy.n_left, ==, 2);
  g_assert_cmpuint (copy.n_quiet, ==, 3);
  g_assert_true (copy.stays);
  g_assert_cmpuint (copy.stdout_bytes, ==, (guint64) 1 << 50);
  g_assert_cmpuint (copy.stderr_bytes, ==, 7);
  g_assert_cmpint (copy.error, ==, 13);
  g_assert_cmpstr (copy.step, ==, "user-namespace");
  free ((char *) copy.step);
  assert_exact (payload, try_finished);
  g_assert_cmpuint (try_mutations (payload, try_finished), <, 5000);
}

static void
test_ends_that_do_not_exist (void)
{
  static const guint8 bad[][2] = {
    { FH_WIRE_INTERNAL + 1, FH_WIRE_CAUSE_NONE },
    { 255, FH_WIRE_CAUSE_NONE },
    { FH_WIRE_EXITED, FH_WIRE_CAUSE_PROCESSES + 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GBytes) payload = finished_payload (bad[i][0], bad[i][1]);

      g_assert_false (try_finished (g_bytes_get_data (payload, NULL), g_bytes_get_size (payload)));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-event/guards", test_guards);
  g_test_add_func ("/wire-event/guards-that-do-not-exist", test_guards_that_do_not_exist);
  g_test_add_func ("/wire-event/started", test_started);
  g_test_add_func ("/wire-event/output", test_output);
  g_test_add_func ("/wire-event/output-that-is-none", test_output_that_is_none);
  g_test_add_func ("/wire-event/usage", test_usage);
  g_test_add_func ("/wire-event/waiting", test_waiting);
  g_test_add_func ("/wire-event/guest", test_guest);
  g_test_add_func ("/wire-event/finished", test_finished);
  g_test_add_func ("/wire-event/ends-that-do-not-exist", test_ends_that_do_not_exist);
  return g_test_run ();
}
