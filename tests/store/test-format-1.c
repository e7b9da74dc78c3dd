/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files in the first format are read as before. Every option has a value other than its default in
 * one of them. */
#include <gio/gio.h>
#include <string.h>

#include "draft.h"
#include "stored-run.h"

static const char *const hosts[] = { "db:192.0.2.7", "gate:host-gateway", NULL };
static const char *const volumes[] = { "/srv/data:/data:rw", "/srv/caf\xe9:/cafe", NULL };
static const char *const environment[] = { "A=ümlaut", "B=", NULL };

typedef struct
{
  char *folder;
  FhHistory *history;
} Fixture;

static char *
path_of (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "format-1", name, NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *from = path_of ("history.db");
  g_autofree char *to = NULL;
  g_autofree char *content = NULL;
  gsize size;

  fixture->folder = fh_test_folder_new ();
  to = g_build_filename (fixture->folder, "history.db", NULL);
  g_assert_true (g_file_get_contents (from, &content, &size, NULL));
  g_assert_true (g_file_set_contents (to, content, (gssize) size, NULL));
  fixture->history = fh_history_new (to);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->history);
  fh_test_folder_remove (fixture->folder);
}

static FhRunRequest *
load (Fixture *fixture, gint64 id, FhRunResult **result)
{
  FhRunRequest *request = NULL;
  GError *error = NULL;

  g_assert_true (fh_history_load (fixture->history, id, NULL, &request, result, &error));
  g_assert_no_error (error);
  return request;
}

static void
assert_limits (const FhRunLimits *limits)
{
  g_assert_cmpuint (limits->wall_ms, ==, 1500);
  g_assert_cmpuint (limits->cpu_ms, ==, 90000);
  g_assert_cmpuint (limits->memory_bytes, ==, 300 << 20);
  g_assert_cmpuint (limits->disk_bytes, ==, 5000);
  g_assert_cmpuint (limits->output_bytes, ==, 1 << 30);
  g_assert_cmpuint (limits->processes, ==, 17);
}

static void
assert_usual_limits (const FhRunLimits *limits)
{
  g_assert_cmpuint (limits->wall_ms, ==, 30000);
  g_assert_cmpuint (limits->cpu_ms, ==, 0);
  g_assert_cmpuint (limits->memory_bytes, ==, 512 << 20);
  g_assert_cmpuint (limits->disk_bytes, ==, 256 << 20);
  g_assert_cmpuint (limits->output_bytes, ==, 64 << 20);
  g_assert_cmpuint (limits->processes, ==, 128);
}

static void
assert_container (const FhContainerOptions *container)
{
  g_assert_nonnull (container);
  g_assert_cmpint (container->engine, ==, FH_ENGINE_PODMAN);
  g_assert_cmpstr (container->image, ==, "registry.example/team/tools:2");
  g_assert_true (container->no_pull);
  g_assert_cmpstr (container->name, ==, "lab");
  g_assert_true (container->is_kept);
  g_assert_cmpint (container->after, ==, FH_CONTAINER_STOP);
  g_assert_cmpstr (container->work_dir, ==, "/home/me/work");
  g_assert_cmpstr (container->bind_dir, ==, "/host/work");
  g_assert_cmpint (container->files, ==, FH_CONTAINER_FILES_BIND);
  g_assert_cmpstr (container->network, ==, "bridge");
  g_assert_cmpuint (container->milli_cpus, ==, 1500);
  g_assert_cmpstr (container->gpus, ==, "device=0,1");
  g_assert_cmpstrv (container->volumes, volumes);
  g_assert_cmpstrv (container->hosts, hosts);
  g_assert_cmpstrv (container->environment, environment);
  g_assert_true (container->is_writable);
  g_assert_true (container->is_root);
}

static void
test_real_run (Fixture *fixture, gconstpointer data)
{
  static const char *const arguments[] = { "x", "y", NULL };
  static const char *const imports[] = { "math", "sys", "io", NULL };
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (FhRunRequest) request = load (fixture, 1, &result);
  g_autofree char *source = fh_run_request_dup_source_text (request);
  g_autofree char *out =
      fh_output_log_dup_text (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT);
  const FhRunLimits *limits = &fh_run_request_get_parts (request)->limits;

  g_assert_true (g_str_has_prefix (source, "import sys\n"));
  g_assert_cmpstr (out, ==, "4\n");
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->exit_code, ==, 1);
  g_assert_cmpuint (fh_run_result_get_parts (result)->guards->len, ==, FH_N_GUARDS);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (fh_run_result_get_parts (result)->attempts),
                    >,
                    0);
  g_assert_cmpstrv (fh_run_request_get_parts (request)->arguments, arguments);
  g_assert_cmpstr (fh_run_request_get_parts (request)->interpreter, ==, "/usr/bin/python3");
  g_assert_cmpuint (limits->wall_ms, ==, 12000);
  g_assert_cmpuint (limits->disk_bytes, ==, 33 << 20);
  g_assert_cmpstrv (fh_run_request_get_parts (request)->guards->imports, imports);
}

static void
test_on_this_computer (Fixture *fixture, gconstpointer data)
{
  static const char *const arguments[] = { "--name", "caf\xe9", "a b", NULL };
  static const char *const allowed[] = { "example.com", "pypi.org", NULL };
  static const char *const imports[] = { "math", "json", NULL };
  g_autoptr (FhRunRequest) request = load (fixture, 2, NULL);
  const FhRunGuards *guards = fh_run_request_get_parts (request)->guards;

  assert_limits (&fh_run_request_get_parts (request)->limits);
  g_assert_cmpstr (fh_run_request_get_parts (request)->interpreter, ==, "/opt/venv/bin/python");
  g_assert_cmpstrv (fh_run_request_get_parts (request)->arguments, arguments);
  g_assert_cmpuint (g_bytes_get_size (fh_run_request_get_parts (request)->standard_input), ==, 7);
  g_assert_null (fh_run_request_get_parts (request)->container);
  g_assert_cmpint (guards->watch, ==, FH_WATCH_FILES);
  g_assert_cmpint (guards->tier, ==, FH_TIER_LANDLOCK);
  g_assert_cmpuint (guards->without, ==, 1u << FH_GUARD_MEMORY | 1u << FH_GUARD_TIME);
  g_assert_cmpstrv (guards->allow_hosts, allowed);
  g_assert_true (guards->report_lines);
  g_assert_true (guards->limit_functions);
  g_assert_cmpstrv (guards->imports, imports);
  g_assert_cmpuint (guards->max_operations, ==, G_GUINT64_CONSTANT (10000000000));
  g_assert_true (guards->no_files);
}

static void
test_in_a_container (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = load (fixture, 3, NULL);
  const FhRunGuards *guards = fh_run_request_get_parts (request)->guards;

  assert_container (fh_run_request_get_parts (request)->container);
  assert_usual_limits (&fh_run_request_get_parts (request)->limits);
  g_assert_cmpstr (fh_run_request_get_parts (request)->interpreter, ==, "pypy3");
  g_assert_cmpint (guards->watch, ==, FH_WATCH_OFF);
  g_assert_nonnull (guards->imports);
  g_assert_null (guards->imports[0]);
  g_assert_false (guards->report_lines);
}

/* Running without protection is for one run only. */
static void
test_defaults (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunRequest) plain = load (fixture, 4, NULL);
  g_autoptr (FhRunRequest) unprotected = load (fixture, 5, NULL);
  const FhRunGuards *guards = fh_run_request_get_parts (plain)->guards;

  assert_usual_limits (&fh_run_request_get_parts (plain)->limits);
  g_assert_null (fh_run_request_get_parts (plain)->interpreter);
  g_assert_null (fh_run_request_get_parts (plain)->container);
  g_assert_cmpint (guards->watch, ==, FH_WATCH_ATTEMPTS);
  g_assert_cmpuint (guards->without, ==, 0);
  g_assert_null (guards->imports);
  g_assert_cmpint (fh_run_request_get_parts (unprotected)->guards->tier, ==, FH_TIER_AUTO);
  g_assert_cmpuint (fh_run_request_get_parts (unprotected)->limits.wall_ms, ==, 0);
  g_assert_cmpuint (fh_run_request_get_parts (unprotected)->limits.processes, ==, 0);
}

static FhDraft *
load_draft (const char *name)
{
  g_autofree char *path = path_of (name);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  FhDraft *draft;
  gsize size;

  g_assert_true (g_file_get_contents (path, &json, &size, NULL));
  draft = fh_draft_from_json ("an-id", json, size, &error);
  g_assert_no_error (error);
  return draft;
}

static void
test_draft (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = load_draft ("draft-here.json");

  g_assert_cmpstr (draft->id, ==, "an-id");
  g_assert_cmpuint (draft->position, ==, 7);
  g_assert_cmpstr (draft->title, ==, "A title");
  g_assert_cmpstr (draft->path, ==, "/home/me/caf\xe9.py");
  g_assert_true (draft->modified);
  g_assert_cmpstr (draft->text, ==, "print ('Grüße')\n");
  g_assert_cmpstr (draft->language->id, ==, "bash");
  g_assert_cmpstr (draft->options->interpreter, ==, "/usr/bin/bash");
  g_assert_cmpstr (draft->arguments, ==, "--name 'a b'");
  g_assert_cmpstr (draft->standard_input, ==, "in\n");
  g_assert_cmpuint (draft->cursor, ==, 5);
  assert_limits (&draft->options->limits);
  g_assert_false (draft->options->in_container);
}

static void
test_draft_in_a_container (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = load_draft ("draft-container.json");

  g_assert_true (draft->options->in_container);
  assert_container (&draft->options->container);
  assert_limits (&draft->options->limits);
  g_assert_cmpstr (draft->options->interpreter, ==, "pypy3");
}

static void
test_plain_draft (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhDraft) draft = load_draft ("draft-plain.json");

  assert_usual_limits (&draft->options->limits);
  g_assert_null (draft->options->interpreter);
  g_assert_false (draft->options->in_container);
  g_assert_null (draft->path);
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/format-1/real-run", test_real_run },
                  { "/format-1/on-this-computer", test_on_this_computer },
                  { "/format-1/in-a-container", test_in_a_container },
                  { "/format-1/defaults", test_defaults },
                  { "/format-1/draft", test_draft },
                  { "/format-1/draft-in-a-container", test_draft_in_a_container },
                  { "/format-1/plain-draft", test_plain_draft });
