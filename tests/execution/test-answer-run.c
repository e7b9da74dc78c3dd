/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of an answer, around a backend that does what the test says. */
#include "answer-run.h"

#include <string.h>

#include "fake-backend.h"
#include "fh-test.h"
#include "run-driver.h"

typedef struct
{
  FakeBackend *backend;
  FhProbes *probes;
  FhExecutor *executor;
  FhRunOptions *options;
  FhAnswerRun *answer;
  GString *told;               /* the signals, one letter each */
  char *message;               /* of the last refusal */
  const char *const *policies; /* nullable */
  gboolean is_deaf;            /* does not listen to questions */
} Fixture;

static void
asking_cb (FhAnswerRun *answer, guint index, Fixture *fixture)
{
  g_assert_true (fh_answer_run_is_asking (answer));
  g_string_append_printf (fixture->told, "%ua", index);
}

static void
started_cb (FhAnswerRun *answer, guint index, FhRun *run, Fixture *fixture)
{
  g_string_append_printf (fixture->told, "%us", index);
}

static void
finished_cb (FhAnswerRun *answer, guint index, FhRun *run, Fixture *fixture)
{
  g_string_append_printf (fixture->told, "%uf", index);
}

static void
saved_cb (FhAnswerRun *answer, guint index, Fixture *fixture)
{
  g_string_append_printf (fixture->told, "%uw", index);
}

static void
refused_cb (FhAnswerRun *answer, guint index, const char *message, Fixture *fixture)
{
  g_string_append_printf (fixture->told, "%ux", index);
  g_free (fixture->message);
  fixture->message = g_strdup (message);
}

static void
done_cb (FhAnswerRun *answer, Fixture *fixture)
{
  g_assert_true (fh_answer_run_is_done (answer));
  g_string_append_c (fixture->told, '.');
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->backend = fake_backend_new ();
  fixture->probes = fh_probes_new (FH_BACKEND (fixture->backend));
  fixture->executor = fh_executor_new (fixture->probes, NULL);
  fixture->options = fh_run_options_new ();
  fixture->told = g_string_new (NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->answer);
  fh_run_options_free (fixture->options);
  g_object_unref (fixture->executor);
  g_object_unref (fixture->probes);
  g_object_unref (fixture->backend);
  g_string_free (fixture->told, TRUE);
  g_free (fixture->message);
}

static void
start (Fixture *fixture, const char *text)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);

  if (fixture->policies != NULL)
    g_assert_true (fh_answer_set_policies (blocks, fixture->policies, NULL));
  fixture->answer = fh_answer_run_new (fixture->executor, blocks, fixture->options);
  if (!fixture->is_deaf)
    g_signal_connect (fixture->answer, "asking", G_CALLBACK (asking_cb), fixture);
  g_signal_connect (fixture->answer, "started", G_CALLBACK (started_cb), fixture);
  g_signal_connect (fixture->answer, "finished", G_CALLBACK (finished_cb), fixture);
  g_signal_connect (fixture->answer, "saved", G_CALLBACK (saved_cb), fixture);
  g_signal_connect (fixture->answer, "refused", G_CALLBACK (refused_cb), fixture);
  g_signal_connect (fixture->answer, "done", G_CALLBACK (done_cb), fixture);
  fh_answer_run_start (fixture->answer);
}

static void
await (Fixture *fixture, const char *told)
{
  while (!g_str_equal (fixture->told->str, told))
    {
      g_assert_cmpuint (fixture->told->len, <=, strlen (told));
      g_main_context_iteration (NULL, TRUE);
    }
}

/* The program leaves a file of this name. */
static void
leave (Fixture *fixture, const char *path)
{
  g_autoptr (GBytes) content = g_bytes_new_static (path, strlen (path));
  g_autoptr (FhResultFile) file =
      fh_result_file_new (&(FhResultFileFacts){ .path = path, .content = content });

  fh_result_files_add (fh_run_get_files (fake_backend_get_run (fixture->backend)), file);
}

/* The program deletes a file that it was given, and makes another one executable. */
static void
change_given (Fixture *fixture, const char *deleted, const char *program)
{
  FhResultFiles *files = fh_run_get_files (fake_backend_get_run (fixture->backend));
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GBytes) content = g_bytes_new_static ("", 0);
  g_autoptr (FhResultFile) file = fh_result_file_new (
      &(FhResultFileFacts){ .path = program, .is_program = TRUE, .content = content });

  g_ptr_array_add (gone, g_strdup (deleted));
  fh_result_files_set_gone (files, gone);
  fh_result_files_add (files, file);
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/* The paths that lie beside the program that was started last, sorted; "!" can be executed. */
static char *
dup_given (Fixture *fixture)
{
  FhRunRequest *request = fh_run_get_request (fake_backend_get_run (fixture->backend));
  GPtrArray *files = fh_run_request_get_files (request);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const FhRunFile *file = files->pdata[i];

      g_ptr_array_add (paths, g_strconcat (file->path, file->is_program ? "!" : "", NULL));
    }
  g_ptr_array_sort (paths, compare_paths);
  g_ptr_array_add (paths, NULL);
  return g_strjoinv (" ", (char **) paths->pdata);
}

static const char three[] = "```py\n1\n```\n```sh\n2\n```\n```python\n3\n```\n";
static const char four[] =
    "```sh\n1\n```\n```json\n2\n```\n```py\n# filename: a/b.py\n```\n```py\n4\n```\n";

static void
test_in_order (Fixture *fixture, gconstpointer data)
{
  g_autofree char *third = NULL, *fourth = NULL;
  g_autoptr (FhResultFiles) files = NULL;

  start (fixture, four);
  await (fixture, "0s");
  leave (fixture, "table.csv");
  leave (fixture, "main.py");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0s0f1w2s");
  third = dup_given (fixture);
  g_assert_cmpstr (third, ==, "a/b.py block-2.json table.csv");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0s0f1w2s2f3s");
  fourth = dup_given (fixture);
  g_assert_cmpstr (fourth, ==, third);
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0s0f1w2s2f3s3f.");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 0);
  files = fh_answer_run_dup_files (fixture->answer);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 4);
}

static void
test_changed_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *second = NULL, *third = NULL;
  g_autoptr (FhResultFiles) files = NULL;

  start (fixture, three);
  await (fixture, "0s");
  leave (fixture, "gone");
  leave (fixture, "run");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0s0f1s");
  second = dup_given (fixture);
  g_assert_cmpstr (second, ==, "gone run");
  change_given (fixture, "gone", "run");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0s0f1s1f2s");
  third = dup_given (fixture);
  g_assert_cmpstr (third, ==, "run!");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0s0f1s1f2s2f.");
  files = fh_answer_run_dup_files (fixture->answer);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 1);
  g_assert_true (fh_result_file_get_facts (fh_result_files_get (files, 0))->is_program);
}

static void
test_failure (Fixture *fixture, gconstpointer data)
{
  start (fixture, four);
  await (fixture, "0s");
  fake_backend_finish (fixture->backend, 7);
  await (fixture, "0s0f.");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 7);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  start (fixture, "```cobol\n1\n```\n");
  await (fixture, "0x.");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 1);
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  start (fixture, "Only words.");
  await (fixture, "0x.");
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  start (fixture, four);
  await (fixture, "0s");
  fh_answer_run_stop (fixture->answer);
  g_assert_cmpuint (fake_backend_get_n_stops (fixture->backend), ==, 1);
  /* A program may end well although it was asked to stop. */
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0s0f.");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 130);
  /* Idempotent. */
  fh_answer_run_stop (fixture->answer);
  g_assert_cmpstr (fixture->told->str, ==, "0s0f.");
}

static void
test_stopped_before (Fixture *fixture, gconstpointer data)
{
  start (fixture, four);
  fh_answer_run_stop (fixture->answer);
  await (fixture, ".");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 130);
}

/* Lets the program that writes a file end. */
static void
await_writer (Fixture *fixture, guint number, const char *path)
{
  FhRunRequest *request;
  GBytes *input;

  while (fake_backend_get_n_runs (fixture->backend) < number)
    g_main_context_iteration (NULL, TRUE);
  request = fh_run_get_request (fake_backend_get_run (fixture->backend));
  input = fh_run_request_get_standard_input (request);
  g_assert_cmpstr (fh_run_request_get_language (request)->id, ==, "sh");
  g_assert_cmpstr (fh_run_request_get_arguments (request)[0], ==, path);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (input, NULL), -1, path));
  fake_backend_finish (fixture->backend, 0);
}

/* In a folder of the user's a program writes the files of blocks. */
static void
test_work_dir (Fixture *fixture, gconstpointer data)
{
  fixture->options->work_dir = g_strdup (g_get_tmp_dir ());
  start (fixture, "```json\n# filename: a/b.json\n```\n```py\n# filename: c.py\n```\n");
  await_writer (fixture, 1, "a/b.json");
  await (fixture, "0w");
  await_writer (fixture, 2, "c.py");
  await (fixture, "0w1s");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0w1s1f.");
}

static void
test_work_dir_full (Fixture *fixture, gconstpointer data)
{
  fixture->options->work_dir = g_strdup (g_get_tmp_dir ());
  start (fixture, "```json\n1\n```\n```sh\n2\n```\n");
  while (fake_backend_get_n_runs (fixture->backend) < 1)
    g_main_context_iteration (NULL, TRUE);
  fake_backend_finish (fixture->backend, 1);
  await (fixture, "0x.");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 1);
}

static const char *const ask_python[] = { "python=ask", NULL };
static const char *const ask_all[] = { "all=ask", NULL };

static void
start_asking (Fixture *fixture, const char *const *policies)
{
  fixture->policies = policies;
  start (fixture, three);
  await (fixture, "0a");
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

/* Each block of the language is asked about, and others are not. */
static void
test_ask_once (Fixture *fixture, gconstpointer data)
{
  start_asking (fixture, ask_python);
  fh_answer_run_approve (fixture->answer, FALSE);
  await (fixture, "0a0s");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0a0s0f1s");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0a0s0f1s1f2a");
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 2);
  fh_answer_run_refuse (fixture->answer, " not that \n");
  await (fixture, "0a0s0f1s1f2a2x.");
  g_assert_cmpstr (fixture->message, ==, "Code execution was not approved. Reason: not that");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 1);
  /* Too late. */
  fh_answer_run_approve (fixture->answer, TRUE);
  g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 2);
}

static void
test_ask_always (Fixture *fixture, gconstpointer data)
{
  start_asking (fixture, ask_all);
  fh_answer_run_approve (fixture->answer, TRUE);
  await (fixture, "0a0s");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0a0s0f1a");
  fh_answer_run_approve (fixture->answer, FALSE);
  await (fixture, "0a0s0f1a1s");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0a0s0f1a1s1f2s");
  fake_backend_finish (fixture->backend, 0);
  await (fixture, "0a0s0f1a1s1f2s2f.");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 0);
}

static void
test_ask_stopped (Fixture *fixture, gconstpointer data)
{
  start_asking (fixture, ask_all);
  fh_answer_run_stop (fixture->answer);
  await (fixture, "0a0x.");
  g_assert_cmpstr (fixture->message, ==, "Code execution was not approved.");
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 130);
  g_assert_false (fh_answer_run_is_asking (fixture->answer));
}

/* It was approved, and stopped before it could start. */
static void
test_ask_stopped_after (Fixture *fixture, gconstpointer data)
{
  start_asking (fixture, ask_all);
  fh_answer_run_approve (fixture->answer, FALSE);
  fh_answer_run_stop (fixture->answer);
  await (fixture, "0a.");
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
}

static void
test_ask_unheard (Fixture *fixture, gconstpointer data)
{
  fixture->policies = ask_all;
  fixture->is_deaf = TRUE;
  start (fixture, three);
  await (fixture, "0x.");
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 0);
  g_assert_cmpint (fh_answer_run_get_exit_status (fixture->answer), ==, 1);
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/answer-run/in-order", test_in_order },
                  { "/answer-run/changed-files", test_changed_files },
                  { "/answer-run/work-dir", test_work_dir },
                  { "/answer-run/work-dir-full", test_work_dir_full },
                  { "/answer-run/failure", test_failure },
                  { "/answer-run/refused", test_refused },
                  { "/answer-run/empty", test_empty },
                  { "/answer-run/stopped", test_stopped },
                  { "/answer-run/stopped-before", test_stopped_before },
                  { "/answer-run/ask-once", test_ask_once },
                  { "/answer-run/ask-always", test_ask_always },
                  { "/answer-run/ask-stopped", test_ask_stopped },
                  { "/answer-run/ask-stopped-after", test_ask_stopped_after },
                  { "/answer-run/ask-unheard", test_ask_unheard });
