/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the blocks of an answer get from those before them. */
#include <string.h>

#include "run-driver.h"
#include "series-room.h"

/* The program leaves a file of this name. */
static void
leave (SeriesRoom *room, const char *path)
{
  g_autoptr (GBytes) content = g_bytes_new_static (path, strlen (path));
  g_autoptr (FhResultFile) file =
      fh_result_file_new (&(FhResultFileFacts){ .path = path, .content = content });

  fh_result_files_add (fh_run_get_files (fake_backend_get_run (room->backend)), file);
}

/* The program deletes a file that it was given, and makes another one executable. */
static void
change_given (SeriesRoom *room, const char *deleted, const char *program)
{
  FhResultFiles *files = fh_run_get_files (fake_backend_get_run (room->backend));
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GBytes) content = g_bytes_new_static ("", 0);
  g_autoptr (FhResultFile) file = fh_result_file_new (
      &(FhResultFileFacts){ .path = program, .is_program = TRUE, .content = content });

  g_ptr_array_add (gone, g_strdup (deleted));
  fh_result_files_set_handed_on (files, gone, NULL, FALSE);
  fh_result_files_add (files, file);
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/* The paths that lie beside the program that was started last, sorted; "!" can be executed, "@" is
 * a link, "^" is in /tmp. */
static char *
dup_given (SeriesRoom *room)
{
  FhRunRequest *request = fh_run_get_request (fake_backend_get_run (room->backend));
  GPtrArray *files = fh_run_request_get_parts (request)->files;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const FhRunFile *file = files->pdata[i];

      g_ptr_array_add (paths,
                       g_strconcat (file->path,
                                    (file->mode & 0100) != 0 ? "!" : "",
                                    file->kind == FH_RUN_FILE_LINK ? "@" : "",
                                    file->is_in_tmp ? "^" : "",
                                    NULL));
    }
  g_ptr_array_sort (paths, compare_paths);
  g_ptr_array_add (paths, NULL);
  return g_strjoinv (" ", (char **) paths->pdata);
}

static guint
count_files (SeriesRoom *room)
{
  g_autoptr (FhResultFiles) files = fh_series_dup_files (room->series);

  return g_list_model_get_n_items (G_LIST_MODEL (files));
}

static const char *
get_title (SeriesRoom *room)
{
  return fh_run_request_get_parts (fh_run_get_request (fake_backend_get_run (room->backend)))
      ->title;
}

static const char three[] = "```py\n1\n```\n```sh\n2\n```\n```python\n3\n```\n";
static const char four[] =
    "```sh\n1\n```\n```json\n2\n```\n```py\n# filename: a/b.py\n```\n```py\n4\n```\n";

static void
test_in_order (SeriesRoom *room, gconstpointer data)
{
  g_autofree char *third = NULL, *fourth = NULL;

  series_room_new_answer (room, four, NULL);
  series_room_start (room);
  series_room_await (room, "1s");
  leave (room, "table.csv");
  leave (room, "main.py");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2w3s");
  third = dup_given (room);
  g_assert_cmpstr (third, ==, "a/b.py block-2.json table.csv");
  g_assert_true (g_str_has_prefix (get_title (room), "[3] "));
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2w3s3f4s");
  fourth = dup_given (room);
  g_assert_cmpstr (fourth, ==, third);
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2w3s3f4s4f.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 0);
  g_assert_cmpuint (count_files (room), ==, 4);
  g_assert_cmpstr (room->states->str, ==, "RD");
}

static void
test_note (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, "```json\n2\n```\n", NULL);
  series_room_start (room);
  series_room_await (room, "1w.");
  g_assert_cmpstr (fh_step_get_note (room->step), ==, "Code saved to block-1.json");
  g_assert_null (fh_step_get_run (room->step));
  g_assert_cmpuint (fh_step_get_block (room->step)->line, ==, 2);
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 0);
  g_assert_cmpuint (count_files (room), ==, 1);
}

static void
test_changed_files (SeriesRoom *room, gconstpointer data)
{
  g_autofree char *second = NULL, *third = NULL;
  g_autoptr (FhResultFiles) files = NULL;

  series_room_new_answer (room, three, NULL);
  series_room_start (room);
  leave (room, "gone");
  leave (room, "run");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s");
  second = dup_given (room);
  g_assert_cmpstr (second, ==, "gone run");
  change_given (room, "gone", "run");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s2f3s");
  third = dup_given (room);
  g_assert_cmpstr (third, ==, "run!");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s2f3s3f.");
  files = fh_series_dup_files (room->series);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 1);
  g_assert_true (fh_result_file_get_facts (fh_result_files_get (files, 0))->is_program);
}

/* The run that was started last leaves something that is no file of its result. */
static void
hand_on (SeriesRoom *room, const char *path, FhRunFileKind kind, gboolean is_in_tmp)
{
  FhResultFiles *files = fh_run_get_files (fake_backend_get_run (room->backend));
  g_autoptr (GPtrArray) handed_on =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  g_autoptr (GBytes) content = g_bytes_new_static ("x", 1);
  FhRunFile *file = fh_run_file_new (path, content);

  file->kind = kind;
  file->is_in_tmp = is_in_tmp;
  g_ptr_array_add (handed_on, file);
  for (guint i = 0; i < fh_result_files_get_facts (files)->handed_on->len; i++)
    g_ptr_array_add (handed_on,
                     fh_run_file_copy (fh_result_files_get_facts (files)->handed_on->pdata[i]));
  fh_result_files_set_handed_on (files, NULL, handed_on, FALSE);
}

/* Links, empty folders and files in /tmp are no files of the answer. A block that is saved below a
 * link makes a folder of it. */
static void
test_handed_on (SeriesRoom *room, gconstpointer data)
{
  g_autofree char *second = NULL, *third = NULL;
  g_autoptr (FhResultFiles) left = NULL;

  series_room_new_answer (room,
                          "```sh\n1\n```\n```sh\n2\n```\n"
                          "```py\n# filename: link/b.py\n```\n",
                          NULL);
  series_room_start (room);
  leave (room, "a");
  hand_on (room, "a", FH_RUN_FILE_REGULAR, TRUE);
  hand_on (room, "b", FH_RUN_FILE_REGULAR, TRUE);
  hand_on (room, "link", FH_RUN_FILE_LINK, FALSE);
  hand_on (room, "folder", FH_RUN_FILE_FOLDER, FALSE);
  g_assert_true (
      fh_run_request_get_parts (fh_run_get_request (fake_backend_get_run (room->backend)))
          ->hands_on);
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s");
  second = dup_given (room);
  g_assert_cmpstr (second, ==, "a a^ b^ folder link@");
  hand_on (room, "a", FH_RUN_FILE_REMOVED, TRUE);
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s2f3s");
  third = dup_given (room);
  g_assert_cmpstr (third, ==, "a b^ link/b.py");
  g_assert_cmpuint (count_files (room), ==, 2);
  left = fh_series_dup_files (room->series);
  g_assert_cmpuint (fh_result_files_get_facts (left)->handed_on->len, ==, 1);
}

/* So much that another run could be refused for it is not handed on, and that is said. */
static void
test_too_much_to_hand_on (SeriesRoom *room, gconstpointer data)
{
  g_autofree char *second = NULL;
  g_autoptr (FhStep) first = NULL;

  series_room_new_answer (room, three, NULL);
  series_room_start (room);
  first = g_object_ref (room->step);
  leave (room, "a");
  for (guint i = 0; i < FH_RUN_FILES_MAX / 2; i++)
    {
      g_autofree char *path = g_strdup_printf ("%u", i);

      hand_on (room, path, FH_RUN_FILE_REGULAR, TRUE);
    }
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s");
  second = dup_given (room);
  g_assert_cmpstr (second, ==, "a");
  g_assert_nonnull (strstr (fh_step_get_note (first), "is there for the next one"));
}

static void
test_partly_handed_on (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhStep) first = NULL;

  series_room_new_answer (room, "```sh\n1\n```\n```sh\n2\n```\n", NULL);
  series_room_start (room);
  for (guint i = 0; i < 2; i++)
    {
      FhResultFiles *files = fh_run_get_files (fake_backend_get_run (room->backend));

      g_set_object (&first, room->step);
      fh_result_files_set_handed_on (files, NULL, NULL, TRUE);
      fake_backend_finish (room->backend, 0);
      series_room_await (room, i == 0 ? "1s1f2s" : "1s1f2s2f.");
      /* There is none after the last one. */
      g_assert_true ((fh_step_get_note (first) != NULL) == (i == 0));
    }
}

/* All blocks can share a sandbox. What others have left in it may be in what is told of a block,
 * and what was not handed on is still there. */
static void
test_shared (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhStep) first = NULL;
  FhRunRequest *request;
  FhRun *run;

  series_room_new_answer (room, "```sh\n1\n```\n```sh\n2\n```\n```py\n3\n```\n", NULL);
  series_room_start (room);
  first = g_object_ref (room->step);
  run = fake_backend_get_run (room->backend);
  request = fh_run_get_request (run);
  g_assert_true (g_strv_contains (fh_run_request_get_parts (request)->shares, "sh"));
  g_assert_true (g_strv_contains (fh_run_request_get_parts (request)->shares, "python"));
  g_assert_true (fh_run_request_get_parts (request)->stays);
  leave (room, "left");
  fh_result_files_set_handed_on (fh_run_get_files (run), NULL, NULL, TRUE);
  fake_backend_stay (room->backend, 1);
  series_room_await (room, "1s1f2s");
  g_assert_nonnull (strstr (fh_step_get_note (first), "1 process goes on after this block."));
  g_assert_null (strstr (fh_step_get_note (first), "is there for the next one"));
  request = fh_run_get_request (fake_backend_get_run (room->backend));
  g_assert_true (fh_run_request_get_parts (request)->stays);
  g_assert_cmpuint (fh_run_request_get_parts (request)->files->len, ==, 1);
  g_assert_false (((FhRunFile *) fh_run_request_get_parts (request)->files->pdata[0])->is_new);
  fake_backend_stay (room->backend, 1);
  series_room_await (room, "1s1f2s2f3s");
  request = fh_run_get_request (fake_backend_get_run (room->backend));
  g_assert_false (fh_run_request_get_parts (request)->stays);
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s2f3s3f.");
  g_assert_nonnull (strstr (fh_step_get_note (room->step), "may be its own"));
}

/* Without the sandbox of the others, theirs is gone. */
static void
test_shared_sandbox_ended (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, "```sh\n1\n```\n```sh\n2\n```\n", NULL);
  series_room_start (room);
  fake_backend_stay (room->backend, 1);
  series_room_await (room, "1s1f2s");
  fh_run_set_earlier_end (fake_backend_get_run (room->backend), "It was too large.");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1s1f2s2f.");
  g_assert_nonnull (strstr (fh_step_get_note (room->step), "is there. It was too large."));
  g_assert_null (strstr (fh_step_get_note (room->step), "meanwhile"));
}

/* Run from the second block on, with what the first has left: numbers are those of the answer, and
 * titles those of the series. */
static void
test_from_here (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (three);
  g_autoptr (FhResultFiles) left = fh_result_files_new ();
  g_autoptr (GBytes) content = g_bytes_new_static ("x", 1);
  g_autoptr (FhResultFile) file =
      fh_result_file_new (&(FhResultFileFacts){ .path = "left", .content = content });
  g_autofree char *given = NULL;

  fh_result_files_add (left, file);
  g_ptr_array_remove_index (blocks, 0);
  room->series = fh_series_new_answer (room->executor, blocks, 2, room->options, left, FALSE);
  series_room_start (room);
  series_room_await (room, "2s");
  given = dup_given (room);
  g_assert_cmpstr (given, ==, "left");
  g_assert_true (g_str_has_prefix (get_title (room), "[1] "));
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "2s2f3s");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "2s2f3s3f.");
  g_assert_cmpuint (fh_series_get_outcome (room->series).block, ==, 0);
}

/* The result of one block that runs alone is told as that of the block. */
static void
test_one_alone (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (three);

  g_ptr_array_remove_range (blocks, 0, 2);
  room->series = fh_series_new_answer (room->executor, blocks, 3, room->options, NULL, FALSE);
  series_room_start (room);
  series_room_await (room, "3s");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "3s3f.");
  g_assert_cmpuint (fh_series_get_outcome (room->series).block, ==, 3);
  g_assert_cmpuint (fh_series_get_outcome (room->series).blocks_left, ==, 0);
}

static void
test_refused (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, "```cobol\n1\n```\n```py\n1\n```\n", NULL);
  series_room_start (room);
  series_room_await (room, "1x2-.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 1);
  g_assert_cmpint (fh_series_get_outcome (room->series).status, ==, FH_RUN_STATUS_NOT_STARTED);
}

static void
test_empty (SeriesRoom *room, gconstpointer data)
{
  series_room_new_answer (room, "Only words.", NULL);
  series_room_start (room);
  series_room_await (room, "x.");
  g_assert_cmpstr (fh_step_get_note (room->step), ==, "No code blocks to execute.");
  g_assert_null (fh_step_get_block (room->step));
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 0);
}

/* Lets the program that writes a file end. */
static void
await_writer (SeriesRoom *room, guint number, const char *path)
{
  FhRunRequest *request;
  GBytes *input;

  series_room_await_runs (room, number);
  request = fh_run_get_request (fake_backend_get_run (room->backend));
  input = fh_run_request_get_parts (request)->standard_input;
  g_assert_cmpstr (fh_run_request_get_parts (request)->language->id, ==, "sh");
  g_assert_cmpstr (fh_run_request_get_parts (request)->arguments[0], ==, path);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (input, NULL), -1, path));
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_RUNNING);
  fake_backend_finish (room->backend, 0);
}

static const char written[] =
    "```json\n# filename: a/b.json\n```\n```py\n# filename: c.py\n```\n```sh\n3\n```\n";

/* In a folder of the user's a program that no one sees writes the files of blocks. */
static void
test_work_dir (SeriesRoom *room, gconstpointer data)
{
  room->options->work_dir = g_strdup (g_get_tmp_dir ());
  series_room_new_answer (room, written, NULL);
  series_room_start (room);
  g_assert_null (fh_series_get_step (room->series));
  await_writer (room, 1, "a/b.json");
  series_room_await (room, "1w");
  await_writer (room, 2, "c.py");
  series_room_await (room, "1w2s");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1w2s2f3s");
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "1w2s2f3s3f.");
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 4);
  g_assert_cmpstr (room->states->str, ==, "RD");
}

static void
test_work_dir_full (SeriesRoom *room, gconstpointer data)
{
  room->options->work_dir = g_strdup (g_get_tmp_dir ());
  series_room_new_answer (room, "```json\n1\n```\n```sh\n2\n```\n", NULL);
  series_room_start (room);
  fake_backend_finish (room->backend, 1);
  series_room_await (room, "1x2-.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 1);
}

static void
test_work_dir_link (SeriesRoom *room, gconstpointer data)
{
  room->options->work_dir = g_strdup (g_get_tmp_dir ());
  series_room_new_answer (room, "```json\n1\n```\n", NULL);
  series_room_start (room);
  fake_backend_finish (room->backend, 73);
  series_room_await (room, "1x.");
  g_assert_cmpstr (fh_step_get_note (room->step), ==, "Filename is not in the workspace");
}

/* Stopped while its file is written: it has neither run nor was it refused. */
static void
test_work_dir_stopped (SeriesRoom *room, gconstpointer data)
{
  room->options->work_dir = g_strdup (g_get_tmp_dir ());
  series_room_new_answer (room, written, NULL);
  series_room_start (room);
  fh_series_stop (room->series);
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 1);
  fake_backend_finish (room->backend, 0);
  series_room_await (room, "2-3-1-.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, FH_SERIES_STOPPED);
}

static FhFolderChanges *
new_changes (const char *path)
{
  FhFolderChanges *changes = fh_folder_changes_new (&(FhFolderPlace){ .path = "/nowhere" });
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "", 0);
  g_autoptr (FhFolderChange) change = fh_folder_change_new (&(
      FhFolderChangeFacts){ .kind = FH_FOLDER_CHANGE_DELETED, .path = path, .old_sha256 = digest });

  fh_folder_changes_add (changes, change);
  return changes;
}

static void
set_changes (SeriesRoom *room, const char *path)
{
  g_autoptr (FhFolderChanges) changes = new_changes (path);

  fh_run_set_changes (fake_backend_get_run (room->backend), changes);
}

/* What was saved last is known after one more run, which no one sees. */
static void
test_project (SeriesRoom *room, gconstpointer data)
{
  FhRunRequest *request;

  room->options->project = g_strdup (room->folder);
  series_room_new_answer (room, "```sh\n1\n```\n```json\n2\n```\n", NULL);
  series_room_start (room);
  set_changes (room, "first");
  fake_backend_finish (room->backend, 0);
  series_room_await_runs (room, 2);
  g_assert_cmpstr (room->told->str, ==, "1s1f2ws");
  g_assert_true (fh_step_is_silent (room->step));
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_RUNNING);
  request = fh_run_get_request (fake_backend_get_run (room->backend));
  g_assert_cmpstr (fh_run_request_get_parts (request)->removed[0], ==, "first");
  set_changes (room, "second");
  fake_backend_finish (room->backend, 1);
  series_room_await (room, "1s1f2wsf.");
  g_assert_cmpint (fh_series_get_exit_status (room->series), ==, 0);
  g_assert_cmpstr (
      fh_folder_change_get_facts (fh_folder_changes_get (fh_series_get_changes (room->series), 0))
          ->path,
      ==,
      "second");
  g_assert_cmpuint (fh_step_get_number (fh_series_get_step (room->series)), ==, 1);
}

SERIES_ROOM_TESTS ({ "/answer-steps/in-order", test_in_order },
                   { "/answer-steps/note", test_note },
                   { "/answer-steps/changed-files", test_changed_files },
                   { "/answer-steps/handed-on", test_handed_on },
                   { "/answer-steps/too-much-to-hand-on", test_too_much_to_hand_on },
                   { "/answer-steps/partly-handed-on", test_partly_handed_on },
                   { "/answer-steps/shared", test_shared },
                   { "/answer-steps/shared-sandbox-ended", test_shared_sandbox_ended },
                   { "/answer-steps/from-here", test_from_here },
                   { "/answer-steps/one-alone", test_one_alone },
                   { "/answer-steps/refused", test_refused },
                   { "/answer-steps/empty", test_empty },
                   { "/answer-steps/work-dir", test_work_dir },
                   { "/answer-steps/work-dir-full", test_work_dir_full },
                   { "/answer-steps/work-dir-link", test_work_dir_link },
                   { "/answer-steps/work-dir-stopped", test_work_dir_stopped },
                   { "/answer-steps/project", test_project });
