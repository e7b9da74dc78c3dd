/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "diff-row.h"
#include "run-comparison.h"

#include <string.h>

/* A run that is put together from what the tests vary; the rest has defaults. */
typedef struct
{
  const char *source;
  const char *out;
  const char *err;
  const char *tried; /* a path; NULL: nothing */
  guint count;
  const char *file; /* content of "out.csv"; NULL: no file */
  const char *other_file;
  FhGuardLevel network;
  guint64 wall_ms; /* the limit */
  int exit_code;
  guint block; /* the one that ended the answer */
  guint64 wall_us;
  const char *const *variables;
} Sample;

static FhRunRequest *
sample_request (const Sample *sample)
{
  const char *text = sample->source != NULL ? sample->source : "print (1)\n";
  g_autoptr (GBytes) source = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  FhContainerOptions container = { .environment = sample->variables };
  FhRunRequestInit init = {
    .language = fh_language_lookup ("python"),
    .source = source,
    .limits = FH_RUN_LIMITS_DEFAULT,
    .container = sample->variables != NULL ? &container : NULL,
  };
  FhRunRequest *request;

  init.limits.wall_ms = sample->wall_ms > 0 ? sample->wall_ms : 5000;
  request = fh_run_request_new (&init, &error);
  g_assert_no_error (error);
  return request;
}

static FhAttemptLog *
sample_attempts (const Sample *sample)
{
  FhAttemptLog *log = fh_attempt_log_new ();
  g_autoptr (FhAttempt) attempt = NULL;

  if (sample->tried == NULL)
    return log;
  attempt = fh_attempt_new (&(FhAttemptFacts){
      .guard = FH_GUARD_FILESYSTEM,
      .verdict = FH_VERDICT_HIDDEN,
      .count = MAX (sample->count, 1),
      .layer = "mounts",
      .operation = "open",
      .object = sample->tried,
      .command = "",
  });
  fh_attempt_log_add (log, attempt);
  return log;
}

static void
add_file (FhResultFiles *files, const char *path, const char *text)
{
  g_autoptr (GBytes) content = text != NULL ? g_bytes_new (text, strlen (text)) : NULL;
  g_autoptr (FhResultFile) file = NULL;

  if (content == NULL)
    return;
  file = fh_result_file_new (
      &(FhResultFileFacts){ .path = path, .size = strlen (text), .content = content });
  fh_result_files_add (files, file);
}

static void
append (FhOutputLog *output, FhStream stream, const char *text)
{
  fh_output_log_append (output, stream, 1, text, strlen (text));
}

static FhRunResult *
sample_result (const Sample *sample)
{
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (FhAttemptLog) attempts = sample_attempts (sample);
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  const FhRunOutcome outcome = {
    .status = sample->exit_code == 0 ? FH_RUN_STATUS_OK : FH_RUN_STATUS_FAILED,
    .exit_code = sample->exit_code,
    .block = sample->block,
    .signal = -1,
    .wall_us = sample->wall_us > 0 ? sample->wall_us : 1000000,
    .memory_peak = 1 << 20,
  };

  append (output, FH_STREAM_STDOUT, sample->out != NULL ? sample->out : "1\n");
  append (output, FH_STREAM_STDERR, sample->err != NULL ? sample->err : "");
  add_file (files, "out.csv", sample->file);
  add_file (files, "new\x1b.txt", sample->other_file);
  g_ptr_array_add (
      guards,
      fh_guard_state_new (FH_GUARD_NETWORK, sample->network, "network namespace", NULL));
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .attempts = attempts,
      .files = files,
      .guards = guards,
      .started_at = now,
      .backend = "native",
      .tier = "A",
  });
}

static FhRunComparison *
compare (const Sample *a, const Sample *b)
{
  g_autoptr (FhRunRequest) old_request = sample_request (a);
  g_autoptr (FhRunResult) old_result = sample_result (a);
  g_autoptr (FhRunRequest) new_request = sample_request (b);
  g_autoptr (FhRunResult) new_result = sample_result (b);

  return fh_run_comparison_new (old_request, old_result, new_request, new_result);
}

/* That this part differs, and no other. */
static FhRunComparison *
check_only (const Sample *a, const Sample *b, FhComparedPart expected)
{
  FhRunComparison *comparison = compare (a, b);

  for (guint part = 0; part < FH_N_COMPARED; part++)
    g_assert_cmpint (fh_run_comparison_differs (comparison, part), ==, part == expected);
  g_assert_cmpint (fh_run_comparison_is_same (comparison), ==, expected == FH_N_COMPARED);
  return comparison;
}

static void
check_pair (FhRunComparison *comparison,
            FhComparedPart part,
            guint position,
            gboolean differs,
            const char *old_text,
            const char *new_text)
{
  GArray *pairs = fh_run_comparison_get_pairs (comparison, part);
  const FhComparedPair *pair = &g_array_index (pairs, FhComparedPair, position);
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  g_assert_cmpuint (position, <, pairs->len);
  a = fh_compared_pair_dup_text (pair, 0);
  b = fh_compared_pair_dup_text (pair, 1);
  g_assert_cmpint (pair->differs, ==, differs);
  g_assert_cmpstr (a, ==, old_text);
  g_assert_cmpstr (b, ==, new_text);
}

static void
test_same (void)
{
  const Sample a = { .tried = "/etc/shadow", .file = "1" };
  const Sample b = { .tried = "/etc/shadow", .file = "1", .count = 7, .wall_us = 1500000 };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_N_COMPARED);

  check_pair (comparison,
              FH_COMPARED_FIGURES,
              0,
              FALSE,
              "Time: 1.000 s",
              "Time: 1.500 s (1.50 times)");
  check_pair (comparison,
              FH_COMPARED_FIGURES,
              1,
              FALSE,
              "Memory: 1.0\u00a0MiB",
              "Memory: 1.0\u00a0MiB (1.00 times)");
  g_assert_cmpuint (fh_run_comparison_get_pairs (comparison, FH_COMPARED_OPTIONS)->len, ==, 0);
}

static void
check_remark (FhRunComparison *comparison, FhComparedPart part, const char *remark)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  fh_diff_rows_add_part (rows, comparison, part);
  g_assert_cmpuint (rows->len, >, 0);
  g_assert_cmpstr (fh_diff_row_get_facts (rows->pdata[0])->remark, ==, remark);
}

/* Figures that are not the same are not said to be. */
static void
test_remarks (void)
{
  const Sample a = { .out = "1", .wall_us = 30000000 };
  const Sample b = { .out = "2", .wall_us = 4378000 };
  g_autoptr (FhRunComparison) comparison = compare (&a, &b);

  check_remark (comparison, FH_COMPARED_SOURCE, "The same");
  check_remark (comparison, FH_COMPARED_OUTPUT, NULL);
  check_remark (comparison, FH_COMPARED_FIGURES, "These vary from run to run");
}

static void
test_texts (void)
{
  const Sample a = { 0 };
  const Sample source = { .source = "print (2)\n" };
  const Sample out = { .out = "2\n" };
  const Sample err = { .err = "oh\n" };
  g_autoptr (FhRunComparison) first = check_only (&a, &source, FH_COMPARED_SOURCE);
  g_autoptr (FhRunComparison) second = check_only (&a, &out, FH_COMPARED_OUTPUT);
  g_autoptr (FhRunComparison) third = check_only (&a, &err, FH_COMPARED_ERRORS);

  g_assert_false (fh_text_diff_is_same (fh_run_comparison_get_diff (first, FH_COMPARED_SOURCE)));
  g_assert_null (fh_run_comparison_get_diff (first, FH_COMPARED_FILES));
  g_assert_false (fh_text_diff_is_same (fh_run_comparison_get_diff (second, FH_COMPARED_OUTPUT)));
  g_assert_false (fh_text_diff_is_same (fh_run_comparison_get_diff (third, FH_COMPARED_ERRORS)));
}

static void
check_output (const char *old_output, const char *new_output, const char *expected)
{
  const Sample a = { .out = old_output };
  const Sample b = { .out = new_output };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_COMPARED_OUTPUT);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GString) text = g_string_new (NULL);

  fh_diff_rows_add_part (rows, comparison, FH_COMPARED_OUTPUT);
  for (guint i = 0; i < rows->len; i++)
    {
      if (fh_diff_row_get_facts (rows->pdata[i])->kind == FH_DIFF_ROW_LINE)
        g_string_append_printf (text, "%s|", fh_diff_row_get_facts (rows->pdata[i])->cells[1].text);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

/* Colours are left out where people compare what was printed, but not where nothing else differs.
 */
static void
test_colours (void)
{
  check_output ("\x1b[31mone\x1b[0m\n", "\x1b[32mtwo\x1b[0m\x1b[K\n", "two|");
  check_output ("\x1b[31mone\n", "\x1b[32mone\n", "\\u001b[32mone|");
  check_output ("", "\x1b[1m\xff\n", "\xef\xbf\xbd|");
}

static void
test_ending (void)
{
  const Sample a = { 0 };
  const Sample b = { .exit_code = 3 };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_COMPARED_ENDING);

  check_pair (comparison,
              FH_COMPARED_ENDING,
              0,
              TRUE,
              "Finished normally.",
              "Ended with exit code 3.");
}

/* An answer that ends alike in another block has ended elsewhere. */
static void
test_block (void)
{
  const Sample a = { .exit_code = 1, .block = 2 };
  const Sample b = { .exit_code = 1, .block = 4 };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_COMPARED_ENDING);

  check_pair (comparison,
              FH_COMPARED_ENDING,
              0,
              TRUE,
              "Block 2: Ended with exit code 1.",
              "Block 4: Ended with exit code 1.");
}

static void
test_attempts (void)
{
  const Sample a = { .tried = "/etc/shadow" };
  const Sample b = { .tried = "/etc/passwd-", .count = 2 };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_COMPARED_ATTEMPTS);

  check_pair (comparison, FH_COMPARED_ATTEMPTS, 0, TRUE, "Open /etc/shadow: Hidden, 1×", NULL);
  check_pair (comparison, FH_COMPARED_ATTEMPTS, 1, TRUE, NULL, "Open /etc/passwd-: Hidden, 2×");
}

static void
test_options (void)
{
  const Sample a = { 0 };
  const Sample b = { .wall_ms = 60000 };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_COMPARED_OPTIONS);

  check_pair (comparison, FH_COMPARED_OPTIONS, 0, TRUE, "Time: 5 s", "Time: 1 min");
}

/* The values of variables may be passwords. */
static void
test_variables (void)
{
  const char *const first[] = { "TOKEN=abc", NULL };
  const char *const second[] = { "TOKEN=def", "B=1", NULL };
  const Sample a = { .variables = first };
  const Sample b = { .variables = second };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_COMPARED_OPTIONS);
  GArray *pairs = fh_run_comparison_get_pairs (comparison, FH_COMPARED_OPTIONS);
  g_autofree char *text = NULL;

  g_assert_cmpuint (pairs->len, ==, 1);
  text = fh_compared_pair_dup_text (&g_array_index (pairs, FhComparedPair, 0), 1);
  g_assert_true (g_str_has_suffix (text, ": TOKEN B"));
}

/* A value that is missing does not look like a fault of the window. */
static void
test_empty_option (void)
{
  const char *const none[] = { NULL };
  const char *const variables[] = { "TOKEN=abc", NULL };
  const Sample a = { .variables = none };
  const Sample b = { .variables = variables };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_COMPARED_OPTIONS);
  GArray *pairs = fh_run_comparison_get_pairs (comparison, FH_COMPARED_OPTIONS);
  g_autofree char *text = fh_compared_pair_dup_text (&g_array_index (pairs, FhComparedPair, 0), 0);

  g_assert_true (g_str_has_suffix (text, ": none"));
}

static void
test_guards (void)
{
  const Sample a = { 0 };
  const Sample b = { .network = FH_GUARD_LEVEL_OFF };
  g_autoptr (FhRunComparison) comparison = check_only (&a, &b, FH_COMPARED_GUARDS);
  g_autofree char *text = fh_compared_pair_dup_text (
      &g_array_index (fh_run_comparison_get_pairs (comparison, FH_COMPARED_GUARDS),
                      FhComparedPair,
                      0),
      0);

  g_assert_true (g_str_has_prefix (text, "Network: "));
}

static void
test_files (void)
{
  const Sample a = { .file = "1" };
  const Sample changed = { .file = "2" };
  const Sample added = { .file = "1", .other_file = "xy" };
  g_autoptr (FhRunComparison) first = check_only (&a, &changed, FH_COMPARED_FILES);
  g_autoptr (FhRunComparison) second = check_only (&a, &added, FH_COMPARED_FILES);
  g_autoptr (FhRunComparison) third = check_only (&added, &a, FH_COMPARED_FILES);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  check_pair (first,
              FH_COMPARED_FILES,
              0,
              TRUE,
              "out.csv, 1 byte",
              "out.csv, 1 byte, other content");
  check_pair (second, FH_COMPARED_FILES, 0, FALSE, "out.csv, 1 byte", "out.csv, 1 byte");
  check_pair (second, FH_COMPARED_FILES, 1, TRUE, NULL, "new\\u001b.txt, 2 bytes");
  check_pair (third, FH_COMPARED_FILES, 1, TRUE, "new\\u001b.txt, 2 bytes", NULL);

  /* What differs is shown first. */
  fh_diff_rows_add_part (rows, second, FH_COMPARED_FILES);
  g_assert_cmpuint (rows->len, ==, 3);
  g_assert_true (fh_diff_row_get_facts (rows->pdata[1])->differs);
  g_assert_false (fh_diff_row_get_facts (rows->pdata[2])->differs);
}

static void
test_titles (void)
{
  for (guint part = 0; part < FH_N_COMPARED; part++)
    g_assert_nonnull (fh_compared_part_title (part));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-comparison/same", test_same);
  g_test_add_func ("/run-comparison/remarks", test_remarks);
  g_test_add_func ("/run-comparison/texts", test_texts);
  g_test_add_func ("/run-comparison/colours", test_colours);
  g_test_add_func ("/run-comparison/ending", test_ending);
  g_test_add_func ("/run-comparison/block", test_block);
  g_test_add_func ("/run-comparison/attempts", test_attempts);
  g_test_add_func ("/run-comparison/options", test_options);
  g_test_add_func ("/run-comparison/variables", test_variables);
  g_test_add_func ("/run-comparison/empty-option", test_empty_option);
  g_test_add_func ("/run-comparison/guards", test_guards);
  g_test_add_func ("/run-comparison/files", test_files);
  g_test_add_func ("/run-comparison/titles", test_titles);
  return g_test_run ();
}
