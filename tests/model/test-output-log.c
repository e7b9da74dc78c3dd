/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output-log.h"

#include <string.h>

#include "run-error.h"

#define MIB ((gsize) 1 << 20)

/* What a walk over a log sees. */
typedef struct
{
  GString *order; /* "o" and "e", one per piece */
  GByteArray *bytes[2];
  guint64 skipped[2];
  guint pieces;
  gsize largest;
  gsize first_after_gap;
} Seen;

static void
see_piece (const FhOutputPiece *piece, gpointer user_data)
{
  Seen *seen = user_data;
  guint index = piece->stream - FH_STREAM_STDOUT;

  g_assert_cmpuint (piece->size, >, 0);
  g_string_append_c (seen->order, piece->stream == FH_STREAM_STDOUT ? 'o' : 'e');
  if (piece->skipped > 0)
    seen->first_after_gap = seen->bytes[index]->len;
  g_byte_array_append (seen->bytes[index], piece->data, (guint) piece->size);
  seen->skipped[index] += piece->skipped;
  seen->pieces++;
  seen->largest = MAX (seen->largest, piece->size);
}

static void
see (Seen *seen, FhOutputLog *log)
{
  *seen =
      (Seen){ .order = g_string_new (NULL), .bytes = { g_byte_array_new (), g_byte_array_new () } };
  fh_output_log_foreach (log, see_piece, seen);
}

static void
seen_clear (Seen *seen)
{
  if (seen->order != NULL)
    g_string_free (seen->order, TRUE);
  g_clear_pointer (&seen->bytes[0], g_byte_array_unref);
  g_clear_pointer (&seen->bytes[1], g_byte_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Seen, seen_clear)

static void
append (FhOutputLog *log, FhStream stream, guint64 time_us, const char *text)
{
  fh_output_log_append (log, stream, time_us, text, strlen (text));
}

/* Kept and left out must add up, in the counters and in the walk. */
static void
assert_adds_up (FhOutputLog *log)
{
  g_auto (Seen) seen = { 0 };

  see (&seen, log);
  for (guint i = 0; i < 2; i++)
    {
      FhStream stream = (FhStream) (FH_STREAM_STDOUT + i);

      g_assert_cmpuint (seen.bytes[i]->len, ==, fh_output_log_get_kept (log, stream));
      g_assert_cmpuint (seen.bytes[i]->len + seen.skipped[i],
                        ==,
                        fh_output_log_get_total (log, stream));
    }
}

static FhOutputLog *
round_trip (FhOutputLog *log)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = fh_output_log_serialize (log);
  g_autoptr (FhOutputLog) copy = fh_output_log_deserialize (bytes, &error);
  g_autoptr (GBytes) again = NULL;

  g_assert_no_error (error);
  again = fh_output_log_serialize (copy);
  g_assert_true (g_bytes_equal (bytes, again));
  assert_adds_up (copy);
  for (guint i = FH_STREAM_STDOUT; i <= FH_STREAM_STDERR; i++)
    {
      g_autofree char *text = fh_output_log_dup_text (log, (FhStream) i);
      g_autofree char *copy_text = fh_output_log_dup_text (copy, (FhStream) i);

      g_assert_cmpstr (text, ==, copy_text);
      g_assert_cmpuint (fh_output_log_get_total (log, (FhStream) i),
                        ==,
                        fh_output_log_get_total (copy, (FhStream) i));
    }
  return g_steal_pointer (&copy);
}

static void
test_empty (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autofree char *text = fh_output_log_dup_text (log, FH_STREAM_STDOUT);
  g_autoptr (FhOutputLog) copy = round_trip (log);

  g_assert_cmpstr (text, ==, "");
  g_assert_cmpuint (fh_output_log_get_total (copy, FH_STREAM_STDERR), ==, 0);
}

static void
test_order (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputLog) copy = NULL;
  g_auto (Seen) seen = { 0 };
  g_auto (Seen) seen_copy = { 0 };

  append (log, FH_STREAM_STDOUT, 1, "one ");
  append (log, FH_STREAM_STDERR, 2, "two ");
  append (log, FH_STREAM_STDERR, 3, "");
  append (log, FH_STREAM_STDOUT, 4, "three ");
  append (log, FH_STREAM_STDOUT, 5, "four ");
  append (log, FH_STREAM_STDOUT, 900000, "five ");
  append (log, FH_STREAM_STDERR, 900001, "six ");
  see (&seen, log);
  g_assert_cmpstr (seen.order->str, ==, "oeooe");
  g_assert_cmpmem (seen.bytes[0]->data, seen.bytes[0]->len, "one three four five ", 20);
  g_assert_cmpmem (seen.bytes[1]->data, seen.bytes[1]->len, "two six ", 8);
  copy = round_trip (log);
  see (&seen_copy, copy);
  g_assert_cmpstr (seen_copy.order->str, ==, "oeooe");
}

static void
test_freeze (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autofree char *text = NULL;

  append (log, FH_STREAM_STDOUT, 1, "before");
  fh_output_log_freeze (log);
  append (log, FH_STREAM_STDOUT, 2, "after");
  text = fh_output_log_dup_text (log, FH_STREAM_STDOUT);
  g_assert_cmpstr (text, ==, "before");
  g_assert_cmpuint (fh_output_log_get_total (log, FH_STREAM_STDOUT), ==, 6);
}

static void
test_hostile_bytes (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputLog) copy = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  fh_output_log_append (log, FH_STREAM_STDOUT, 0, "\xff\xfe\0x\x1b", 5);
  bytes = fh_output_log_dup_bytes (log, FH_STREAM_STDOUT);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "\xff\xfe\0x\x1b", 5);
  text = fh_output_log_dup_text (log, FH_STREAM_STDOUT);
  g_assert_cmpstr (text, ==, "\uFFFD\uFFFD\u2400x\x1b");
  copy = round_trip (log);
}

/* Exactly what fits is kept whole; one byte more makes the first gap. */
static void
test_edge (void)
{
  const gsize all = FH_OUTPUT_LOG_HEAD + FH_OUTPUT_LOG_TAIL;
  g_autofree char *block = g_strnfill (all, 'x');
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputLog) whole = NULL;
  g_autoptr (FhOutputLog) cut = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  fh_output_log_append (log, FH_STREAM_STDOUT, 0, block, all);
  g_assert_cmpuint (fh_output_log_get_kept (log, FH_STREAM_STDOUT), ==, all);
  bytes = fh_output_log_dup_bytes (log, FH_STREAM_STDOUT);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), block, all);
  whole = round_trip (log);

  fh_output_log_append (log, FH_STREAM_STDOUT, 0, "x", 1);
  g_assert_cmpuint (fh_output_log_get_kept (log, FH_STREAM_STDOUT), ==, all);
  g_assert_cmpuint (fh_output_log_get_total (log, FH_STREAM_STDOUT), ==, all + 1);
  text = fh_output_log_dup_text (log, FH_STREAM_STDOUT);
  g_assert_nonnull (strstr (text, "x\n[… 1 bytes left out …]\nx"));
  cut = round_trip (log);
}

static void
test_head_and_tail (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputLog) copy = NULL;
  g_autoptr (GString) all = g_string_new (NULL);
  g_autofree char *text = NULL;
  const char *mark;

  for (guint i = 0; i < 400000; i++)
    {
      char line[32];

      g_snprintf (line, sizeof line, "line %u\n", i);
      append (log, FH_STREAM_STDOUT, i * 10, line);
      g_string_append (all, line);
    }
  append (log, FH_STREAM_STDERR, 1, "one line\n");
  assert_adds_up (log);
  g_assert_cmpuint (fh_output_log_get_total (log, FH_STREAM_STDOUT), ==, all->len);
  g_assert_cmpuint (fh_output_log_get_kept (log, FH_STREAM_STDOUT), ==, MIB);
  text = fh_output_log_dup_text (log, FH_STREAM_STDOUT);
  g_assert_cmpmem (text, FH_OUTPUT_LOG_HEAD, all->str, FH_OUTPUT_LOG_HEAD);
  g_assert_cmpstr (text + strlen (text) - FH_OUTPUT_LOG_TAIL,
                   ==,
                   all->str + all->len - FH_OUTPUT_LOG_TAIL);
  mark = strstr (text, "[… ");
  g_assert_true (g_str_has_prefix (mark, "[… 3 640 314 bytes left out …]\n"));
  g_assert_cmpint (mark[-1], ==, '\n');
  copy = round_trip (log);
}

/* Whatever the alignment, both ends of the cut are whole characters. */
static void
test_cut_between_characters (void)
{
  static const char *const characters[] = { "ä", "€", "\xf0\x9f\x98\x80" };

  for (guint i = 0; i < G_N_ELEMENTS (characters); i++)
    {
      gsize size = strlen (characters[i]);

      for (guint shift = 0; shift < 4; shift++)
        {
          g_autoptr (FhOutputLog) log = fh_output_log_new ();
          g_autoptr (FhOutputLog) copy = NULL;
          g_autoptr (GString) all = g_string_new (NULL);
          g_autoptr (GBytes) bytes = NULL;

          for (guint j = 0; j < shift; j++)
            g_string_append_c (all, 'x');
          while (all->len < 2 * MIB + shift)
            g_string_append_len (all, characters[i], (gssize) size);
          fh_output_log_append (log, FH_STREAM_STDERR, 0, all->str, all->len);
          bytes = fh_output_log_dup_bytes (log, FH_STREAM_STDERR);
          g_assert_true (
              g_utf8_validate_len (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL));
          g_assert_cmpuint (fh_output_log_get_kept (log, FH_STREAM_STDERR), >=, MIB - 6);
          assert_adds_up (log);
          copy = round_trip (log);
        }
    }
}

/* Bytes that are no text at all lose next to nothing at the cut, however they look. */
static void
test_cut_of_no_text (void)
{
  static const guint8 bytes[] = { 0x80, 0xe2, 0xff, 0xf0, 0xc3, 0x00 };

  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    {
      g_autofree guint8 *block = g_malloc (2 * MIB);
      g_autoptr (FhOutputLog) log = fh_output_log_new ();
      g_autoptr (FhOutputLog) copy = NULL;

      memset (block, bytes[i], 2 * MIB);
      fh_output_log_append (log, FH_STREAM_STDOUT, 0, block, 2 * MIB);
      g_assert_cmpuint (fh_output_log_get_kept (log, FH_STREAM_STDOUT), >=, MIB - 6);
      assert_adds_up (log);
      copy = round_trip (log);
    }
}

/* A million appends of one byte become few pieces, and take no time worth speaking of. */
static void
test_byte_by_byte (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_auto (Seen) seen = { 0 };

  for (guint i = 0; i < 1000000; i++)
    fh_output_log_append (log, FH_STREAM_STDOUT, i, "x", 1);
  see (&seen, log);
  g_assert_cmpuint (seen.bytes[0]->len, ==, 1000000);
  g_assert_cmpuint (seen.pieces, <, 200);
}

/* Taking turns byte by byte, the streams keep every byte; only the order becomes coarser, and not
 * by much. */
static void
test_byte_by_byte_in_turns (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputLog) copy = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_auto (Seen) seen = { 0 };

  for (guint i = 0; i < 1000000; i++)
    {
      char c = (char) ('a' + i % 26);

      fh_output_log_append (log, FH_STREAM_STDOUT, (guint64) i * 100000, &c, 1);
      fh_output_log_append (log, FH_STREAM_STDERR, (guint64) i * 100000, &c, 1);
    }
  see (&seen, log);
  g_assert_cmpuint (seen.pieces, <=, 4 * 8192);
  g_assert_cmpuint (seen.largest, <=, 512);
  g_assert_cmpuint (seen.bytes[0]->len, ==, 1000000);
  for (guint i = 0; i < 1000000; i++)
    g_assert_cmpint (seen.bytes[1]->data[i], ==, 'a' + i % 26);
  bytes = fh_output_log_serialize (log);
  g_assert_cmpuint (g_bytes_get_size (bytes), <, 3 * MIB);
  copy = round_trip (log);
}

/* Every kept byte is found by its offset. */
static void
check_peek (FhOutputLog *log, const GByteArray *all)
{
  gsize size;

  for (guint64 at = 0; at < all->len; at += size)
    {
      const guint8 *data = fh_output_log_peek (log, FH_STREAM_STDOUT, at, &size);

      if (data != NULL)
        g_assert_cmpmem (data, size, all->data + at, size);
      else
        g_assert_cmpuint (size, ==, all->len - FH_OUTPUT_LOG_HEAD - FH_OUTPUT_LOG_TAIL);
    }
}

/* A flood longer than what is kept, in pieces of every size, against a plain model of it. */
static void
test_against_a_model (void)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autofree guint8 *block = g_malloc (2 * MIB);

  for (gsize i = 0; i < 2 * MIB; i++)
    block[i] = (guint8) (g_test_rand_int () & 0x7f);
  for (guint round = 0; round < 300; round++)
    {
      gsize size = (gsize) g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 21));
      g_auto (Seen) seen = { 0 };
      gsize tail;

      fh_output_log_append (log, FH_STREAM_STDOUT, round * 30000, block, size);
      g_byte_array_append (all, block, (guint) size);
      if (round % 10 != 0)
        continue;
      see (&seen, log);
      tail = MIN (all->len - MIN (all->len, FH_OUTPUT_LOG_HEAD), FH_OUTPUT_LOG_TAIL);
      g_assert_cmpuint (seen.bytes[0]->len,
                        ==,
                        MIN (all->len, FH_OUTPUT_LOG_HEAD + FH_OUTPUT_LOG_TAIL));
      g_assert_cmpmem (seen.bytes[0]->data + seen.bytes[0]->len - tail,
                       tail,
                       all->data + all->len - tail,
                       tail);
      if (seen.skipped[0] > 0)
        g_assert_cmpuint (seen.first_after_gap, ==, FH_OUTPUT_LOG_HEAD);
      check_peek (log, all);
      assert_adds_up (log);
    }
}

static GBytes *
serialized_example (gboolean with_gap)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autofree char *block = g_strnfill (2 * MIB, 'x');

  append (log, FH_STREAM_STDOUT, 1, "one\n");
  append (log, FH_STREAM_STDERR, 2, "two\n");
  if (with_gap)
    fh_output_log_append (log, FH_STREAM_STDOUT, 3, block, 2 * MIB);
  return fh_output_log_serialize (log);
}

static gboolean
can_be_read (const void *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOutputLog) log = fh_output_log_deserialize (bytes, &error);

  if (log == NULL)
    g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  else
    assert_adds_up (log);
  return log != NULL;
}

static void
test_damaged_sizes (void)
{
  g_autoptr (GBytes) bytes = serialized_example (FALSE);
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  gsize size = g_bytes_get_size (bytes);
  g_autofree guint8 *longer = g_malloc0 (size + 1);

  g_assert_true (can_be_read (data, size));
  for (gsize i = 0; i < size; i++)
    g_assert_false (can_be_read (data, i));
  memcpy (longer, data, size);
  g_assert_false (can_be_read (longer, size + 1));
}

/* One piece, with these fields, of a log whose stdout has `total` bytes. */
static gboolean
piece_can_be_read (guint64 total, guint8 stream, guint64 skipped, guint32 claimed, guint32 size)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree guint8 *block = g_malloc0 (size + 1);
  guint32 version = GUINT32_TO_LE (1);
  guint64 zero = 0;

  total = GUINT64_TO_LE (total);
  skipped = GUINT64_TO_LE (skipped);
  claimed = GUINT32_TO_LE (claimed);
  g_byte_array_append (bytes, (const guint8 *) "FHOL", 4);
  g_byte_array_append (bytes, (const guint8 *) &version, 4);
  g_byte_array_append (bytes, (const guint8 *) &total, 8);
  g_byte_array_append (bytes, (const guint8 *) &zero, 8);
  g_byte_array_append (bytes, &stream, 1);
  g_byte_array_append (bytes, (const guint8 *) &zero, 8);
  g_byte_array_append (bytes, (const guint8 *) &skipped, 8);
  g_byte_array_append (bytes, (const guint8 *) &claimed, 4);
  g_byte_array_append (bytes, block, size);
  return can_be_read (bytes->data, bytes->len);
}

static void
test_damaged_fields (void)
{
  g_assert_true (piece_can_be_read (10, FH_STREAM_STDOUT, 0, 10, 10));
  g_assert_true (piece_can_be_read (15, FH_STREAM_STDOUT, 5, 10, 10));
  g_assert_false (piece_can_be_read (10, 0, 0, 10, 10));
  g_assert_false (piece_can_be_read (10, 3, 0, 10, 10));
  g_assert_false (piece_can_be_read (10, FH_STREAM_STDERR, 0, 10, 10));
  g_assert_false (piece_can_be_read (9, FH_STREAM_STDOUT, 0, 10, 10));
  g_assert_false (piece_can_be_read (11, FH_STREAM_STDOUT, 0, 10, 10));
  g_assert_false (piece_can_be_read (9, FH_STREAM_STDOUT, G_MAXUINT64, 10, 10));
  g_assert_false (piece_can_be_read (10, FH_STREAM_STDOUT, 0, 0, 0));
  g_assert_false (piece_can_be_read (10, FH_STREAM_STDOUT, 0, 11, 10));
  g_assert_false (piece_can_be_read (10, FH_STREAM_STDOUT, 0, G_MAXUINT32, 10));
  g_assert_false (piece_can_be_read (2 * MIB, FH_STREAM_STDOUT, 0, 2 * MIB, 2 * MIB));
  g_assert_false (piece_can_be_read (2 * MIB, FH_STREAM_STDOUT, MIB, MIB, MIB));
}

static void
test_mutated (void)
{
  g_autoptr (GBytes) small = serialized_example (FALSE);
  g_autoptr (GBytes) large = serialized_example (TRUE);
  guint read = 0;

  for (guint round = 0; round < 3000; round++)
    {
      GBytes *bytes = round % 30 == 0 ? large : small;
      gsize size = g_bytes_get_size (bytes);
      g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
      /* Mostly in the headers, which is where numbers are. */
      gint32 reach = (gint32) MIN (size, 120);

      for (gint32 i = g_test_rand_int_range (1, 4); i > 0; i--)
        copy[g_test_rand_int_range (0, reach)] = (guint8) g_test_rand_int ();
      read += can_be_read (copy, size);
    }
  g_test_message ("%u of 3000 could still be read", read);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/output-log/empty", test_empty);
  g_test_add_func ("/output-log/order", test_order);
  g_test_add_func ("/output-log/freeze", test_freeze);
  g_test_add_func ("/output-log/hostile-bytes", test_hostile_bytes);
  g_test_add_func ("/output-log/edge", test_edge);
  g_test_add_func ("/output-log/head-and-tail", test_head_and_tail);
  g_test_add_func ("/output-log/cut-between-characters", test_cut_between_characters);
  g_test_add_func ("/output-log/cut-of-no-text", test_cut_of_no_text);
  g_test_add_func ("/output-log/byte-by-byte", test_byte_by_byte);
  g_test_add_func ("/output-log/byte-by-byte-in-turns", test_byte_by_byte_in_turns);
  g_test_add_func ("/output-log/against-a-model", test_against_a_model);
  g_test_add_func ("/output-log/damaged-sizes", test_damaged_sizes);
  g_test_add_func ("/output-log/damaged-fields", test_damaged_fields);
  g_test_add_func ("/output-log/mutated", test_mutated);
  return g_test_run ();
}
