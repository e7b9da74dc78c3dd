/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a crash has left is removed, and what a process has asked for before it ended. */
#include <string.h>

#include "container-arguments.h"
#include "life-room.h"

static void
put_with (const char *name, guint part, const char *value, const char *labels)
{
  g_autofree char *owner = life_room_owner_with (part, value);

  life_room_put (name, "running", owner, labels, "");
}

static int
reap (LifeRoom *fixture)
{
  g_autoptr (GError) error = NULL;
  const int count = fh_container_reap (fixture->engine, NULL, &error);

  g_assert_no_error (error);
  return count;
}

static void
test_reap (LifeRoom *fixture, gconstpointer kind)
{
  const char *kept = ", \"" FH_CONTAINER_LABEL_KEPT "\": \"" FH_CONTAINER_KEPT_LONGER "\"";
  const char *with_owner = ", \"" FH_CONTAINER_LABEL_KEPT "\": \"" FH_CONTAINER_KEPT_BY_OWNER "\"";

  life_room_put_ours ("alive", "running", "");
  put_with ("dead", 6, "1", "");
  put_with ("dead-kept", 6, "1", kept);
  put_with ("dead-of-a-window", 6, "1", with_owner);
  put_with ("earlier-boot", 3, "00112233aabbccdd", "");
  put_with ("other-machine", 0, "00112233aabbccdd", "");
  put_with ("other-user", 2, "4294967290", "");
  put_with ("other-processes", 4, "1", "");
  life_room_put_foreign ("foreign");
  life_room_put ("nonsense", "running", "nonsense", "", "");
  g_assert_cmpint (reap (fixture), ==, 3);
  g_assert_false (life_room_has ("dead") || life_room_has ("dead-of-a-window") ||
                  life_room_has ("earlier-boot"));
  g_assert_true (life_room_has ("alive") && life_room_has ("dead-kept") &&
                 life_room_has ("other-machine") && life_room_has ("other-user") &&
                 life_room_has ("other-processes") && life_room_has ("foreign") &&
                 life_room_has ("nonsense"));
  g_assert_cmpint (reap (fixture), ==, 0);
}

/* Whether a process with the name that a client has which outlives us is still there, and is about
 * one of this room. */
static gboolean
removes_one_of (LifeRoom *fixture)
{
  const char *program = fh_engine_get_facts (fixture->engine)->program;
  g_autoptr (GDir) processes = g_dir_open ("/proc", 0, NULL);
  const char *pid;

  while ((pid = g_dir_read_name (processes)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc", pid, "cmdline", NULL);
      g_autofree char *words = NULL;
      gsize length;

      if (!g_ascii_isdigit (*pid) || !g_file_get_contents (path, &words, &length, NULL))
        continue;
      if (memmem (words, length, "fumehood-removal", strlen ("fumehood-removal")) != NULL &&
          memmem (words, length, program, strlen (program)) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* How often the client was asked for containers of this name. */
static guint
looks_for (const char *name)
{
  g_autofree char *calls = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *filter = g_strdup_printf ("--filter=name=^/?%s$", name);
  guint count = 0;

  if (!g_file_get_contents (g_getenv ("FAKE_CALLS"), &calls, NULL, NULL))
    return 0;
  lines = g_strsplit (calls, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    count += strstr (lines[i], filter) != NULL;
  return count;
}

/* The client outlives us, sees what comes later, and leaves alone what others make meanwhile. */
static void
test_remove_later (LifeRoom *fixture, gconstpointer kind)
{
  life_room_put_ours ("last.one", "running", "");
  life_room_put_ours ("lastxone", "running", "");
  life_room_put_foreign ("foreign");
  fh_container_remove_later (fixture->engine, "last.one");
  fh_container_remove_later (fixture->engine, "late");
  fh_container_remove_later (fixture->engine, "foreign");
  fh_container_remove_later (fixture->engine, "taken");
  while (looks_for ("late") < 2 || looks_for ("taken") < 2)
    g_usleep (10000);
  life_room_put_ours ("late", "created", "");
  put_with ("taken", 6, "1", "");
  while (removes_one_of (fixture))
    g_usleep (10000);
  g_assert_false (life_room_has ("last.one") || life_room_has ("late"));
  g_assert_true (life_room_has ("lastxone") && life_room_has ("foreign") &&
                 life_room_has ("taken"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  life_room_add ("/container-reaper", "reap", test_reap);
  life_room_add ("/container-reaper", "remove-later", test_remove_later);
  return g_test_run ();
}
