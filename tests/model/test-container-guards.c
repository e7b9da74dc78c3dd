/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a container was given is told with its guards. */
#include <string.h>

#include "container-guards.h"

static GPtrArray *
make_guards (void)
{
  GPtrArray *guards = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (guards,
                   fh_guard_state_new (FH_GUARD_FILESYSTEM,
                                       FH_GUARD_LEVEL_ACTIVE,
                                       "mount namespace",
                                       "container"));
  g_ptr_array_add (guards,
                   fh_guard_state_new (FH_GUARD_NETWORK,
                                       FH_GUARD_LEVEL_DEGRADED,
                                       "network namespace, socket families",
                                       "network-allowed"));
  g_ptr_array_add (guards,
                   fh_guard_state_new (FH_GUARD_DISK, FH_GUARD_LEVEL_ACTIVE, "sized tmpfs", NULL));
  g_ptr_array_add (
      guards,
      fh_guard_state_new (FH_GUARD_ENVIRONMENT, FH_GUARD_LEVEL_ACTIVE, "built environment", NULL));
  g_ptr_array_add (guards,
                   fh_guard_state_new (FH_GUARD_TIME, FH_GUARD_LEVEL_ACTIVE, "wall clock", NULL));
  return guards;
}

static void
assert_state (GPtrArray *guards, guint i, FhGuardLevel level, const char *reason, const char *part)
{
  FhGuardState *state = g_ptr_array_index (guards, i);

  g_assert_cmpint (fh_guard_state_get_facts (state)->level, ==, level);
  g_assert_cmpstr (fh_guard_state_get_facts (state)->reason, ==, reason);
  if (strstr (fh_guard_state_get_facts (state)->sentence, part) == NULL)
    g_error ("“%s” is not in “%s”", part, fh_guard_state_get_facts (state)->sentence);
}

static void
test_nothing_given (void)
{
  g_autoptr (GPtrArray) guards = make_guards ();

  fh_container_guards_refine (guards, &(FhContainerOptions){ .network = "bridge" });
  g_assert_cmpuint (guards->len, ==, 5);
  assert_state (guards, 0, FH_GUARD_LEVEL_ACTIVE, "container", "Your files are not there.");
  assert_state (guards, 1, FH_GUARD_LEVEL_DEGRADED, "network-allowed", "the container’s network");
  assert_state (guards, 2, FH_GUARD_LEVEL_ACTIVE, NULL, "Nothing reaches your disk");
  assert_state (guards, 3, FH_GUARD_LEVEL_ACTIVE, NULL, "without your variables");
  assert_state (guards, 4, FH_GUARD_LEVEL_ACTIVE, NULL, "its time is up");
}

static void
test_everything_given (void)
{
  static const char *const volumes[] = { "/srv/a:/a", "/srv/b:/b:rw", NULL };
  static const char *const environment[] = { "KEY=secret", NULL };
  const char *const shown[] = { "/home/me/w", "/srv/a", "/srv/b", NULL };
  g_autoptr (GPtrArray) guards = make_guards ();

  fh_container_guards_refine (guards,
                              &(FhContainerOptions){ .network = "host",
                                                     .work_dir = "/home/me/w",
                                                     .volumes = volumes,
                                                     .environment = environment });
  g_assert_cmpuint (guards->len, ==, 5);
  assert_state (guards,
                0,
                FH_GUARD_LEVEL_DEGRADED,
                "shared-folder",
                "It was given: /home/me/w, /srv/a, /srv/b.");
  g_assert_cmpstrv (
      (GStrv) (gpointer) fh_guard_state_get_facts (g_ptr_array_index (guards, 0))->shown,
      (GStrv) (gpointer) shown);
  assert_state (guards, 1, FH_GUARD_LEVEL_DEGRADED, "host-network", "this computer’s network");
  g_assert_null (strstr (fh_guard_state_get_facts (g_ptr_array_index (guards, 1))->layers,
                         "network namespace"));
  assert_state (guards, 2, FH_GUARD_LEVEL_DEGRADED, "shared-folder", "remain");
  assert_state (guards, 3, FH_GUARD_LEVEL_ACTIVE, "named-variables", "that you set");
  assert_state (guards, 4, FH_GUARD_LEVEL_ACTIVE, NULL, "its time is up");
}

static void
test_volumes (void)
{
  static const char *const read_only[] = { "/srv/a:/a", NULL };
  static const char *const writable[] = { "/srv/a:/a", "/srv/b:/b:rw", NULL };
  g_autoptr (GPtrArray) guards = make_guards ();

  fh_container_guards_refine (guards, &(FhContainerOptions){ .volumes = read_only });
  assert_state (guards, 0, FH_GUARD_LEVEL_ACTIVE, "container", "It was given, though: /srv/a.");
  assert_state (guards, 2, FH_GUARD_LEVEL_ACTIVE, NULL, "Nothing reaches your disk");
  fh_container_guards_refine (guards, &(FhContainerOptions){ .volumes = writable });
  assert_state (guards, 2, FH_GUARD_LEVEL_DEGRADED, "writable-volume", "shared folders is not");
}

/* What is weaker already stays as it is. */
static void
test_weaker_already (void)
{
  static const char *const volumes[] = { "/srv/b:/b:rw", NULL };
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (
      guards,
      fh_guard_state_new (FH_GUARD_DISK, FH_GUARD_LEVEL_DEGRADED, "looking", "shared-folder"));
  fh_container_guards_refine (guards, &(FhContainerOptions){ .volumes = volumes });
  assert_state (guards, 0, FH_GUARD_LEVEL_DEGRADED, "shared-folder", "remain");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-guards/nothing-given", test_nothing_given);
  g_test_add_func ("/container-guards/everything-given", test_everything_given);
  g_test_add_func ("/container-guards/volumes", test_volumes);
  g_test_add_func ("/container-guards/weaker-already", test_weaker_already);
  return g_test_run ();
}
