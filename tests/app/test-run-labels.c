/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/run-labels.h"

#include "fh-test.h"

static void
check (const char *when, const char *now, const char *expected)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_autoptr (GDateTime) first = g_date_time_new_from_iso8601 (when, zone);
  g_autoptr (GDateTime) second = g_date_time_new_from_iso8601 (now, zone);
  g_autofree char *text = fh_run_label_time (first, second);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_time (void)
{
  check ("2026-03-10T14:03:00", "2026-03-10T23:59:00", "14:03");
  check ("2026-03-10T00:00:00", "2026-03-10T00:00:00", "00:00");
  /* Calendar days: ten minutes later may be another day. */
  check ("2026-03-09T23:55:00", "2026-03-10T00:05:00", "Yesterday");
  check ("2026-03-08T12:00:00", "2026-03-10T12:00:00", "Sunday");
  check ("2026-03-04T00:00:00", "2026-03-10T23:00:00", "Wednesday");
  check ("2026-03-03T23:59:00", "2026-03-10T00:00:00", "3 Mar");
  check ("2025-12-31T23:59:00", "2026-01-01T00:00:00", "Yesterday");
  check ("2025-03-10T12:00:00", "2026-03-10T12:00:00", "10 Mar 2025");
  /* A clock that was set back. */
  check ("2026-03-12T12:00:00", "2026-03-10T12:00:00", "12 Mar");
}

static void
check_moment (const char *when, const char *expected)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GTimeZone) zone = g_time_zone_new_offset (3600);
  g_autoptr (GDateTime) first = g_date_time_new_from_iso8601 (when, utc);
  g_autoptr (GDateTime) now = g_date_time_new (zone, 2026, 3, 10, 12, 0, 0);
  g_autofree char *text = fh_run_label_moment (first, now);

  g_assert_cmpstr (text, ==, expected);
}

/* What is compared may have begun in the same minute. */
static void
test_moment (void)
{
  check_moment ("2026-03-10T08:03:09", "09:03:09");
  check_moment ("2026-03-09T23:30:00", "00:30:00");
  check_moment ("2026-03-09T20:30:05", "Yesterday, 21:30:05");
  check_moment ("2025-03-10T11:00:00", "10 Mar 2025, 12:00:00");
}

static void
check_elapsed (guint64 us, const char *expected)
{
  g_autofree char *text = fh_run_label_elapsed (us);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_elapsed (void)
{
  check_elapsed (0, "0 ms");
  check_elapsed (8400, "8 ms");
  check_elapsed (999499, "999 ms");
  check_elapsed (999500, "1.00 s");
  check_elapsed (1250000, "1.25 s");
  check_elapsed (59999000, "59.99 s");
  check_elapsed (60000000, "1:00 min");
  check_elapsed (125400000, "2:05 min");
}

FH_TESTS ({ "/run-labels/time", test_time },
          { "/run-labels/moment", test_moment },
          { "/run-labels/elapsed", test_elapsed });
