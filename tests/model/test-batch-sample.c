/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-sample.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "batch-input.h"
#include "batch-lines.h"
#include "json-guard.h"

static char *folder;

static char *
new_file (const char *name, const char *content, gssize size)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, content, size, &error);
  g_assert_no_error (error);
  return path;
}

/* The same content twice, packed one after the other. */
static char *
new_packed_file (const char *name, const char *content)
{
  g_autoptr (GConverter) packer =
      G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9));
  g_autofree char *packed = g_malloc (4096);
  gsize n_read;
  gsize size;

  g_assert_cmpint (g_converter_convert (packer,
                                        content,
                                        strlen (content),
                                        packed,
                                        2048,
                                        G_CONVERTER_INPUT_AT_END,
                                        &n_read,
                                        &size,
                                        NULL),
                   ==,
                   G_CONVERTER_FINISHED);
  memcpy (packed + size, packed, size);
  return new_file (name, packed, (gssize) (2 * size));
}

static void
assert_next (FhBatchLines *lines, const char *expected)
{
  g_autoptr (GError) error = NULL;
  gsize size = 0;
  const char *line = fh_batch_lines_next (lines, &size, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (line, (line != NULL ? size : 0), expected, (expected ? strlen (expected) : 0));
}

static void
test_lines (void)
{
  g_autofree char *path = new_file ("lines", "one\n\n  \ntwo\nthr", -1);
  g_autoptr (FhBatchLines) lines = fh_batch_lines_open (path, NULL);

  assert_next (lines, "one");
  g_assert_cmpuint (fh_batch_lines_get_place (lines)->offset, ==, 4);
  assert_next (lines, "two");
  g_assert_cmpuint (fh_batch_lines_get_place (lines)->number, ==, 4);
  g_assert_false (fh_batch_lines_get_place (lines)->is_torn);
  assert_next (lines, "thr");
  g_assert_true (fh_batch_lines_get_place (lines)->is_torn);
  assert_next (lines, NULL);
}

static void
test_packed_lines (void)
{
  g_autofree char *path = new_packed_file ("packed", "one\ntwo\n");
  g_autoptr (FhBatchLines) lines = fh_batch_lines_open (path, NULL);

  for (guint i = 0; i < 2; i++)
    {
      assert_next (lines, "one");
      assert_next (lines, "two");
    }
  assert_next (lines, NULL);
}

static void
test_damaged_lines (void)
{
  g_autofree char *path = new_packed_file ("damaged", "one\ntwo\n");
  g_autoptr (FhBatchLines) lines = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_cmpint (truncate (path, 50), ==, 0);
  lines = fh_batch_lines_open (path, NULL);
  while (fh_batch_lines_next (lines, &size, &error) != NULL)
    ;
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "damaged"));
}

static void
test_endless_line (void)
{
  g_autofree char *path = g_build_filename (folder, "endless", NULL);
  g_autoptr (FhBatchLines) lines = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_free (new_file ("endless", "", 0));
  g_assert_cmpint (truncate (path, (goffset) FH_BATCH_MAX_LINE + (1 << 20)), ==, 0);
  lines = fh_batch_lines_open (path, NULL);
  g_assert_null (fh_batch_lines_next (lines, &size, &error));
  g_assert_nonnull (strstr (error->message, "too long"));
}

static FhBatchSample *
sample_of (const char *json, const FhBatchProblems *problems, GError **error)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (json, strlen (json), 100000, error);
  g_autoptr (FhRunOptions) options = fh_run_options_new ();

  return object != NULL ? fh_batch_sample_from_json (object, problems, options, "line:1", error)
                        : NULL;
}

static void
test_members (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhBatchSample) sample =
      sample_of ("{\"id\": 7, \"source\": \"cat\", \"language\": \"sh\", \"stdin\": \"in\","
                 " \"arguments\": [\"-a\", \"b\"], \"timeout\": 1.5, \"memory\": \"64M\","
                 " \"expected_stdout\": \"out\", \"files\": {\"a\": \"b\"}}",
                 NULL,
                 &error);
  const FhRunLimits *limits;

  g_assert_no_error (error);
  g_assert_cmpstr (sample->id, ==, "7");
  g_assert_null (sample->task_id);
  g_assert_null (sample->marker);
  g_assert_cmpstr (fh_run_request_get_parts (sample->request)->language->id, ==, "sh");
  g_assert_cmpstr (fh_run_request_get_parts (sample->request)->arguments[1], ==, "b");
  g_assert_cmpuint (g_bytes_get_size (fh_run_request_get_parts (sample->request)->standard_input),
                    ==,
                    2);
  g_assert_cmpuint (g_bytes_get_size (sample->expected), ==, 3);
  g_assert_cmpuint (fh_run_request_get_parts (sample->request)->files->len, ==, 1);
  limits = &fh_run_request_get_parts (sample->request)->limits;
  g_assert_cmpuint (limits->wall_ms, ==, 1500);
  g_assert_cmpuint (limits->memory_bytes, ==, 64 << 20);
}

static void
assert_refused (const char *json, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhBatchSample) sample = sample_of (json, NULL, &error);

  g_assert_null (sample);
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refused (void)
{
  g_autofree char *name = g_strnfill (1025, 'x');
  g_autofree char *long_id = g_strdup_printf ("{\"source\": \"\", \"id\": \"%s\"}", name);

  assert_refused (long_id, "id");
  assert_refused ("{\"source\": \"\", \"id\": \"\"}", "id");
  assert_refused ("{}", "completion");
  assert_refused ("{\"source\": 5}", "source");
  assert_refused ("{\"source\": \"\", \"id\": []}", "id");
  assert_refused ("{\"source\": \"\", \"language\": \"cobol\"}", "cobol");
  assert_refused ("{\"source\": \"\", \"timeout\": \"soon\"}", "timeout");
  assert_refused ("{\"source\": \"\", \"timeout\": 31}", "--timeout");
  assert_refused ("{\"source\": \"\", \"timeout\": \"none\"}", "--timeout");
  assert_refused ("{\"source\": \"\", \"memory\": 513}", "--memory");
  assert_refused ("{\"source\": \"\", \"memory\": {}}", "memory");
  assert_refused ("{\"source\": \"\", \"files\": [\"a\"]}", "files");
  assert_refused ("{\"source\": \"\", \"files\": {\"../a\": \"b\"}}", "../a");
  assert_refused ("{\"source\": \"\", \"files\": {\"a\\u0000b\": \"\"}}", "NUL");
  assert_refused ("{\"task_id\": \"x/1\", \"completion\": \"\"}", "--problems");
  assert_refused ("{\"source\": \"\", \"id\": 1, \"id\": 2}", "");
}

static const char humaneval[] =
    "{\"task_id\": \"H/0\", \"prompt\": \"def f():\\n\", \"entry_point\": \"f\","
    " \"canonical_solution\": \"\", \"test\": \"def check(g):\\n    assert g()\\n\"}\n";
static const char mbpp[] =
    "{\"task_id\": 11, \"text\": \"\", \"code\": \"\", \"test_setup_code\": \"x = 1\","
    " \"test_list\": [\"assert f()\", \"assert x\"]}\n";

static char *
program_of (const char *problems_text, const char *sample_text, char **marker)
{
  g_autofree char *path = new_file ("problems", problems_text, -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhBatchProblems) problems = fh_batch_problems_load (path, &error);
  g_autoptr (FhBatchSample) sample = NULL;

  g_assert_no_error (error);
  sample = sample_of (sample_text, problems, &error);
  g_assert_no_error (error);
  *marker = g_strdup (sample->marker);
  return fh_run_request_dup_source_text (sample->request);
}

static void
test_problems (void)
{
  g_autofree char *marker = NULL;
  g_autofree char *other_marker = NULL;
  g_autofree char *first =
      program_of (humaneval, "{\"task_id\": \"H/0\", \"completion\": \"  return 1\"}", &marker);
  g_autofree char *second =
      program_of (mbpp, "{\"task_id\": 11, \"completion\": \"def f(): return 1\"}", &other_marker);

  g_assert_true (g_str_has_prefix (first,
                                   "def f():\n  return 1\n"
                                   "def check(g):\n    assert g()\n\ncheck(f)\n"));
  g_assert_true (g_str_has_prefix (second, "def f(): return 1\n\nx = 1\nassert f()\nassert x\n"));
  g_assert_nonnull (strstr (first, marker));
  g_assert_cmpstr (marker, !=, other_marker);
}

/* The program without its tests, and these without it; or why that cannot be. */
static void
test_tests_apart (void)
{
  g_autofree char *path = new_file ("problems", humaneval, -1);
  g_autoptr (FhBatchProblems) problems = fh_batch_problems_load (path, NULL);
  g_autoptr (FhBatchSample) sample =
      sample_of ("{\"task_id\": \"H/0\", \"completion\": \"  return 1\"}", problems, NULL);
  g_autoptr (FhBatchSample) with_input =
      sample_of ("{\"task_id\": \"H/0\", \"completion\": \"  os._exit (0)\", \"stdin\": \"x\"}",
                 problems,
                 NULL);
  g_autoptr (FhBatchSample) without = sample_of ("{\"source\": \"x = 1\"}", problems, NULL);
  const char *const doubts[] = { "a", "b", "a", NULL };

  g_assert_cmpstr (sample->program, ==, "def f():\n  return 1\n");
  g_assert_cmpstr (json_object_get_string_member (sample->test, "problem"), ==, "def f():\n");
  g_assert_cmpstr (json_object_get_string_member (sample->test, "tests"),
                   ==,
                   "def check(g):\n    assert g()\n\ncheck(f)\n");
  g_assert_cmpstr (json_object_get_string_member (sample->test, "entry"), ==, "f");
  g_assert_null (sample->shared);
  g_assert_null (with_input->test);
  g_assert_nonnull (strstr (with_input->shared, "standard input"));
  g_assert_cmpuint (with_input->doubts->len, ==, 1);
  g_assert_cmpstr (with_input->doubts->pdata[0], ==, "_exit");
  g_assert_true (without->test == NULL && without->shared == NULL);
  fh_batch_sample_add_doubts (sample, doubts);
  g_assert_cmpuint (sample->doubts->len, ==, 2);
  sample->tests = FH_BATCH_TESTS_APART;
  fh_batch_sample_share (sample, "why");
  g_assert_cmpint (sample->tests, ==, FH_BATCH_TESTS_TOGETHER);
}

/* The block of an answer; NULL: the completion is plain. */
static void
test_completions (void)
{
  const struct
  {
    const char *completion;
    const char *block;
    gboolean has_marks;
  } cases[] = {
    { "    return 1\n", NULL, FALSE },
    { "", NULL, FALSE },
    { "```python\ndef f(): return 1\n```\n", "def f(): return 1\n", TRUE },
    { " ```Python3\ndef f(): return 1\n ```", "def f(): return 1\n", TRUE },
    { "Here it is.\n\n~~~py\n  return 1\n~~~\nIt returns 1.", "  return 1\n", TRUE },
    { "# Answer\n\n```\nreturn 1\n```\n", "return 1\n", TRUE },
    { "Run:\n```bash\npip install x\n```\n```\nf()\n```\n```python\nreturn 1\n```\n",
      "return 1\n",
      TRUE },
    { "First:\n```python\nreturn 1\n```\nor\n```python\nreturn 2\n```\n", "return 1\n", TRUE },
    { "Run:\n```bash\npip install x\n```\n", NULL, TRUE },
    /* What goes on with the prompt stays as it is, whatever comes after it. */
    { "    return 1\n```\nIt returns 1, see\n```python\nf()\n```\n", NULL, TRUE },
    { "\treturn 1\n\n```python\nf()\n```\n", NULL, TRUE },
    { "\n\n    return 1\n```\nf()\n```\n", NULL, TRUE },
    { "def f():\n    return 1\n```\nf()\n```\n", NULL, TRUE },
    { "from x import y\n```\nf()\n```\n", NULL, TRUE },
    { " import x\n```\nf()\n```\n", NULL, TRUE },
    { "@cache\ndef f():\n    return 1\n```\nf()\n```\n", NULL, TRUE },
    { "import\n```\nf()\n```\n", NULL, TRUE },
    { "important:\n```\nf()\n```\n", "f()\n", TRUE },
    { "def_of f:\n```\nf()\n```\n", "f()\n", TRUE },
    { "x = \"\"\"\n```python\nf()\n```\n\"\"\"\n", NULL, TRUE },
    /* An answer that was cut off. */
    { "Here:\n```python\ndef f():\n    ret", NULL, TRUE },
    { "    return 1\n<|endoftext|>", NULL, TRUE },
    { "    return 1</s>", NULL, TRUE },
    { "    return 1[/INST]", NULL, TRUE },
    { "    return a <b|c> d\n", NULL, FALSE },
    { "    return a <| d\n", NULL, FALSE },
    { "    return '```'\n", NULL, FALSE },
    { "    return '``' * 3\n", NULL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *block = fh_batch_completion_unwrap (cases[i].completion);

      g_test_message ("%s", cases[i].completion);
      g_assert_cmpstr (block, ==, cases[i].block);
      g_assert_cmpint (fh_batch_completion_has_marks (cases[i].completion), ==, cases[i].has_marks);
    }
}

static void
assert_no_problems (const char *text)
{
  g_autofree char *path = new_file ("problems", text, -1);
  g_autoptr (GError) error = NULL;

  g_assert_null (fh_batch_problems_load (path, &error));
  g_assert_nonnull (strstr (error->message, "line"));
}

static void
test_bad_problems (void)
{
  g_autofree char *twice = g_strconcat (mbpp, mbpp, NULL);

  assert_no_problems (twice);
  assert_no_problems ("{\"task_id\": \"H/0\", \"prompt\": \"\"}\n");
  assert_no_problems ("{\"test_list\": []}\n");
  assert_no_problems ("nonsense\n");
}

static char *
ids_of (FhBatchInput *input)
{
  GString *ids = g_string_new (NULL);

  for (guint64 number = 1;; number++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FhBatchSample) sample = fh_batch_input_next (input, &error);

      g_assert_no_error (error);
      if (sample == NULL)
        return g_string_free (ids, FALSE);
      g_assert_cmpuint (sample->number, ==, number);
      g_string_append_printf (ids, "%s ", sample->id);
    }
}

static void
test_input (void)
{
  g_autofree char *programs = g_build_filename (folder, "programs", NULL);
  g_autofree char *pattern = g_build_filename (programs, "*.sh", NULL);
  g_autofree char *lines = new_file ("s.jsonl",
                                     "{\"source\": \"\"}\n"
                                     "{\"task_id\": \"t\", \"source\": \"\"}\n"
                                     "{\"task_id\": \"t\", \"source\": \"\"}\n"
                                     "{\"task_id\": \"t\", \"id\": \"own\", \"source\": \"\"}\n",
                                     -1);
  const char *const paths[] = { lines, programs, pattern, NULL };
  const char *const nothing[] = { "/nowhere/*.py", NULL };
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhBatchInput) input = NULL;
  g_autofree char *ids = NULL;
  g_autofree char *again = NULL;
  g_autofree char *expected = g_strdup_printf ("s.jsonl:1 t#1 t#2 own %s/a.py %s/b.sh %s/b.sh ",
                                               programs,
                                               programs,
                                               programs);

  g_assert_cmpint (g_mkdir (programs, 0700), ==, 0);
  g_free (new_file ("programs/b.sh", "", 0));
  g_free (new_file ("programs/a.py", "", 0));
  g_free (new_file ("programs/.hidden.py", "", 0));
  g_free (new_file ("programs/notes.odt", "", 0));
  input = fh_batch_input_new (paths, NULL, options, NULL);
  ids = ids_of (input);
  fh_batch_input_rewind (input);
  again = ids_of (input);
  g_assert_cmpstr (ids, ==, expected);
  g_assert_cmpstr (again, ==, expected);
  g_assert_null (fh_batch_input_new (nothing, NULL, options, NULL));
}

static void
test_hash (void)
{
  static const char *const different[] = {
    "{\"source\": \"1\"}",
    "{\"source\": \"2\"}",
    "{\"source\": \"1\", \"stdin\": \"\"}",
    "{\"source\": \"1\", \"timeout\": 1}",
    "{\"source\": \"1\", \"files\": {\"a\": \"\"}}",
    "{\"source\": \"1\", \"files\": {\"a\": \"1\"}}",
    "{\"source\": \"1\", \"files\": {\"b\": \"1\"}}",
    "{\"source\": \"1\", \"expected_stdout\": \"\"}",
    "{\"source\": \"1\", \"expected_stdout\": \"1\"}",
  };
  g_autoptr (GHashTable) hashes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n = G_N_ELEMENTS (different);

  for (guint i = 0; i < 2 * n; i++)
    {
      g_autoptr (FhBatchSample) sample = sample_of (different[i % n], NULL, NULL);

      g_assert_true (g_hash_table_add (hashes, fh_batch_sample_dup_hash (sample)) == (i < n));
    }
}

/* The numbers are the contract between computers; all parts are of about the same size. */
static void
test_shards (void)
{
  guint counts[8] = { 0 };
  FhBatchSample sample = { .id = (char *) "HumanEval/0#1" };

  g_assert_cmpuint (fh_batch_sample_shard (&sample, 1), ==, 1);
  g_assert_cmpuint (fh_batch_sample_shard (&sample, 1000), ==, 728);
  for (guint i = 0; i < 8000; i++)
    {
      g_autofree char *id = g_strdup_printf ("HumanEval/%u#1", i);

      sample.id = id;
      counts[fh_batch_sample_shard (&sample, 8) - 1]++;
    }
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_assert_cmpuint (ABS ((int) counts[i] - 1000), <, 120);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      remove_all (file);
    }
  g_remove (path);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("fumehood-test-XXXXXX", NULL);
  g_test_add_func ("/batch-lines/plain", test_lines);
  g_test_add_func ("/batch-lines/packed", test_packed_lines);
  g_test_add_func ("/batch-lines/damaged", test_damaged_lines);
  g_test_add_func ("/batch-lines/endless", test_endless_line);
  g_test_add_func ("/batch-sample/members", test_members);
  g_test_add_func ("/batch-sample/refused", test_refused);
  g_test_add_func ("/batch-problems/complete", test_problems);
  g_test_add_func ("/batch-sample/tests-apart", test_tests_apart);
  g_test_add_func ("/batch-sample/completions", test_completions);
  g_test_add_func ("/batch-problems/refused", test_bad_problems);
  g_test_add_func ("/batch-input/order", test_input);
  g_test_add_func ("/batch-sample/hash", test_hash);
  g_test_add_func ("/batch-sample/shards", test_shards);
  status = g_test_run ();
  remove_all (folder);
  g_free (folder);
  return status;
}
