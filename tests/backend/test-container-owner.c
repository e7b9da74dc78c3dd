/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose a container is: a process is dead when it is certain, and only then. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "container-ops.h"
#include "container-options.h"
#include "life-room.h"

static void
test_owner (void)
{
  g_autofree char *self = fh_container_owner ();
  g_autofree char *again = fh_container_owner ();
  g_autofree char *dead = life_room_owner_with (5, "2147483646");
  g_autofree char *no_id = life_room_owner_with (0, "unknown");
  static const char *const nonsense[] = { "",
                                          "......",
                                          "a.b.c.d.e.f.g",
                                          "1.2.3.4.5",
                                          "x.h.1.y.1.-1.1" };

  g_assert_cmpstr (self, ==, again);
  g_assert_true (fh_container_owner_is_here (self));
  g_assert_false (fh_container_owner_is_dead (self));
  g_assert_true (fh_container_owner_is_here (dead));
  g_assert_true (fh_container_owner_is_dead (dead));
  g_assert_false (fh_container_owner_is_dead (no_id));
  for (guint i = 0; i < G_N_ELEMENTS (nonsense); i++)
    {
      g_assert_false (fh_container_owner_is_here (nonsense[i]));
      g_assert_false (fh_container_owner_is_dead (nonsense[i]));
    }
}

static void
assert_here_and_dead (guint part,
                      const char *value,
                      guint other_part,
                      const char *other,
                      gboolean dead)
{
  g_autofree char *first = life_room_owner_with (part, value);
  g_auto (GStrv) parts = g_strsplit (first, ".", -1);
  g_autofree char *owner = NULL;

  g_free (parts[other_part]);
  parts[other_part] = g_strdup (other);
  owner = g_strjoinv (".", parts);
  g_assert_true (fh_container_owner_is_here (owner));
  g_assert_cmpint (fh_container_owner_is_dead (owner), ==, dead);
}

/* A computer may get a new name; two with the same id are told apart by it before anything of an
 * earlier boot is taken for dead. */
static void
test_owner_renamed (void)
{
  const char *other = "00112233aabbccdd";
  g_autofree char *self = fh_container_owner ();
  g_auto (GStrv) parts = g_strsplit (self, ".", -1);

  assert_here_and_dead (1, other, 6, parts[6], FALSE);
  assert_here_and_dead (1, other, 6, "1", TRUE);
  assert_here_and_dead (3, other, 1, parts[1], TRUE);
  assert_here_and_dead (3, other, 1, other, FALSE);
}

/* A process that has ended is dead, also while its parent has not asked how. */
static void
test_owner_ends (void)
{
  G_GNUC_UNUSED g_autofree char *owner = NULL;
  char text[256] = "";
  int ends[2];
  int leave[2];
  pid_t child;

  g_assert_cmpint (pipe (ends), ==, 0);
  g_assert_cmpint (pipe (leave), ==, 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      char *self = fh_container_owner ();
      char end;

      close (leave[1]);
      if (write (ends[1], self, strlen (self)) < 0 || read (leave[0], &end, 1) < 0)
        _exit (1);
      _exit (0);
    }
  close (ends[1]);
  close (leave[0]);
  g_assert_cmpint (read (ends[0], text, sizeof text - 1), >, 0);
  g_assert_true (fh_container_owner_is_here (text));
  g_assert_false (fh_container_owner_is_dead (text));
  close (leave[1]);
  g_assert_cmpint (read (ends[0], text + strlen (text), 1), ==, 0);
  while (!fh_container_owner_is_dead (text))
    g_usleep (1000);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  g_assert_true (fh_container_owner_is_dead (text));
  close (ends[0]);
}

static void
test_name (void)
{
  g_autofree char *one = fh_container_new_name ();
  g_autofree char *other = fh_container_new_name ();

  g_assert_cmpstr (one, !=, other);
  g_assert_true (g_str_has_prefix (one, FH_CONTAINER_NAME_PREFIX));
  g_assert_true (g_uuid_string_is_valid (one + strlen (FH_CONTAINER_NAME_PREFIX)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-owner/owner", test_owner);
  g_test_add_func ("/container-owner/renamed", test_owner_renamed);
  g_test_add_func ("/container-owner/ends", test_owner_ends);
  g_test_add_func ("/container-owner/name", test_name);
  return g_test_run ();
}
