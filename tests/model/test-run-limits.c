/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-limits.h"

#include "run-error.h"
#include "run-options.h"

#define MIB ((guint64) 1 << 20)

/* What is tried may be anything; the report must be text. */
static void
say (const char *text)
{
  g_autofree char *start = g_strndup (text, 60);
  g_autofree char *escaped = g_strescape (start, NULL);

  g_test_message ("%s", escaped);
}

/* `value` is left as it is when the text is refused. */
static gboolean
parse (const char *key, const char *text, guint64 *value, GError **error)
{
  const FhRunOption *option = fh_run_option_find (key);
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  gboolean is_good;

  fh_run_option_set_number (option, options, *value);
  is_good = fh_run_option_parse (option, options, text, error);
  *value = fh_run_option_get_number (option, options);
  return is_good;
}

static void
assert_duration (const char *text, guint64 expected)
{
  g_autoptr (GError) error = NULL;
  guint64 ms = 42;

  g_assert_true (parse ("limits.wall_ms", text, &ms, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (ms, ==, expected);
}

static void
assert_no_duration (const char *text)
{
  g_autoptr (GError) error = NULL;
  guint64 ms = 42;

  g_assert_false (parse ("limits.wall_ms", text, &ms, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (ms, ==, 42);
}

static void
test_duration (void)
{
  assert_duration ("1.5", 1500);
  assert_duration ("1.5s", 1500);
  assert_duration ("500ms", 500);
  assert_duration ("2m", 120000);
  assert_duration ("1h", 3600000);
  assert_duration ("none", 0);
  assert_duration (" None ", 0);
  assert_duration ("0.1", 100);
  assert_duration ("100ms", 100);
  assert_duration ("2 min", 120000);
  assert_duration ("24h", 86400000);
  assert_duration ("86400", 86400000);
  assert_duration ("007", 7000);
}

static void
test_no_duration (void)
{
  static const char *const texts[] = {
    "",
    "0",
    "0.0",
    "0.09",
    "99ms",
    "-1",
    "+1",
    "abc",
    "1e3",
    "0x10",
    "inf",
    "nan",
    "1,5",
    "1.5.2",
    "1.",
    ".5",
    "5 s s",
    "5d",
    "24.1h",
    "86401",
    "s",
    "1\n2",
    "1s2",
    "none 5",
    "five",
    "\xff\xfe",
    "１",
    "0.00000001h",
    "99999999999999999999999999999999999",
    "1000000000000000000h",
    "5 potatoes",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      say (texts[i]);
      assert_no_duration (texts[i]);
    }
}

static void
test_long_text_is_quoted_shortly (void)
{
  g_autofree char *text = g_strnfill (100000, 'x');
  g_autoptr (GError) error = NULL;
  guint64 value = 0;

  g_assert_false (parse ("limits.memory_bytes", text, &value, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_cmpuint (g_utf8_strlen (error->message, -1), <, 200);
}

static void
assert_memory (const char *text, guint64 expected)
{
  g_autoptr (GError) error = NULL;
  guint64 bytes = 42;

  g_assert_true (parse ("limits.memory_bytes", text, &bytes, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (bytes, ==, expected);
}

static void
test_memory (void)
{
  assert_memory ("256", 256 * MIB);
  assert_memory ("256M", 256 * MIB);
  assert_memory ("256MiB", 256 * MIB);
  assert_memory ("256 mib", 256 * MIB);
  assert_memory ("1.5G", 1536 * MIB);
  assert_memory ("16384k", 16 * MIB);
  assert_memory ("16", 16 * MIB);
  assert_memory ("1T", (guint64) 1 << 40);
  assert_memory ("none", 0);
}

static void
test_no_memory (void)
{
  static const char *const texts[] = {
    "",
    "0",
    "15",
    "512k",
    "5 potatoes",
    "-256",
    "1.1T",
    "1025G",
    "256 M B",
    "M",
    "1e3",
    "16.m",
    "9999999999999999999999999",
    "256Mi",
    "0x100",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 bytes = 42;

      say (texts[i]);
      g_assert_false (parse ("limits.memory_bytes", texts[i], &bytes, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
      g_assert_cmpuint (bytes, ==, 42);
    }
}

static void
test_size (void)
{
  g_autoptr (GError) error = NULL;
  guint64 bytes = 0;

  g_assert_true (parse ("limits.disk_bytes", "512k", &bytes, &error));
  g_assert_cmpuint (bytes, ==, 512 << 10);
  g_assert_true (parse ("limits.disk_bytes", "3", &bytes, &error));
  g_assert_cmpuint (bytes, ==, 3 * MIB);
  g_assert_true (parse ("limits.disk_bytes", "100B", &bytes, &error));
  g_assert_cmpuint (bytes, ==, 100);
  g_assert_true (parse ("limits.disk_bytes", "none", &bytes, &error));
  g_assert_cmpuint (bytes, ==, 0);
  g_assert_no_error (error);
  g_assert_false (parse ("limits.disk_bytes", "0", &bytes, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

static void
assert_format (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_format (void)
{
  assert_format (fh_run_limits_format_duration (0), "no limit");
  assert_format (fh_run_limits_format_duration (100), "0.1 s");
  assert_format (fh_run_limits_format_duration (1500), "1.5 s");
  assert_format (fh_run_limits_format_duration (2000), "2 s");
  assert_format (fh_run_limits_format_duration (10000), "10 s");
  assert_format (fh_run_limits_format_duration (1234), "1.234 s");
  assert_format (fh_run_limits_format_duration (120000), "2 min");
  assert_format (fh_run_limits_format_duration (90500), "1 min 30.5 s");
  assert_format (fh_run_limits_format_duration (3600000), "1 h");
  assert_format (fh_run_limits_format_duration (5400000), "1 h 30 min");
  assert_format (fh_run_limits_format_size (0), "no limit");
  assert_format (fh_run_limits_format_size (1), "1 byte");
  assert_format (fh_run_limits_format_size (1023), "1023 bytes");
  assert_format (fh_run_limits_format_size (1024), "1 KiB");
  assert_format (fh_run_limits_format_size (256 * MIB), "256 MiB");
  assert_format (fh_run_limits_format_size (1536 * MIB), "1.5 GiB");
  assert_format (fh_run_limits_format_size (1024 * MIB - 1), "1 GiB");
  assert_format (fh_run_limits_format_size ((guint64) 3 << 40), "3 TiB");
}

/* What is shown can be typed. */
static void
test_format_can_be_parsed (void)
{
  static const guint64 durations[] = { 100, 1500, 30000, 120000, 3600000 };
  static const guint64 sizes[] = { 16 * MIB, 256 * MIB, 1536 * MIB, (guint64) 1 << 40 };

  for (guint i = 0; i < G_N_ELEMENTS (durations); i++)
    {
      g_autofree char *text = fh_run_limits_format_duration (durations[i]);

      assert_duration (text, durations[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *text = fh_run_limits_format_size (sizes[i]);

      assert_memory (text, sizes[i]);
    }
}

static gboolean
check (const FhRunLimits *limits, GError **error)
{
  return fh_run_options_check (&(FhRunOptions){ .limits = *limits }, error);
}

static void
test_check (void)
{
  static const FhRunLimits bad[] = {
    { .wall_ms = 99 },
    { .cpu_ms = 1 },
    { .memory_bytes = 16 * MIB - 1 },
    { .wall_ms = 24 * 3600 * 1000 + 1 },
    { .wall_ms = G_MAXUINT64 },
    { .cpu_ms = G_MAXINT64 },
    { .memory_bytes = ((guint64) 1 << 40) + 1 },
    { .disk_bytes = G_MAXUINT64 },
    { .output_bytes = G_MAXUINT64 },
  };
  const FhRunLimits none = { 0 };
  const FhRunLimits standard = FH_RUN_LIMITS_DEFAULT;
  g_autoptr (GError) error = NULL;

  g_assert_true (check (&none, &error));
  g_assert_true (check (&standard, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (check (&bad[i], &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
      g_clear_error (&error);
    }
}

static void
test_equal (void)
{
  const FhRunLimits a = FH_RUN_LIMITS_DEFAULT;
  FhRunLimits b = a;

  g_assert_true (fh_run_limits_equal (&a, &b));
  b.processes++;
  g_assert_false (fh_run_limits_equal (&a, &b));
  b = a;
  b.output_bytes = 0;
  g_assert_false (fh_run_limits_equal (&a, &b));
}

static void
test_presets (void)
{
  const FhRunLimits standard = FH_RUN_LIMITS_DEFAULT;
  guint count;
  const FhRunPreset *presets = fh_run_presets (&count);

  g_assert_cmpuint (count, ==, 4);
  g_assert_cmpstr (presets[0].id, ==, "quick");
  g_assert_cmpuint (presets[0].limits.wall_ms, ==, 5000);
  g_assert_cmpuint (presets[0].limits.memory_bytes, ==, 256 * MIB);
  g_assert_true (fh_run_limits_equal (&presets[1].limits, &standard));
  g_assert_cmpuint (presets[3].limits.wall_ms, ==, 0);
  g_assert_cmpuint (presets[3].limits.memory_bytes, ==, 0);
  for (guint i = 0; i < count; i++)
    {
      g_assert_true (check (&presets[i].limits, NULL));
      g_assert_cmpuint (presets[i].limits.processes, >, 0);
      g_assert_cmpuint (presets[i].limits.disk_bytes, >, 0);
    }
}

/* Sizes of output are bytes without a unit, all others MiB. */
static void
test_bytes (void)
{
  static const struct
  {
    const char *key;
    const char *text;
    guint64 bytes;
  } sizes[] = {
    { "limits.output_bytes", "100", 100 },
    { "limits.output_bytes", "100 k", 100 << 10 },
    { "show_bytes", "100", 100 },
    { "show_bytes", "1M", 1 << 20 },
    { "limits.disk_bytes", "100", 100 << 20 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint64 bytes;

      g_assert_true (parse (sizes[i].key, sizes[i].text, &bytes, NULL));
      g_assert_cmpuint (bytes, ==, sizes[i].bytes);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-limits/duration", test_duration);
  g_test_add_func ("/run-limits/no-duration", test_no_duration);
  g_test_add_func ("/run-limits/long-text-is-quoted-shortly", test_long_text_is_quoted_shortly);
  g_test_add_func ("/run-limits/memory", test_memory);
  g_test_add_func ("/run-limits/no-memory", test_no_memory);
  g_test_add_func ("/run-limits/size", test_size);
  g_test_add_func ("/run-limits/format", test_format);
  g_test_add_func ("/run-limits/format-can-be-parsed", test_format_can_be_parsed);
  g_test_add_func ("/run-limits/check", test_check);
  g_test_add_func ("/run-limits/equal", test_equal);
  g_test_add_func ("/run-limits/presets", test_presets);
  g_test_add_func ("/run-limits/bytes", test_bytes);
  return g_test_run ();
}
