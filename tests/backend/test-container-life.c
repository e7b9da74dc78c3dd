/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Containers are found, stopped, restarted and removed; none but ours is touched. The engine is
 * fake-containers.py. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "container-arguments.h"
#include "container-folders.h"
#include "container-life.h"
#include "own-folder.h"

typedef struct
{
  FhEngine *engine;
  GAsyncResult *result;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer kind)
{
  const gboolean is_podman = GPOINTER_TO_UINT (kind) == FH_ENGINE_PODMAN;
  g_autofree char *program = NULL;
  g_autofree char *place = NULL;
  g_autofree char *calls = NULL;
  FhEngineFacts facts = { .kind = GPOINTER_TO_UINT (kind),
                          .version = "1",
                          .architecture = "amd64" };

  own_folder_begin ();
  program = own_folder_path (is_podman ? "podman" : "docker");
  place = own_folder_path ("containers");
  calls = own_folder_path ("calls");
  g_assert_cmpint (symlink (g_getenv ("FH_FAKE_CONTAINERS"), program), ==, 0);
  g_assert_cmpint (g_mkdir (place, 0700), ==, 0);
  g_setenv ("FAKE_CONTAINERS", place, TRUE);
  g_setenv ("FAKE_CALLS", calls, TRUE);
  facts.program = program;
  facts.storage = facts.endpoint = "";
  fixture->engine = fh_engine_new (&facts);
}

static void
tear_down (Fixture *fixture, gconstpointer kind)
{
  g_clear_object (&fixture->result);
  g_assert_finalize_object (fixture->engine);
  own_folder_end ();
}

static void
put (const char *name,
     const char *state,
     const char *owner,
     const char *more_labels,
     const char *more)
{
  g_autofree char *path = g_strdup_printf ("containers/%s.json", name);
  g_autofree char *id = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);
  g_autofree char *text = NULL;

  text = g_strdup_printf ("{\"id\": \"%s\", \"state\": \"%s\", \"labels\": {\"" FH_CONTAINER_LABEL
                          "\": \"1\", \"" FH_CONTAINER_LABEL_OWNER "\": \"%s\"%s}%s}",
                          id,
                          state,
                          owner,
                          more_labels,
                          more);
  own_folder_put (path, text);
}

static void
put_ours (const char *name, const char *state, const char *more)
{
  g_autofree char *owner = fh_container_owner ();

  put (name, state, owner, "", more);
}

static void
put_foreign (const char *name)
{
  g_autofree char *path = g_strdup_printf ("containers/%s.json", name);

  own_folder_put (path, "{\"id\": \"f0f0\", \"state\": \"running\", \"labels\": {\"a\": \"b\"}}");
}

static gboolean
exists (const char *name)
{
  g_autofree char *path = g_strdup_printf ("containers/%s.json", name);
  g_autofree char *whole = own_folder_path (path);

  return g_file_test (whole, G_FILE_TEST_EXISTS);
}

/* The first words of all calls since the last time somebody asked, such as "inspect stop". */
static char *
verbs (void)
{
  g_autofree char *path = own_folder_path ("calls");
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GString *result = g_string_new (NULL);

  if (g_file_get_contents (path, &text, NULL, NULL))
    lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      lines[i][strcspn (lines[i], " ")] = '\0';
      g_string_append_printf (result, "%s%s", i > 0 ? " " : "", lines[i]);
    }
  g_unlink (path);
  return g_string_free (result, FALSE);
}

static void
assert_verbs (const char *expected)
{
  g_autofree char *seen = verbs ();

  g_assert_cmpstr (seen, ==, expected);
}

static void
keep_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_null (fixture->result);
  fixture->result = g_object_ref (result);
}

/* Owned by the caller. */
static GAsyncResult *
wait_for (Fixture *fixture)
{
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return g_steal_pointer (&fixture->result);
}

static FhContainer *
find (Fixture *fixture, const char *name, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fh_container_find_async (fixture->engine, name, NULL, keep_cb, fixture);
  result = wait_for (fixture);
  return fh_container_find_finish (result, error);
}

static gboolean
stop (Fixture *fixture, const char *name, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fh_container_stop_async (fixture->engine, name, 3, NULL, keep_cb, fixture);
  result = wait_for (fixture);
  return fh_container_stop_finish (result, error);
}

static gboolean
restart (Fixture *fixture, const char *name, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fh_container_restart_async (fixture->engine, name, NULL, keep_cb, fixture);
  result = wait_for (fixture);
  return fh_container_restart_finish (result, error);
}

static gboolean
remove_container (Fixture *fixture, const char *name, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fh_container_remove_async (fixture->engine, name, cancellable, keep_cb, fixture);
  result = wait_for (fixture);
  return fh_container_remove_finish (result, error);
}

static int
reap (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  int count;

  fh_container_reap_async (fixture->engine, NULL, keep_cb, fixture);
  result = wait_for (fixture);
  count = fh_container_reap_finish (result, &error);
  g_assert_no_error (error);
  return count;
}

static void
assert_missing (GError **error)
{
  g_assert_error (*error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER);
  g_clear_error (error);
}

static void
assert_failed (GError **error, const char *words)
{
  g_assert_error (*error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_FAILED);
  g_assert_nonnull (strstr ((*error)->message, words));
  g_clear_error (error);
}

static void
test_find (Fixture *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) container = NULL;

  put ("one",
       "exited",
       "somebody",
       ", \"" FH_CONTAINER_LABEL_OPTIONS "\": \"d1\", \"" FH_CONTAINER_LABEL_KEPT
       "\": \"1\", \"" FH_CONTAINER_LABEL_IMAGE "\": \"python:3\"",
       ", \"error\": \"no such program\"");
  container = find (fixture, "one", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (container->name, ==, "one");
  g_assert_cmpuint (strlen (container->id), ==, 64);
  g_assert_cmpstr (container->image, ==, "python:3");
  g_assert_cmpstr (container->state, ==, "exited");
  g_assert_cmpstr (container->owner, ==, "somebody");
  g_assert_cmpstr (container->options_digest, ==, "d1");
  g_assert_cmpstr (container->error, ==, "no such program");
  g_assert_true (container->is_ours && container->is_kept && container->was_out_of_memory);
  g_assert_cmpint (container->exit_code, ==, 137);
  g_assert_cmpint (container->created, ==, 1767323045);
}

static void
test_find_others (Fixture *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) container = NULL;

  g_assert_null (find (fixture, "nobody", &error));
  assert_missing (&error);
  put_foreign ("foreign");
  container = find (fixture, "foreign", &error);
  g_assert_no_error (error);
  g_assert_false (container->is_ours || container->is_kept);
  g_assert_cmpstr (container->owner, ==, "");
  /* The beginning of an id is no name. */
  g_assert_null (find (fixture, "f0", &error));
  assert_missing (&error);
  put_ours ("broken", "running", ", \"act\": \"garbage\"");
  g_assert_null (find (fixture, "broken", &error));
  assert_failed (&error, "");
}

static void
test_list (Fixture *fixture, gconstpointer kind)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GError) error = NULL;

  put_ours ("first", "running", "");
  put_ours ("gone", "running", ", \"act\": \"vanishes\"");
  put_ours ("second", "created", "");
  put ("elsewhere",
       "running",
       "0123456789abcdef.0123456789abcdef.1.0123456789abcdef.1.1.1",
       "",
       "");
  put_foreign ("foreign");
  fh_container_list_async (fixture->engine, NULL, keep_cb, fixture);
  result = wait_for (fixture);
  list = fh_container_list_finish (result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (list->len, ==, 2);
  g_assert_cmpstr (((FhContainer *) list->pdata[0])->name, ==, "first");
  g_assert_cmpstr (((FhContainer *) list->pdata[1])->name, ==, "second");
}

static void
test_stop (Fixture *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;

  put_ours ("one", "running", "");
  g_assert_true (stop (fixture, "one", &error));
  g_assert_no_error (error);
  assert_verbs ("inspect stop");
  g_assert_true (stop (fixture, "one", &error));
  g_assert_no_error (error);
  assert_verbs ("inspect");
  put_ours ("paused", "paused", "");
  g_assert_true (stop (fixture, "paused", &error));
  g_assert_no_error (error);
  assert_verbs ("inspect unpause stop");
  g_assert_true (stop (fixture, "nobody", &error));
  g_assert_no_error (error);
  put_foreign ("foreign");
  g_assert_false (stop (fixture, "foreign", &error));
  assert_failed (&error, "foreign");
  assert_verbs ("inspect inspect");
}

static void
test_restart (Fixture *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;

  put_ours ("one", "exited", "");
  g_assert_true (restart (fixture, "one", &error));
  g_assert_no_error (error);
  assert_verbs ("inspect restart inspect");
  put_ours ("two", "running", ", \"act\": \"dies\", \"error\": \"its own words\"");
  g_assert_false (restart (fixture, "two", &error));
  assert_failed (&error, "its own words");
  put_ours ("two", "running", ", \"act\": \"dies\"");
  g_assert_false (restart (fixture, "two", &error));
  assert_failed (&error, "137");
  g_assert_false (restart (fixture, "nobody", &error));
  assert_missing (&error);
  put_foreign ("foreign");
  verbs ();
  g_assert_false (restart (fixture, "foreign", &error));
  assert_failed (&error, "foreign");
  assert_verbs ("inspect");
}

static void
test_remove (Fixture *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;

  put_ours ("one", "running", "");
  g_assert_true (remove_container (fixture, "one", NULL, &error));
  g_assert_no_error (error);
  assert_verbs ("inspect kill rm inspect");
  g_assert_false (exists ("one"));
  put_ours ("made", "created", "");
  g_assert_true (remove_container (fixture, "made", NULL, &error));
  g_assert_no_error (error);
  assert_verbs ("inspect rm inspect");
  g_assert_true (remove_container (fixture, "one", NULL, &error));
  g_assert_no_error (error);
  assert_verbs ("inspect");
  put_foreign ("foreign");
  g_assert_false (remove_container (fixture, "foreign", NULL, &error));
  assert_failed (&error, "foreign");
  g_assert_true (exists ("foreign"));
}

static void
test_remove_again (Fixture *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  put_ours ("busy", "exited", ", \"act\": \"busy\", \"tries\": 2");
  g_assert_true (remove_container (fixture, "busy", NULL, &error));
  g_assert_no_error (error);
  assert_verbs ("inspect rm inspect rm inspect rm inspect");
  put_ours ("stuck", "exited", ", \"act\": \"sticks\"");
  g_assert_false (remove_container (fixture, "stuck", NULL, &error));
  assert_failed (&error, "stuck");
  assert_verbs ("inspect rm inspect rm inspect rm inspect rm inspect rm inspect");
  put_ours ("busy", "exited", ", \"act\": \"busy\", \"tries\": 9");
  g_assert_false (remove_container (fixture, "busy", NULL, &error));
  assert_failed (&error, "already in progress");
  g_cancellable_cancel (cancellable);
  g_assert_false (remove_container (fixture, "stuck", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_remove_folders (Fixture *fixture, gconstpointer kind)
{
  FhContainerOptions options = { .is_kept = TRUE };
  g_autoptr (FhContainerFolders) folders = NULL;
  g_autoptr (GError) error = NULL;

  folders = fh_container_folders_new (&options, "with-folders", FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_test (fh_container_folders_get_home (folders), G_FILE_TEST_IS_DIR));
  put_ours ("with-folders", "running", "");
  g_assert_true (remove_container (fixture, "with-folders", NULL, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (fh_container_folders_get_home (folders), G_FILE_TEST_EXISTS));
}

/* The owner of this process with one part changed: 0 machine, 1 host, 2 user, 3 boot, 4 processes,
 * 5 pid, 6 start. */
static char *
owner_with (guint part, const char *value)
{
  g_autofree char *self = fh_container_owner ();
  g_auto (GStrv) parts = g_strsplit (self, ".", -1);

  g_free (parts[part]);
  parts[part] = g_strdup (value);
  return g_strjoinv (".", parts);
}

static void
put_with (const char *name, guint part, const char *value, const char *labels)
{
  g_autofree char *owner = owner_with (part, value);

  put (name, "running", owner, labels, "");
}

static void
test_reap (Fixture *fixture, gconstpointer kind)
{
  const char *kept = ", \"" FH_CONTAINER_LABEL_KEPT "\": \"1\"";

  put_ours ("alive", "running", "");
  put_with ("dead", 6, "1", "");
  put_with ("dead-kept", 6, "1", kept);
  put_with ("earlier-boot", 3, "00112233aabbccdd", "");
  put_with ("other-machine", 0, "00112233aabbccdd", "");
  put_with ("other-user", 2, "4294967290", "");
  put_with ("other-processes", 4, "1", "");
  put_foreign ("foreign");
  put ("nonsense", "running", "nonsense", "", "");
  g_assert_cmpint (reap (fixture), ==, 2);
  g_assert_false (exists ("dead") || exists ("earlier-boot"));
  g_assert_true (exists ("alive") && exists ("dead-kept") && exists ("other-machine") &&
                 exists ("other-user") && exists ("other-processes") && exists ("foreign") &&
                 exists ("nonsense"));
  g_assert_cmpint (reap (fixture), ==, 0);
}

static void
assert_gone_within (const char *name, guint ms)
{
  const gint64 end = g_get_monotonic_time () + (gint64) ms * 1000;

  while (exists (name) && g_get_monotonic_time () < end)
    g_usleep (20000);
  g_assert_false (exists (name));
}

/* The client outlives us, sees what comes later, and leaves alone what others make meanwhile. */
static void
test_remove_later (Fixture *fixture, gconstpointer kind)
{
  put_ours ("last.one", "running", "");
  put_ours ("lastxone", "running", "");
  put_foreign ("foreign");
  fh_container_remove_later (fixture->engine, "last.one");
  assert_gone_within ("last.one", 5000);
  fh_container_remove_later (fixture->engine, "late");
  fh_container_remove_later (fixture->engine, "foreign");
  fh_container_remove_later (fixture->engine, "taken");
  g_usleep (700000);
  put_ours ("late", "created", "");
  put_with ("taken", 6, "1", "");
  assert_gone_within ("late", 8000);
  g_usleep (4500000);
  g_assert_true (exists ("lastxone") && exists ("foreign") && exists ("taken"));
}

static void
add (const char *name, void (*test) (Fixture *, gconstpointer))
{
  static const FhEngineKind kinds[] = { FH_ENGINE_DOCKER, FH_ENGINE_PODMAN };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/container-life/%s/%s", fh_engine_kind_to_string (kinds[i]), name);

      g_test_add (path, Fixture, GUINT_TO_POINTER (kinds[i]), set_up, test, tear_down);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("find", test_find);
  add ("find-others", test_find_others);
  add ("list", test_list);
  add ("stop", test_stop);
  add ("restart", test_restart);
  add ("remove", test_remove);
  add ("remove-again", test_remove_again);
  add ("remove-folders", test_remove_folders);
  add ("reap", test_reap);
  add ("remove-later", test_remove_later);
  return g_test_run ();
}
