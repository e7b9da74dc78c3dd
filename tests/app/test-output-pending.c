/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "output/output-pending.h"

#include "fh-test.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

/* Everything that waits, as text; the streams as "1" and "2", gaps as "#". */
static char *
take_all (FhOutputPending *pending, gsize max)
{
  GString *text = g_string_new (NULL);

  for (;;)
    {
      FhOutputPiece chunk;
      gboolean from_log;

      if (!fh_output_pending_take (pending, max, &chunk, &from_log))
        return g_string_free (text, FALSE);
      g_assert_cmpuint (chunk.size, <=, max);
      g_assert_cmpuint (chunk.size, >, 0);
      if (chunk.skipped > 0)
        g_string_append_printf (text, "#%" G_GUINT64_FORMAT, chunk.skipped);
      g_string_append_printf (text, "%d:", (int) chunk.stream);
      g_string_append_len (text, (const char *) chunk.data, (gssize) chunk.size);
    }
}

/* As a live run does it. */
static void
push_bytes (FhOutputPending *pending, FhOutputLog *log, FhStream stream, gpointer data, gsize size)
{
  fh_output_log_append (log, stream, 0, data, size);
  fh_output_pending_push (pending, stream, size);
}

static void
push (FhOutputPending *pending, FhOutputLog *log, FhStream stream, const char *text)
{
  push_bytes (pending, log, stream, (gpointer) text, strlen (text));
}

static FhOutputPending *
pending_new (guint streams, FhOutputLog *log)
{
  FhOutputPending *pending = fh_output_pending_new (streams);

  fh_output_pending_set_log (pending, log);
  return pending;
}

static void
test_order (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputPending) pending = pending_new (BOTH, log);
  g_autofree char *text = NULL;
  g_autofree char *rest = NULL;

  push (pending, log, FH_STREAM_STDOUT, "ab");
  push (pending, log, FH_STREAM_STDOUT, "cd");
  push (pending, log, FH_STREAM_STDERR, "e");
  push (pending, log, FH_STREAM_STDOUT, "f");
  text = take_all (pending, 3);
  g_assert_cmpstr (text, ==, "1:abc1:d2:e1:f");
  g_assert_true (fh_output_pending_is_empty (pending));
  rest = take_all (pending, 3);
  g_assert_cmpstr (rest, ==, "");
}

static void
test_one_stream (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputPending) pending = pending_new (FH_STREAM_STDERR, log);
  g_autofree char *text = NULL;

  push (pending, log, FH_STREAM_STDOUT, "out");
  push (pending, log, FH_STREAM_STDERR, "err");
  text = take_all (pending, 100);
  g_assert_cmpstr (text, ==, "2:err");
}

/* The newest bytes stay, the lost ones are counted to the byte and told with what follows them. */
static void
test_bound (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputPending) pending = pending_new (BOTH, log);
  g_autofree char *block = g_malloc (100000);
  guint64 kept = 0, told = 0;
  guint8 last = 0;

  for (guint i = 0; i < 100; i++)
    {
      memset (block, (int) i + 1, 100000);
      push_bytes (pending, log, i % 3 == 0 ? FH_STREAM_STDERR : FH_STREAM_STDOUT, block, 100000);
    }
  for (;;)
    {
      FhOutputPiece chunk;
      gboolean from_log;

      if (!fh_output_pending_take (pending, 1000, &chunk, &from_log))
        break;
      kept += chunk.size;
      told += chunk.skipped;
      last = chunk.data[0];
    }
  g_assert_cmpuint (kept, <=, FH_OUTPUT_PENDING_MAX);
  g_assert_cmpuint (kept, >, FH_OUTPUT_PENDING_MAX / 2);
  g_assert_cmpuint (kept + told, ==, 100 * 100000);
  g_assert_cmpuint (fh_output_pending_get_skipped (pending), ==, told);
  g_assert_cmpuint (last, ==, 100);
}

/* One write that is larger than all that may wait. */
static void
test_huge_write (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputPending) pending = pending_new (BOTH, log);
  gsize size = 3 * FH_OUTPUT_PENDING_MAX;
  g_autofree char *block = g_malloc0 (size);
  FhOutputPiece chunk;
  gboolean from_log;

  push_bytes (pending, log, FH_STREAM_STDOUT, block, size);
  g_assert_true (fh_output_pending_take (pending, 10, &chunk, &from_log));
  g_assert_cmpuint (chunk.skipped, ==, 2 * FH_OUTPUT_PENDING_MAX);
}

/* Streams that take turns at every byte stay bounded in pieces, too. */
static void
test_tiny_writes (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputPending) pending = pending_new (BOTH, log);
  guint chunks = 0;
  guint64 sum = 0;

  for (guint i = 0; i < 200000; i++)
    push (pending, log, i % 2 == 0 ? FH_STREAM_STDOUT : FH_STREAM_STDERR, "x");
  for (;; chunks++)
    {
      FhOutputPiece chunk;
      gboolean from_log;

      if (!fh_output_pending_take (pending, 1000, &chunk, &from_log))
        break;
      sum += chunk.size + chunk.skipped;
    }
  g_assert_cmpuint (chunks, <=, FH_OUTPUT_PENDING_MAX_PIECES);
  g_assert_cmpuint (sum, ==, 200000);
}

/* What was pushed is not caught up again, what was missed is. */
static void
test_catch_up (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputPending) pending = pending_new (BOTH, log);
  g_autofree char *text = NULL;
  g_autofree char *more = NULL;

  push (pending, log, FH_STREAM_STDOUT, "one");
  g_assert_false (fh_output_pending_is_behind (pending));
  fh_output_log_append (log, FH_STREAM_STDERR, 2, "two", 3);
  fh_output_log_append (log, FH_STREAM_STDOUT, 3, "three", 5);
  g_assert_true (fh_output_pending_is_behind (pending));
  fh_output_pending_catch_up (pending);
  g_assert_false (fh_output_pending_is_behind (pending));
  push (pending, log, FH_STREAM_STDOUT, "four");
  text = take_all (pending, 100);
  g_assert_cmpstr (text, ==, "1:one2:two1:three1:four");

  fh_output_pending_catch_up (pending);
  more = take_all (pending, 100);
  g_assert_cmpstr (more, ==, "");
}

static void
test_forget (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputPending) pending = pending_new (BOTH, log);
  g_autofree char *text = NULL;

  fh_output_log_append (log, FH_STREAM_STDOUT, 1, "one", 3);
  fh_output_pending_forget (pending);
  fh_output_log_append (log, FH_STREAM_STDOUT, 2, "two", 3);
  fh_output_pending_catch_up (pending);
  text = take_all (pending, 100);
  g_assert_cmpstr (text, ==, "1:two");
}

/* The log may drop what waits to be caught up; that is told like any gap. */
static void
test_dropped_while_waiting (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputPending) pending = pending_new (BOTH, log);
  const gsize kept = FH_OUTPUT_LOG_HEAD + FH_OUTPUT_LOG_TAIL;
  g_autofree char *block = g_malloc0 (kept);
  guint64 taken = 0, skipped = 0;
  FhOutputPiece chunk;
  gboolean from_log;

  fh_output_log_append (log, FH_STREAM_STDOUT, 0, block, kept);
  fh_output_pending_catch_up (pending);
  push_bytes (pending, log, FH_STREAM_STDOUT, block, 1000);
  push_bytes (pending, log, FH_STREAM_STDOUT, block, 1000);
  while (fh_output_pending_take (pending, 4096, &chunk, &from_log))
    {
      g_assert_true (chunk.skipped == 0 || from_log);
      taken += chunk.size;
      skipped += chunk.skipped;
    }
  g_assert_cmpuint (skipped, ==, 2000);
  g_assert_cmpuint (taken, ==, kept);
  g_assert_cmpuint (fh_output_pending_get_skipped (pending), ==, 2000);
}

FH_TESTS ({ "/pending/order", test_order },
          { "/pending/one-stream", test_one_stream },
          { "/pending/bound", test_bound },
          { "/pending/huge-write", test_huge_write },
          { "/pending/tiny-writes", test_tiny_writes },
          { "/pending/catch-up", test_catch_up },
          { "/pending/forget", test_forget },
          { "/pending/dropped-while-waiting", test_dropped_while_waiting });
