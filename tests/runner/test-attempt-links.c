/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-links.h"

#include "attempt-path.h"
#include "plan-data.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The guest's own folders in the tree of the host, as in tier B; this process is the guest. */
struct fixture
{
  char *base;
  struct run_folder folder;
  struct fh_policy policy;
  struct attempt_scene scene;
  struct attempt_call call;
};

static void
link_to (struct fixture *fixture, const char *target, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder.workspace, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
set_up (struct fixture *fixture, const void *data)
{
  g_autofree char *made = g_dir_make_tmp ("links-XXXXXX", NULL);
  g_autofree char *inner = NULL;

  fixture->base = realpath (made, NULL);
  g_snprintf (fixture->folder.workspace, PATH_MAX, "%s/workspace", fixture->base);
  g_snprintf (fixture->folder.tmp, PATH_MAX, "%s/tmp", fixture->base);
  inner = g_build_filename (fixture->folder.workspace, "inner", NULL);
  g_assert_cmpint (g_mkdir_with_parents (inner, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->folder.tmp, 0700), ==, 0);
  link_to (fixture, "/etc", "etc");
  link_to (fixture, "etc", "again");
  link_to (fixture, "../etc", "inner/up");
  link_to (fixture, "../../../../../../secret", "relative");
  link_to (fixture, "loop", "loop");
  link_to (fixture, "missing/x", "broken");
  link_to (fixture, "inner", "own");
  fixture->policy.tier = FH_WIRE_TIER_LANDLOCK;
  fixture->scene = (struct attempt_scene){
    .policy = &fixture->policy,
    .folder = &fixture->folder,
    .root = -1,
    .listener = -1,
  };
  links_as_guest_init (&fixture->scene.as_guest, -1);
  fixture->call = (struct attempt_call){ .scene = &fixture->scene, .thread = getpid () };
}

static void
tear_down (struct fixture *fixture, const void *data)
{
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", fixture->base);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  free (fixture->base);
}

/* `path` and `expected` may begin with "W", the workspace. */
static void
check (struct fixture *fixture,
       const char *path,
       bool follows_last,
       const char *expected,
       int found)
{
  const char *base = fixture->folder.workspace;
  g_autofree char *named = path[0] == 'W' ? g_strconcat (base, path + 1, NULL) : g_strdup (path);
  g_autofree char *place =
      expected[0] == 'W' ? g_strconcat (base, expected + 1, NULL) : g_strdup (expected);
  char joined[PATH_MAX];

  g_test_message ("%s", path);
  g_assert_true (path_join (base, named, joined));
  g_assert_cmpint (links_follow (&fixture->call, base, named, follows_last, joined), ==, found);
  g_assert_cmpstr (joined, ==, place);
}

static void
test_paths (struct fixture *fixture, const void *data)
{
  g_autofree char *secret = g_build_filename (fixture->base, "secret", NULL);
  g_autofree char *below = g_build_filename (secret, "key", NULL);

  check (fixture, "inner", true, "W/inner", 0);
  check (fixture, "inner/none", true, "W/inner/none", -ENOENT);
  check (fixture, "/usr/lib", true, "/usr/lib", LINKS_NOT_SEEN);
  check (fixture, "etc/shadow", true, "/etc/shadow", LINKS_NOT_SEEN);
  check (fixture, "W//./etc/shadow", true, "/etc/shadow", LINKS_NOT_SEEN);
  check (fixture, "again/shadow", true, "/etc/shadow", LINKS_NOT_SEEN);
  check (fixture, "inner/up/shadow", true, "/etc/shadow", LINKS_NOT_SEEN);
  check (fixture, "own/up/shadow", true, "/etc/shadow", LINKS_NOT_SEEN);
  check (fixture, "etc/../root", true, "/root", LINKS_NOT_SEEN);
  check (fixture, "own/../etc", true, "/etc", LINKS_NOT_SEEN);
  check (fixture, "etc", true, "/etc", LINKS_NOT_SEEN);
  check (fixture, "etc", false, "W/etc", 0);
  check (fixture, "broken", true, "W/missing/x", -ENOENT);
  check (fixture, "relative/key", true, "/secret/key", LINKS_NOT_SEEN);
  check (fixture, "inner/../../secret/key", true, below, LINKS_NOT_SEEN);
}

static void
test_no_end (struct fixture *fixture, const void *data)
{
  check (fixture, "loop", true, "W/loop", -ELOOP);
  check (fixture, "loop/x", true, "W/loop/x", -ELOOP);
}

static void
test_open_folders (struct fixture *fixture, const void *data)
{
  const int root = open ("/", O_PATH | O_CLOEXEC);
  g_autofree char *by_number = g_strdup_printf ("/proc/self/fd/%d/etc/shadow", root);
  g_autofree char *alone = g_strdup_printf ("/proc/self/fd/%d", root);
  g_autofree char *task = g_strdup_printf ("/proc/self/task/%d/fd/%d/x", getpid (), root);
  g_autofree char *by_link = g_strdup_printf ("%s/fd", fixture->folder.workspace);

  check (fixture, by_number, true, "/etc/shadow", LINKS_NOT_SEEN);
  check (fixture, alone, true, "/", LINKS_OPEN);
  check (fixture, alone, false, alone, LINKS_NOT_SEEN);
  check (fixture, task, true, "/x", LINKS_NOT_SEEN);
  check (fixture, "/proc/self/cwd/../../../../../../../x", true, "/x", LINKS_NOT_SEEN);
  check (fixture, "/proc/1/root/x", true, "/x", LINKS_NOT_SEEN);
  g_assert_cmpint (symlink (alone, by_link), ==, 0);
  check (fixture, "fd/etc/shadow", true, "/etc/shadow", LINKS_NOT_SEEN);
  close (root);
}

/* Opens a user namespace, in which the guest's id is this user's. -1 if there can be none. */
static int
open_users (void)
{
  g_autofree char *map = g_strdup_printf (PLAN_USER_ID " %u 1", getuid ());
  int users = -1;
  int gate[2];
  char byte;
  pid_t child;

  g_assert_cmpint (pipe2 (gate, O_CLOEXEC), ==, 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      const bool is_made =
          unshare (CLONE_NEWUSER) == 0 && g_file_set_contents_full ("/proc/self/uid_map",
                                                                    map,
                                                                    -1,
                                                                    G_FILE_SET_CONTENTS_NONE,
                                                                    0,
                                                                    NULL);

      if (is_made && write (gate[1], "", 1) == 1)
        pause ();
      _exit (1);
    }
  close (gate[1]);
  if (read (gate[0], &byte, 1) == 1)
    {
      g_autofree char *path = g_strdup_printf ("/proc/%d/ns/user", child);

      users = open (path, O_RDONLY | O_CLOEXEC);
    }
  close (gate[0]);
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);
  return users;
}

/* What was known before stays if `place` is NULL. */
static void
ask_as_guest (struct fixture *fixture, const char *path, const char *place)
{
  char joined[PATH_MAX] = "before";
  int found = -EACCES;

  links_follow_as_guest (&fixture->call, fixture->folder.workspace, path, true, joined, &found);
  g_assert_cmpstr (joined, ==, place != NULL ? place : "before");
  g_assert_cmpint (found, ==, place != NULL ? LINKS_NOT_SEEN : -EACCES);
}

static void
test_as_guest (struct fixture *fixture, const void *data)
{
  struct links_as_guest *guest = &fixture->scene.as_guest;

  fixture->scene.root = open ("/", O_PATH | O_CLOEXEC);
  /* A child that cannot become the guest ends. */
  guest->users = fixture->scene.root;
  ask_as_guest (fixture, "etc/shadow", NULL);
  g_assert_cmpint (guest->channel, ==, -1);
  links_as_guest_init (guest, open_users ());
  if (guest->users < 0)
    {
      close (fixture->scene.root);
      g_test_skip ("no user namespace can be made");
      return;
    }
  ask_as_guest (fixture, "etc/shadow", "/etc/shadow");
  ask_as_guest (fixture, "again/x", "/etc/x");
  /* One that does not answer is given up, and no other one is started. */
  g_assert_cmpint (kill (guest->child, SIGSTOP), ==, 0);
  ask_as_guest (fixture, "etc/shadow", NULL);
  g_assert_cmpint (guest->channel, ==, -1);
  ask_as_guest (fixture, "etc/shadow", NULL);
  g_assert_cmpint (guest->channel, ==, -1);
  close (guest->users);
  close (fixture->scene.root);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/attempt-links/paths", struct fixture, NULL, set_up, test_paths, tear_down);
  g_test_add ("/attempt-links/no-end", struct fixture, NULL, set_up, test_no_end, tear_down);
  g_test_add ("/attempt-links/open-folders",
              struct fixture,
              NULL,
              set_up,
              test_open_folders,
              tear_down);
  g_test_add ("/attempt-links/as-guest", struct fixture, NULL, set_up, test_as_guest, tear_down);
  return g_test_run ();
}
