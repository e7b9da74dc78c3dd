/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "life-room.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "container-arguments.h"
#include "own-folder.h"

static void
set_up (LifeRoom *room, gconstpointer kind)
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
  room->engine = fh_engine_new (&facts);
}

/* A thread that has done its part lets go of it a moment later. */
static void
assert_not_kept (FhEngine *engine)
{
  gpointer alive = engine;

  g_object_add_weak_pointer (G_OBJECT (engine), &alive);
  g_object_unref (engine);
  while (g_atomic_pointer_get (&alive) != NULL)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static void
tear_down (LifeRoom *room, gconstpointer kind)
{
  g_clear_object (&room->result);
  assert_not_kept (room->engine);
  own_folder_end ();
}

void
life_room_put (const char *name,
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

void
life_room_put_ours (const char *name, const char *state, const char *more)
{
  g_autofree char *owner = fh_container_owner ();

  life_room_put (name, state, owner, "", more);
}

void
life_room_put_foreign (const char *name)
{
  g_autofree char *path = g_strdup_printf ("containers/%s.json", name);

  own_folder_put (path, "{\"id\": \"f0f0\", \"state\": \"running\", \"labels\": {\"a\": \"b\"}}");
}

gboolean
life_room_has (const char *name)
{
  g_autofree char *path = g_strdup_printf ("containers/%s.json", name);
  g_autofree char *whole = own_folder_path (path);

  return g_file_test (whole, G_FILE_TEST_EXISTS);
}

void
life_room_keep_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  LifeRoom *room = user_data;

  g_assert_null (room->result);
  room->result = g_object_ref (result);
}

/* Owned by the caller. */
GAsyncResult *
life_room_wait (LifeRoom *room)
{
  while (room->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return g_steal_pointer (&room->result);
}

void
life_room_add (const char *prefix, const char *name, void (*test) (LifeRoom *, gconstpointer))
{
  static const FhEngineKind kinds[] = { FH_ENGINE_DOCKER, FH_ENGINE_PODMAN };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("%s/%s/%s", prefix, fh_engine_kind_to_string (kinds[i]), name);

      g_test_add (path, LifeRoom, GUINT_TO_POINTER (kinds[i]), set_up, test, tear_down);
    }
}

/* The owner of this process with one part changed: 0 machine, 1 host, 2 user, 3 boot, 4 processes,
 * 5 pid, 6 start. */
char *
life_room_owner_with (guint part, const char *value)
{
  g_autofree char *self = fh_container_owner ();
  g_auto (GStrv) parts = g_strsplit (self, ".", -1);

  g_free (parts[part]);
  parts[part] = g_strdup (value);
  return g_strjoinv (".", parts);
}
