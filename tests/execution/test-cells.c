/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of a session, around a backend that answers what the test says. */
#include "cells.h"

#include <string.h>

#include "container-room.h"
#include "fake-backend.h"
#include "fh-test.h"
#include "json-guard.h"
#include "run-driver.h"

typedef struct
{
  char *folder;
  FhHistory *history;
  FakeBackend *backend;
  FhProbes *probes;
  FhExecutor *executor;
  FhOldSeriesRecord *record;
  FhCells *cells;
  GString *told;   /* the signals, one letter each */
  guint n_refused; /* calls that are none */
  JsonObject *reply;
} Fixture;

static void
started_cb (FhCells *cells, FhCell *cell, FhRun *run, Fixture *fixture)
{
  g_string_append_c (fixture->told, 's');
}

static void
finished_cb (FhCells *cells, FhCell *cell, FhRun *run, Fixture *fixture)
{
  g_string_append_c (fixture->told, run != NULL ? 'f' : 'F');
}

static void
restarted_cb (FhCells *cells, FhCell *cell, const char *why, Fixture *fixture)
{
  g_string_append_c (fixture->told, 'r');
}

static void
refused_cb (FhCells *cells, FhCell *cell, const char *message, Fixture *fixture)
{
  g_string_append_c (fixture->told, 'x');
}

static void
call_cb (FhCells *cells, guint number, const char *name, JsonNode *arguments, Fixture *fixture)
{
  g_string_append_c (fixture->told, 'c');
  g_assert_cmpuint (number, ==, 7);
  g_assert_cmpstr (name, ==, "ask");
  g_assert_true (JSON_NODE_HOLDS_OBJECT (arguments));
}

static void
answered_cb (FhCells *cells, FhCell *cell, JsonObject *answer, Fixture *fixture)
{
  g_string_append_c (fixture->told, answer != NULL ? 'a' : 'x');
}

static void
idle_cb (FhCells *cells, Fixture *fixture)
{
  g_string_append_c (fixture->told, 'i');
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autofree char *path = NULL;

  fixture->folder = fake_folder_new ();
  path = g_build_filename (fixture->folder, "history.db", NULL);
  fixture->history = fh_history_new (path);
  fixture->backend = fake_backend_new ();
  fixture->probes = fh_probes_new (FH_BACKEND (fixture->backend));
  fixture->executor = fh_executor_new (fixture->probes, NULL);
  fixture->record = fh_old_series_record_new (fixture->history, options);
  fixture->cells = fh_cells_new (fixture->executor, fixture->record);
  fixture->told = g_string_new (NULL);
  fh_cells_set_options (fixture->cells, options);
  g_signal_connect (fixture->cells, "started", G_CALLBACK (started_cb), fixture);
  g_signal_connect (fixture->cells, "finished", G_CALLBACK (finished_cb), fixture);
  g_signal_connect (fixture->cells, "restarted", G_CALLBACK (restarted_cb), fixture);
  g_signal_connect (fixture->cells, "refused", G_CALLBACK (refused_cb), fixture);
  g_signal_connect (fixture->cells, "call", G_CALLBACK (call_cb), fixture);
  g_signal_connect (fixture->cells, "answered", G_CALLBACK (answered_cb), fixture);
  g_signal_connect (fixture->cells, "idle", G_CALLBACK (idle_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->reply, json_object_unref);
  /* What is being written needs the folder. */
  do
    fh_history_flush (fixture->history);
  while (g_main_context_iteration (NULL, FALSE));
  g_object_unref (fixture->cells);
  g_object_unref (fixture->record);
  g_object_unref (fixture->executor);
  g_object_unref (fixture->probes);
  g_object_unref (fixture->backend);
  g_object_unref (fixture->history);
  g_string_free (fixture->told, TRUE);
  fake_folder_free (fixture->folder);
}

static void
push (Fixture *fixture, FhCell *taken)
{
  g_autoptr (FhCell) cell = taken;
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (cell);
  fh_cells_push (fixture->cells, cell, &error);
  g_assert_no_error (error);
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

/* `json` NULL: the interpreter ends without an answer. */
static void
answer (Fixture *fixture, const char *json)
{
  g_autoptr (GBytes) bytes = json != NULL ? g_bytes_new_static (json, strlen (json)) : NULL;

  if (bytes != NULL)
    fh_run_set_answer (fake_backend_get_run (fixture->backend), bytes);
  fake_backend_finish (fixture->backend, bytes != NULL ? 0 : 1);
}

static char *
dup_text (GBytes *bytes)
{
  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                       : g_strdup ("");
}

static char *
dup_order (Fixture *fixture)
{
  return dup_text (
      fh_run_request_get_cell (fh_run_get_request (fake_backend_get_run (fixture->backend))));
}

static char *
dup_setup (Fixture *fixture)
{
  return dup_text (
      fh_run_request_get_setup (fh_run_get_request (fake_backend_get_run (fixture->backend))));
}

static void
test_one_after_the_other (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = NULL, *second = NULL;

  push (fixture, fh_cell_new_execute ("x = 1", NULL));
  push (fixture, fh_cell_new_execute ("x", NULL));
  await (fixture, "s");
  g_assert_cmpuint (fh_cells_get_n_waiting (fixture->cells), ==, 1);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
  first = dup_order (fixture);
  g_assert_nonnull (strstr (first, "<cell 1>"));
  answer (fixture, "{\"success\": true, \"cell\": 1}");
  await (fixture, "sfs");
  second = dup_order (fixture);
  g_assert_nonnull (strstr (second, "<cell 2>"));
  answer (fixture, "{\"success\": true, \"cell\": 2}");
  await (fixture, "sfsfi");
  g_assert_null (fh_cells_get_run (fixture->cells));
}

static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonNode) one = json_node_init_string (json_node_alloc (), "first");
  g_autoptr (JsonNode) other = json_node_init_string (json_node_alloc (), "second");
  g_autofree char *before = NULL, *after = NULL;

  push (fixture, fh_cell_new_set (FH_CELL_CONTEXT, one, TRUE, NULL));
  await (fixture, "s");
  before = dup_setup (fixture);
  g_assert_cmpstr (before, ==, "");
  answer (fixture, "{\"success\": true, \"cell\": 1}");
  push (fixture, fh_cell_new_set (FH_CELL_CONTEXT, other, TRUE, NULL));
  await (fixture, "sfs");
  answer (fixture, "{\"success\": true, \"cell\": 2}");
  push (fixture, fh_cell_new_set ("passing", other, FALSE, NULL));
  await (fixture, "sfsfs");
  answer (fixture, "{\"success\": true, \"cell\": 3}");
  push (fixture, fh_cell_new_reset ());
  push (fixture, fh_cell_new_list (FALSE));
  await (fixture, "sfsfsfFs");
  after = dup_setup (fixture);
  g_assert_nonnull (strstr (after, "second"));
  g_assert_null (strstr (after, "first"));
  g_assert_null (strstr (after, "passing"));
  answer (fixture, "{\"success\": true, \"cell\": 1}");
  /* It was asked for, so that it is not told. */
  await (fixture, "sfsfsfFsfi");
}

static void
test_restarted (Fixture *fixture, gconstpointer data)
{
  push (fixture, fh_cell_new_execute ("x = 1", NULL));
  await (fixture, "s");
  answer (fixture, "{\"success\": true, \"cell\": 1}");
  push (fixture, fh_cell_new_execute ("x", NULL));
  await (fixture, "sfs");
  answer (fixture, "{\"success\": true, \"cell\": 1}");
  await (fixture, "sfsrfi");
}

static void
reply_cb (FhRun *run, guint number, GBytes *json, Fixture *fixture)
{
  fixture->n_refused += number == 0;
  g_assert_true (number == 0 || number == 7);
  g_clear_pointer (&fixture->reply, json_object_unref);
  fixture->reply =
      fh_json_guard_parse (g_bytes_get_data (json, NULL), g_bytes_get_size (json), 1000, NULL);
}

static void
call (Fixture *fixture, const char *json)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (json, strlen (json));

  fh_run_call (fake_backend_get_run (fixture->backend), bytes);
}

static void
test_calls (Fixture *fixture, gconstpointer data)
{
  static const char good[] = "{\"call\": 7, \"name\": \"ask\", \"arguments\": {}}";
  static const char *const bad[] = { "",
                                     "[]",
                                     "{\"call\": 0, \"name\": \"ask\", \"arguments\": {}}",
                                     "{\"call\": -1, \"name\": \"ask\", \"arguments\": {}}",
                                     "{\"call\": 7, \"name\": 1, \"arguments\": {}}",
                                     "{\"call\": 7, \"name\": \"ask\"}" };
  g_autoptr (JsonNode) value = json_node_init_int (json_node_alloc (), 42);
  g_autoptr (GError) error = NULL;

  push (fixture, fh_cell_new_declare ("ask", "question", NULL, NULL, NULL));
  await (fixture, "s");
  g_signal_connect (fake_backend_get_run (fixture->backend),
                    "reply",
                    G_CALLBACK (reply_cb),
                    fixture);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    call (fixture, bad[i]);
  g_assert_cmpuint (fixture->n_refused, ==, G_N_ELEMENTS (bad)); /* or its time would not count */
  g_assert_cmpstr (fixture->told->str, ==, "s");
  g_signal_handlers_disconnect_by_func (fixture->cells, call_cb, fixture);
  call (fixture, good);
  g_assert_true (json_object_has_member (fixture->reply, "error"));
  g_signal_connect (fixture->cells, "call", G_CALLBACK (call_cb), fixture);
  g_assert_false (fh_cells_reply (fixture->cells, 7, value, NULL, &error));
  g_assert_nonnull (error);
  call (fixture, good);
  g_assert_false (fh_cells_reply (fixture->cells, 8, value, NULL, NULL));
  g_assert_true (fh_cells_reply (fixture->cells, 7, value, NULL, NULL));
  g_assert_cmpint (json_object_get_int_member (fixture->reply, "value"), ==, 42);
  g_assert_false (fh_cells_reply (fixture->cells, 7, value, NULL, NULL));
  call (fixture, good);
  fh_cells_refuse_calls (fixture->cells, "closed");
  g_assert_cmpstr (json_object_get_string_member (fixture->reply, "error"), ==, "closed");
  g_clear_pointer (&fixture->reply, json_object_unref);
  call (fixture, good);
  g_assert_cmpstr (json_object_get_string_member (fixture->reply, "error"), ==, "closed");
  answer (fixture, "{\"success\": true, \"cell\": 1}");
  await (fixture, "sccfi");
}

static gboolean
ask (Fixture *fixture, FhCell *taken)
{
  g_autoptr (FhCell) cell = taken;
  g_autoptr (GError) error = NULL;
  const gboolean is_asked = fh_cells_ask (fixture->cells, cell, &error);

  g_assert_true (is_asked == (error == NULL));
  return is_asked;
}

static gboolean
was_sent (Fixture *fixture, const char *member)
{
  return fixture->reply != NULL && json_object_has_member (fixture->reply, member);
}

static void
test_asked_in_a_call (Fixture *fixture, gconstpointer data)
{
  static const char start[] = "{\"call\": 7, \"name\": \"ask\", \"arguments\": {}}";
  static const char done[] = "{\"call\": 7, \"answer\": {\"success\": true}}";
  static const char other[] = "{\"call\": 6, \"answer\": {\"success\": true}}";
  g_autoptr (JsonNode) value = json_node_init_int (json_node_alloc (), 42);

  push (fixture, fh_cell_new_execute ("ask ()", NULL));
  await (fixture, "s");
  g_signal_connect (fake_backend_get_run (fixture->backend),
                    "reply",
                    G_CALLBACK (reply_cb),
                    fixture);
  g_assert_false (fh_cells_has_call (fixture->cells));
  call (fixture, done);
  g_assert_cmpuint (fixture->n_refused, ==, 1);
  call (fixture, start);
  g_assert_true (fh_cells_has_call (fixture->cells));
  g_assert_false (ask (fixture, fh_cell_new_execute ("1", NULL)));
  g_assert_false (ask (fixture, fh_cell_new_reset ()));
  g_assert_true (ask (fixture, fh_cell_new_get ("x", 0, 10, NULL)));
  g_assert_true (was_sent (fixture, "order"));
  g_assert_true (ask (fixture, fh_cell_new_list (FALSE)));
  /* The reply waits until both are done. */
  g_assert_true (fh_cells_reply (fixture->cells, 7, value, NULL, NULL));
  g_assert_false (fh_cells_has_call (fixture->cells));
  g_assert_false (was_sent (fixture, "value"));
  call (fixture, other);
  g_assert_cmpuint (fixture->n_refused, ==, 2);
  call (fixture, done);
  g_assert_true (was_sent (fixture, "order"));
  call (fixture, done);
  g_assert_true (was_sent (fixture, "value"));
  call (fixture, done);
  g_assert_cmpuint (fixture->n_refused, ==, 3);
  /* Another call, and then the end, come before what was asked is done. */
  call (fixture, start);
  g_assert_true (ask (fixture, fh_cell_new_list (FALSE)));
  call (fixture, start);
  g_assert_true (ask (fixture, fh_cell_new_list (FALSE)));
  g_assert_true (fh_cells_reply (fixture->cells, 7, value, NULL, NULL));
  answer (fixture, NULL);
  await (fixture, "scaacxcxfi");
}

static void
test_queue (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhCell) cell = fh_cell_new_execute ("x", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (fh_cells_interrupt (fixture->cells));
  push (fixture, fh_cell_new_execute ("x = 1", NULL));
  await (fixture, "s");
  while (fh_cells_push (fixture->cells, cell, &error))
    g_assert_cmpuint (fh_cells_get_n_waiting (fixture->cells), <=, 1000);
  g_assert_cmpstr (error->message, ==, "Too many cells are waiting.");
  fh_cells_clear (fixture->cells);
  g_assert_cmpuint (fh_cells_get_n_waiting (fixture->cells), ==, 0);
  g_assert_true (fh_cells_interrupt (fixture->cells));
  g_assert_cmpuint (fake_backend_get_n_stops (fixture->backend), ==, 1);
  answer (fixture, NULL);
  await (fixture, "sfi");
}

/* A run that cannot even be asked for. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhCell) cell = fh_cell_new_execute ("x", NULL);

  options->limits.wall_ms = G_MAXUINT64;
  fh_cells_set_options (fixture->cells, options);
  g_assert_true (fh_cells_push (fixture->cells, cell, NULL));
  await (fixture, "xi");
  fh_cell_set_wall_ms (cell, 1000);
  g_assert_true (fh_cells_push (fixture->cells, cell, NULL));
  await (fixture, "xis");
  answer (fixture, "{\"success\": true, \"cell\": 1}");
  await (fixture, "xisfi");
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  static const char *const bad[] = { "", "1", "a b", "a.b", "a\n", "f()" };
  g_autoptr (JsonNode) value = json_node_init_int (json_node_alloc (), 42);
  g_autoptr (FhCell) cell = fh_cell_new_get ("größe_1", 0, 10, NULL);
  g_autofree char *source = g_strnfill (((gsize) 8 << 20) + 1, 'x');

  g_assert_nonnull (cell);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (fh_cell_new_set (bad[i], value, FALSE, &error));
      g_assert_nonnull (error);
    }
  g_assert_null (fh_cell_new_execute (source, NULL));
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_old_series_record_save_finish (FH_OLD_SERIES_RECORD (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
save (Fixture *fixture)
{
  gboolean is_saved = FALSE;

  fh_old_series_record_save_async (fixture->record, saved_cb, &is_saved);
  while (!is_saved)
    g_main_context_iteration (NULL, TRUE);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GPtrArray **) user_data = fh_history_list_finish (FH_HISTORY (source), result, NULL);
}

static void
test_record (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GPtrArray) samples = NULL;

  push (fixture, fh_cell_new_execute ("x = 1", NULL));
  push (fixture, fh_cell_new_list (FALSE));
  push (fixture, fh_cell_new_execute ("x + 1", NULL));
  await (fixture, "s");
  answer (fixture, "{\"success\": true, \"cell\": 1}");
  await (fixture, "sfs");
  answer (fixture, "{\"success\": true, \"cell\": 2}");
  await (fixture, "sfsfs");
  answer (fixture, "{\"success\": false, \"cell\": 3}");
  await (fixture, "sfsfsfi");
  save (fixture);
  entries = fh_history_list (fixture->history, NULL, 0, 10, NULL);
  g_assert_cmpuint (entries->len, ==, 1);
  g_assert_cmpstr (fh_history_entry_get_title (entries->pdata[0]), ==, "Session of 2 cells");
  g_assert_cmpint (fh_history_entry_get_status (entries->pdata[0]), ==, FH_RUN_STATUS_FAILED);
  fh_history_list_samples_async (fixture->history,
                                 fh_history_entry_get_id (entries->pdata[0]),
                                 NULL,
                                 listed_cb,
                                 &samples);
  while (samples == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (samples->len, ==, 2);
}

static void
test_nothing_to_record (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) entries = NULL;

  save (fixture);
  entries = fh_history_list (fixture->history, NULL, 0, 10, NULL);
  g_assert_cmpuint (entries->len, ==, 0);
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/cells/one-after-the-other", test_one_after_the_other },
                  { "/cells/kept", test_kept },
                  { "/cells/restarted", test_restarted },
                  { "/cells/calls", test_calls },
                  { "/cells/asked-in-a-call", test_asked_in_a_call },
                  { "/cells/queue", test_queue },
                  { "/cells/refused", test_refused },
                  { "/cells/names", test_names },
                  { "/cells/record", test_record },
                  { "/cells/nothing-to-record", test_nothing_to_record });
