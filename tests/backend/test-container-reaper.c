/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a crash has left is removed, and what somebody who is about to go has asked for. */
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
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  int count;

  fh_container_reap_async (fixture->engine, NULL, life_room_keep_cb, fixture);
  result = life_room_wait (fixture);
  count = fh_container_reap_finish (result, &error);
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

static void
assert_gone_within (const char *name, guint ms)
{
  const gint64 end = g_get_monotonic_time () + (gint64) ms * 1000;

  while (life_room_has (name) && g_get_monotonic_time () < end)
    g_usleep (20000);
  g_assert_false (life_room_has (name));
}

/* The client outlives us, sees what comes later, and leaves alone what others make meanwhile. */
static void
test_remove_later (LifeRoom *fixture, gconstpointer kind)
{
  life_room_put_ours ("last.one", "running", "");
  life_room_put_ours ("lastxone", "running", "");
  life_room_put_foreign ("foreign");
  fh_container_remove_later (fixture->engine, "last.one");
  assert_gone_within ("last.one", 5000);
  fh_container_remove_later (fixture->engine, "late");
  fh_container_remove_later (fixture->engine, "foreign");
  fh_container_remove_later (fixture->engine, "taken");
  g_usleep (700000);
  life_room_put_ours ("late", "created", "");
  put_with ("taken", 6, "1", "");
  assert_gone_within ("late", 8000);
  g_usleep (4500000);
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
