/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our programs are handed to a client that copies them, which ends whatever it does. */
#include <glib/gstdio.h>
#include <string.h>

#include "container-copy.h"
#include "engine-room.h"

static char *runner;
static char *guest;

static gboolean
copy (FhEngineKind kind, const char *name, GCancellable *cancellable, GError **error)
{
  const FhEngineFacts facts = { .kind = kind, .program = engine_room_program (kind) };
  g_autoptr (FhEngine) engine = fh_engine_new (&facts);

  return fh_container_copy_programs (engine, name, runner, guest, cancellable, error);
}

static void
test_copied (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *calls = NULL;

  g_assert_true (copy (FH_ENGINE_DOCKER, "good", NULL, &error));
  g_assert_no_error (error);
  g_assert_true (copy (FH_ENGINE_PODMAN, "good", NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (engine_room_path ("calls"), &calls, NULL, NULL));
  g_assert_cmpstr (calls,
                   ==,
                   "docker cp - good:/opt/fumehood\n"
                   "podman cp --archive=false - good:/opt/fumehood\n");
}

static void
test_fails (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (copy (FH_ENGINE_DOCKER, "fail", NULL, &error));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER);
  engine_room_assert_no_child ();
}

/* What the client leaves behind holds its streams. */
static void
test_child (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (copy (FH_ENGINE_DOCKER, "child", NULL, &error));
  g_assert_no_error (error);
  engine_room_assert_no_child ();
  engine_room_kill_noted ();
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread = engine_room_cancel (cancellable);

  g_assert_false (copy (FH_ENGINE_DOCKER, "stubborn", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  engine_room_assert_no_child ();
  engine_room_assert_gone ();
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  engine_room_begin ();
  engine_room_set ("works", "works");
  runner = g_strdup (engine_room_path ("runner"));
  guest = g_strdup (engine_room_path ("guest"));
  g_assert_true (g_file_set_contents (runner, "runner", -1, NULL));
  g_assert_cmpint (g_mkdir (guest, 0700), ==, 0);
  g_test_add_func ("/container-copy/copied", test_copied);
  g_test_add_func ("/container-copy/fails", test_fails);
  g_test_add_func ("/container-copy/child", test_child);
  g_test_add_func ("/container-copy/cancelled", test_cancelled);
  status = g_test_run ();
  engine_room_end ();
  g_free (runner);
  g_free (guest);
  return status;
}
