/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "block-run.h"

static FhBlockRun *
add (GPtrArray *runs, guint number, const char *language, FhBlockEnd end)
{
  FhBlockRun *run = g_new0 (FhBlockRun, 1);

  run->number = number;
  run->n_blocks = 3;
  run->language = fh_language_lookup (language);
  run->end = end;
  g_ptr_array_add (runs, run);
  return run;
}

static GPtrArray *
read_again (GPtrArray *runs)
{
  g_autoptr (JsonObject) object = json_object_new ();

  fh_block_runs_add_to_json (runs, object);
  return fh_block_runs_from_json (object);
}

static void
test_round_trip (void)
{
  g_autoptr (GPtrArray) runs = fh_block_runs_new ();
  g_autoptr (GPtrArray) again = NULL;
  FhBlockRun *run = add (runs, 2, "bash", FH_BLOCK_END_FAILED);
  const FhBlockRun *back;

  run->file_name = g_strdup ("a.sh");
  run->heading = g_strdup ("[2] Bash, line 9: a.sh");
  run->words = g_strdup ("Ended with exit code 1.\n1 block after it did not run.");
  run->own_us = 7;
  run->offsets[1] = 8;
  run->sizes[0] = 9;
  run->left_out[0] = 10;
  add (runs, 3, "nothing", FH_BLOCK_END_NOT_RUN);
  again = read_again (runs);
  g_assert_nonnull (again);
  g_assert_cmpuint (again->len, ==, 2);
  back = fh_block_runs_find (again, 2);
  g_assert_cmpstr (back->file_name, ==, run->file_name);
  g_assert_cmpstr (back->heading, ==, run->heading);
  g_assert_cmpstr (back->words, ==, run->words);
  g_assert_cmpuint (back->n_blocks, ==, 3);
  g_assert_true (back->language == run->language);
  g_assert_cmpint (back->end, ==, FH_BLOCK_END_FAILED);
  g_assert_cmpuint (back->own_us, ==, 7);
  g_assert_cmpuint (back->offsets[1], ==, 8);
  g_assert_cmpuint (back->sizes[0], ==, 9);
  g_assert_cmpuint (fh_block_runs_count_bytes (again, FH_STREAM_STDOUT), ==, 19);
  g_assert_cmpuint (fh_block_runs_count_bytes (again, FH_STREAM_STDERR), ==, 0);
  g_assert_null (fh_block_runs_find (again, 3)->heading);
  g_assert_null (fh_block_runs_find (again, 3)->language);
  g_assert_null (fh_block_runs_find (again, 1));
}

static void
test_damaged (void)
{
  g_autoptr (JsonObject) object = json_object_new ();
  JsonArray *array = json_array_new ();
  JsonObject *block = json_object_new ();

  g_assert_null (fh_block_runs_from_json (object));
  json_object_set_int_member (block, "number", 0);
  json_object_set_int_member (block, "n_blocks", 1);
  json_object_set_string_member (block, "end", "done");
  json_array_add_object_element (array, block);
  json_object_set_array_member (object, "answer_blocks", array);
  g_assert_null (fh_block_runs_from_json (object));
  json_object_set_int_member (block, "number", 1);
  json_object_set_string_member (block, "end", "melted");
  g_assert_null (fh_block_runs_from_json (object));
}

static void
test_output (void)
{
  g_autoptr (FhOutputLog) answer = fh_output_log_new ();
  const FhBlockRun run = { .offsets = { 4, 2 }, .sizes = { 3, G_MAXUINT64 } };
  g_autoptr (FhOutputLog) output = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;

  fh_output_log_append (answer, FH_STREAM_STDOUT, 0, "row\nab", 6);
  fh_output_log_append (answer, FH_STREAM_STDERR, 0, "x\nyz", 4);
  fh_output_log_append (answer, FH_STREAM_STDOUT, 0, "crow", 4);
  output = fh_block_run_dup_output (&run, answer);
  out = fh_output_log_dup_text (output, FH_STREAM_STDOUT);
  err = fh_output_log_dup_text (output, FH_STREAM_STDERR);
  g_assert_cmpstr (out, ==, "abc");
  g_assert_cmpstr (err, ==, "yz");
}

static void
test_alike (void)
{
  g_autoptr (GPtrArray) whole = fh_block_runs_new ();
  g_autoptr (GPtrArray) part = fh_block_runs_new ();
  g_autoptr (GPtrArray) copy = NULL;

  add (whole, 1, "python", FH_BLOCK_END_DONE);
  add (whole, 2, "python", FH_BLOCK_END_DONE);
  add (part, 2, "python", FH_BLOCK_END_FAILED);
  copy = fh_block_runs_copy (whole);
  g_assert_true (fh_block_runs_are_alike (whole, copy));
  g_assert_true (fh_block_runs_are_alike (NULL, NULL));
  g_assert_false (fh_block_runs_are_alike (whole, part));
  g_assert_false (fh_block_runs_are_alike (NULL, part));
  g_ptr_array_remove_index (copy, 0);
  g_assert_true (fh_block_runs_are_alike (copy, part));
}

static void
assert_text (GPtrArray *runs, const char *expected)
{
  g_autofree char *text = fh_block_runs_dup_text (runs);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_text (void)
{
  g_autoptr (GPtrArray) runs = fh_block_runs_new ();

  assert_text (NULL, NULL);
  assert_text (runs, NULL);
  add (runs, 1, "bash", FH_BLOCK_END_DONE);
  assert_text (runs, "Block 1 of 3: Bash");
  add (runs, 2, "python", FH_BLOCK_END_DONE);
  assert_text (runs, "Blocks 1 to 2 of 3: Bash, Python");
  add (runs, 3, "bash", FH_BLOCK_END_NOT_RUN);
  assert_text (runs, "3 blocks: Bash, Python");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/block-run/round-trip", test_round_trip);
  g_test_add_func ("/block-run/damaged", test_damaged);
  g_test_add_func ("/block-run/output", test_output);
  g_test_add_func ("/block-run/alike", test_alike);
  g_test_add_func ("/block-run/text", test_text);
  return g_test_run ();
}
