/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Containers are found, stopped, restarted and removed; none but ours is touched. The engine is
 * fake-containers.py. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "container-arguments.h"
#include "container-folders.h"
#include "kept-folder.h"
#include "life-room.h"
#include "own-folder.h"

/* The first words of all calls since the last question, such as "inspect stop"; NULL:
 * whatever they are. */
static void
assert_verbs (const char *expected)
{
  g_autofree char *path = own_folder_path ("calls");
  g_autofree char *text = NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (seen,
                            "%s%.*s",
                            i > 0 ? " " : "",
                            (int) strcspn (lines[i], " "),
                            lines[i]);
  g_unlink (path);
  if (expected != NULL)
    g_assert_cmpstr (seen->str, ==, expected);
}

static FhContainer *
find (LifeRoom *fixture, const char *name, GError **error)
{
  return fh_container_find (fixture->engine, name, NULL, error);
}

static gboolean
stop (LifeRoom *fixture, const char *name, GError **error)
{
  return fh_container_stop (fixture->engine, name, 3, NULL, error);
}

static gboolean
restart (LifeRoom *fixture, const char *name, GError **error)
{
  return fh_container_restart (fixture->engine, name, NULL, error);
}

static gboolean
remove_container (LifeRoom *fixture, const char *name, GCancellable *cancellable, GError **error)
{
  return fh_container_remove (fixture->engine, name, cancellable, error);
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
assert_left_alone (GError **error, const char *name)
{
  g_assert_error (*error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NAME_TAKEN);
  g_assert_nonnull (strstr ((*error)->message, name));
  g_clear_error (error);
}

static void
test_find (LifeRoom *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) container = NULL;

  life_room_put ("one",
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
test_find_others (LifeRoom *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) container = NULL;

  g_assert_null (find (fixture, "nobody", &error));
  assert_missing (&error);
  life_room_put_foreign ("foreign");
  container = find (fixture, "foreign", &error);
  g_assert_no_error (error);
  g_assert_false (container->is_ours || container->is_kept);
  g_assert_cmpstr (container->owner, ==, "");
  /* The beginning of an id is no name. */
  g_assert_null (find (fixture, "f0", &error));
  assert_missing (&error);
  life_room_put_ours ("broken", "running", ", \"act\": \"garbage\"");
  g_assert_null (find (fixture, "broken", &error));
  assert_failed (&error, "");
}

static void
test_list (LifeRoom *fixture, gconstpointer kind)
{
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GError) error = NULL;

  life_room_put_ours ("first", "running", "");
  life_room_put_ours ("gone", "running", ", \"act\": \"vanishes\"");
  life_room_put_ours ("second", "created", "");
  life_room_put ("elsewhere",
                 "running",
                 "0123456789abcdef.0123456789abcdef.1.0123456789abcdef.1.1.1",
                 "",
                 "");
  life_room_put_foreign ("foreign");
  list = fh_container_list (fixture->engine, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (list->len, ==, 2);
  g_assert_cmpstr (((FhContainer *) list->pdata[0])->name, ==, "first");
  g_assert_cmpstr (((FhContainer *) list->pdata[1])->name, ==, "second");
}

static void
test_stop (LifeRoom *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;

  life_room_put_ours ("one", "running", "");
  g_assert_true (stop (fixture, "one", &error));
  g_assert_no_error (error);
  assert_verbs ("inspect stop");
  g_assert_true (stop (fixture, "one", &error));
  g_assert_no_error (error);
  assert_verbs ("inspect");
  life_room_put_ours ("paused", "paused", "");
  g_assert_true (stop (fixture, "paused", &error));
  g_assert_no_error (error);
  assert_verbs ("inspect unpause stop");
  g_assert_true (stop (fixture, "nobody", &error));
  g_assert_no_error (error);
  life_room_put_foreign ("foreign");
  g_assert_false (stop (fixture, "foreign", &error));
  assert_left_alone (&error, "foreign");
  assert_verbs ("inspect inspect");
}

static void
test_restart (LifeRoom *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;

  life_room_put_ours ("one", "exited", "");
  g_assert_true (restart (fixture, "one", &error));
  g_assert_no_error (error);
  assert_verbs ("inspect restart inspect");
  life_room_put_ours ("two", "running", ", \"act\": \"dies\", \"error\": \"its own words\"");
  g_assert_false (restart (fixture, "two", &error));
  assert_failed (&error, "its own words");
  life_room_put_ours ("two", "running", ", \"act\": \"dies\"");
  g_assert_false (restart (fixture, "two", &error));
  assert_failed (&error, "137");
  g_assert_false (restart (fixture, "nobody", &error));
  assert_missing (&error);
  life_room_put_foreign ("foreign");
  assert_verbs (NULL);
  g_assert_false (restart (fixture, "foreign", &error));
  assert_left_alone (&error, "foreign");
  assert_verbs ("inspect");
}

static void
test_remove (LifeRoom *fixture, gconstpointer kind)
{
  g_autofree char *others = NULL;
  g_autoptr (GError) error = NULL;

  life_room_put_ours ("one", "running", "");
  g_assert_true (remove_container (fixture, "one", NULL, &error));
  g_assert_no_error (error);
  assert_verbs ("inspect kill rm inspect");
  g_assert_false (life_room_has ("one"));
  life_room_put_ours ("made", "created", "");
  g_assert_true (remove_container (fixture, "made", NULL, &error));
  g_assert_no_error (error);
  assert_verbs ("inspect rm inspect");
  g_assert_true (remove_container (fixture, "one", NULL, &error));
  g_assert_no_error (error);
  assert_verbs ("inspect");
  life_room_put_foreign ("foreign");
  g_assert_false (remove_container (fixture, "foreign", NULL, &error));
  assert_left_alone (&error, "foreign");
  g_assert_true (life_room_has ("foreign"));
  /* Nor is that of another user of Fumehood. */
  others = life_room_owner_with (2, "4711");
  life_room_put ("others", "running", others, "", "");
  g_assert_false (remove_container (fixture, "others", NULL, &error));
  assert_left_alone (&error, "others");
  g_assert_true (life_room_has ("others"));
}

static void
test_remove_again (LifeRoom *fixture, gconstpointer kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  life_room_put_ours ("busy", "exited", ", \"act\": \"busy\", \"tries\": 2");
  g_assert_true (remove_container (fixture, "busy", NULL, &error));
  g_assert_no_error (error);
  assert_verbs ("inspect rm inspect rm inspect rm inspect");
  life_room_put_ours ("stuck", "exited", ", \"act\": \"sticks\"");
  g_assert_false (remove_container (fixture, "stuck", NULL, &error));
  assert_failed (&error, "stuck");
  assert_verbs ("inspect rm inspect rm inspect rm inspect rm inspect rm inspect");
  life_room_put_ours ("busy", "exited", ", \"act\": \"busy\", \"tries\": 9");
  g_assert_false (remove_container (fixture, "busy", NULL, &error));
  assert_failed (&error, "already in progress");
  g_cancellable_cancel (cancellable);
  g_assert_false (remove_container (fixture, "stuck", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_remove_folders (LifeRoom *fixture, gconstpointer kind)
{
  const FhEngineFacts here = { .kind = FH_ENGINE_DOCKER };
  FhContainerOptions options = { .is_kept = TRUE };
  g_autofree char *owner = fh_container_owner ();
  g_autoptr (FhContainerFolders) folders = NULL;
  g_autoptr (GError) error = NULL;

  folders = fh_container_folders_new (&options, &here, "with-folders", FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_test (folders->home->path, G_FILE_TEST_IS_DIR));
  /* One of a single run has none: these are another's of that name. */
  life_room_put_ours ("with-folders", "running", "");
  g_assert_true (remove_container (fixture, "with-folders", NULL, &error));
  g_assert_true (g_file_test (folders->home->path, G_FILE_TEST_IS_DIR));
  life_room_put ("with-folders", "running", owner, ", \"" FH_CONTAINER_LABEL_KEPT "\": \"1\"", "");
  g_assert_true (remove_container (fixture, "with-folders", NULL, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (folders->home->path, G_FILE_TEST_EXISTS));
}

/* What an earlier program has left would be the next container's of that name. */
static void
test_folders_that_stay (LifeRoom *fixture, gconstpointer kind)
{
  const FhEngineFacts here = { 0 };
  FhContainerOptions options = { .is_kept = TRUE };
  g_autofree char *owner = fh_container_owner ();
  g_autofree char *path = fh_kept_folder_dup_path ("stays");
  g_autofree char *parent = g_path_get_dirname (path);
  g_autoptr (FhContainerFolders) folders = NULL;
  g_autoptr (GError) error = NULL;

  folders = fh_container_folders_new (&options, &here, "stays", FALSE, &error);
  g_assert_no_error (error);
  life_room_put ("stays", "running", owner, ", \"" FH_CONTAINER_LABEL_KEPT "\": \"1\"", "");
  g_assert_cmpint (g_chmod (parent, 0500), ==, 0);
  g_assert_false (remove_container (fixture, "stays", NULL, &error));
  assert_failed (&error, path);
  g_assert_false (life_room_has ("stays"));
  g_assert_cmpint (g_chmod (parent, 0700), ==, 0);
  g_assert_true (remove_container (fixture, "stays", NULL, &error));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  life_room_add ("/container-ops", "find", test_find);
  life_room_add ("/container-ops", "find-others", test_find_others);
  life_room_add ("/container-ops", "list", test_list);
  life_room_add ("/container-ops", "stop", test_stop);
  life_room_add ("/container-ops", "restart", test_restart);
  life_room_add ("/container-ops", "remove", test_remove);
  life_room_add ("/container-ops", "remove-again", test_remove_again);
  life_room_add ("/container-ops", "remove-folders", test_remove_folders);
  life_room_add ("/container-ops", "folders-that-stay", test_folders_that_stay);
  return g_test_run ();
}
